"""Several names at once: patterns, families of algorithms, and the data sets that are at hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePath

from mvarena.contracts.specs import AlgorithmSpec
from mvarena.errors import InvalidSetting, MvarenaError, unknown_name
from mvarena.registry.catalog import Catalog
from mvarena.text import listed

ALL = "all"  # in place of the names of all announced algorithms
READY = "ready"  # in place of the names of all data sets whose files are at hand
FREE_OF_SQUARES = "°"  # marks the algorithms that hold no n x n matrix
CONTROL = "control"  # the family of what no method should fall below, or cannot pass
_WILD = "*?"


def family_of(spec: AlgorithmSpec) -> str:
    """The family of an algorithm: the package that its module lies in, as 'kernel', and for a module that lies in none
    the module itself; of a program the folder of its file."""
    if spec.target.endswith(".toml"):
        return PurePath(spec.target).parent.name
    module = spec.target.partition(":")[0].split(".")
    return module[-2] if len(module) > 1 else module[0]


def family_words(family: str, plugin: str) -> str:
    """'kernel'; 'plugin mvarena-omics' of what lies in no package within the one of its plugin."""
    return f"plugin {plugin}" if family and family == plugin.replace("-", "_") else family


def controls(catalog: Catalog) -> list[AlgorithmSpec]:
    """The installed controls, by name."""
    specs = (spec for spec in catalog.specs("algorithm") if isinstance(spec, AlgorithmSpec))
    return [spec for spec in specs if family_of(spec) == CONTROL]


def is_pattern(text: str) -> bool:
    """True if a text stands for several names by * or ?."""
    return any(sign in text for sign in _WILD)


def algorithms_named(text: str, catalog: Catalog) -> list[str]:
    """The names behind 'apmc', 'all', 'mkkm-*', 'kernel:*' or 'kernel:mkkm-*'; at least one.

    Raises UnknownName, with near names, for what there is none of.
    """
    known = catalog.names("algorithm")
    family, colon, rest = text.rpartition(":")
    if text == ALL:
        return [name for name in known if family_of(catalog.algorithm(name)) != CONTROL]
    if not colon:
        return _matching(text, known, "algorithm") if is_pattern(text) else [text]
    own_families = families(catalog)
    if family not in own_families.values():
        there = sorted(set(own_families.values()))
        raise unknown_name("family of algorithms", family, there, f"The families are {', '.join(there)}.")
    return _matching(rest, [name for name, own in own_families.items() if own == family], f"algorithm of {family}")


def datasets_named(text: str, catalog: Catalog) -> list[str]:
    """The names behind 'digits', 'ready', or 'webkb-*'; at least one. Picked views stay: 'webkb-*[content]'.

    Of what a pattern matches, those are taken whose files are at hand (`left_out_notes` names the others).
    Raises UnknownName where no data set is meant, and InvalidSetting where none is at hand.
    """
    base, bracket, views = text.partition("[")
    if base != READY and not is_pattern(base):
        return [text]
    meant = _meant(base, catalog)
    values = [name for name in meant if is_at_hand(name, catalog)]
    if not values:
        of_which = "" if base == READY else f" that '{base}' means ({listed(meant)})"
        raise InvalidSetting(
            f"no data set{of_which} is available; 'mvarena data list' shows which are, and 'mvarena data fetch NAME' "
            "downloads one or says which files to place where.",
            field="datasets",
            value=text,
        )
    return [f"{name}{bracket}{views}" for name in values]


def left_out_notes(texts: Iterable[object], catalog: Catalog) -> tuple[str, ...]:
    """One sentence for each pattern among `texts` that means data sets whose files are not at hand."""
    notes = []
    for base in dict.fromkeys(text.partition("[")[0] for text in texts if isinstance(text, str)):
        if base != READY and (not is_pattern(base) or any(sign in base for sign in "./")):
            continue
        meant = _meant(base, catalog)
        absent = [name for name in meant if not is_at_hand(name, catalog)]
        if absent and base == READY:
            notes.append(
                f"ready: {len(meant) - len(absent)} of {len(meant)} data sets are available (mvarena data list)."
            )
        elif absent:
            verb = "is" if len(absent) == 1 else "are"
            notes.append(f"{base}: {listed(absent)} {verb} not available and left out (mvarena data fetch NAME).")
    return tuple(notes)


def _meant(base: str, catalog: Catalog) -> list[str]:
    names = catalog.names("dataset")
    return list(names) if base == READY else _matching(base, names, "dataset")


def is_at_hand(name: str, catalog: Catalog) -> bool:
    """True if the data set needs no file that is not here; one that cannot say so is not."""
    try:
        spec = catalog.dataset(name)
        card = catalog.card_of(spec)
    except MvarenaError:
        return False
    return not card.files or card.state == "ready"


def _matching(pattern: str, names: Sequence[str], what: str) -> list[str]:
    result = [name for name in names if fnmatchcase(name, pattern)]
    if not result:
        raise unknown_name(what, pattern, names, "No name matches it.")
    return result


def families(catalog: Catalog) -> dict[str, str]:
    """Algorithm -> its family, for all that are installed."""
    return {spec.name: family_of(spec) for spec in catalog.specs("algorithm") if isinstance(spec, AlgorithmSpec)}
