"""Names of methods and data sets in few letters, where there is no room: what tells them apart stays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from mvarena.text import shortened

# a contestant as `mvarena.analysis.naming` has it, and a mark behind it: 'apmc (n_neighbors=7, reach=all) *'
_VARIANT = re.compile(r"(?P<method>.+?) \((?P<settings>.*)\)(?P<rest>[^()]*)", re.DOTALL)
_BETWEEN = re.compile(r", (?=[^,=()\[\]]+=|chosen by )")  # no comma within a value, such as [1, 2]
LEFT_OUT = "…"  # stands for the settings that are not shown


def short_names(names: Iterable[str], most: int, shown: Callable[[str], str] = str) -> dict[str, str]:
    """Name -> what is shown of it: at most `most` letters, and no two alike.

    shown : how a name is written, before it is shortened; a name that has room then stays whole. Of another, the method
    alone is shown where no other name is of that one; else those of its settings that tell it from the others of its
    method, as few as do: 'apmc (reach=all, …)'. What is still too long has its beginning and its end, and what would
    read alike, a number. Cost O(S^2 N) for N names of one method with S settings.
    """
    texts = {name: shown(name) for name in dict.fromkeys(names)}
    found = {name: text if len(text) <= most else "" for name, text in texts.items()}
    methods: dict[str, dict[str, dict[str, str]]] = {}
    for name, text in texts.items():
        method, settings, _ = _parts(text)
        methods.setdefault(method, {})[name] = settings
    for method, variants in methods.items():
        telling = _telling(variants)
        for name in (name for name in variants if not found[name]):
            kept = [setting for key, setting in variants[name].items() if key in telling]
            more = [LEFT_OUT] if 0 < len(kept) < len(variants[name]) else []
            rest = _parts(texts[name])[2]
            short = f"{method} ({', '.join([*kept, *more])}){rest}" if kept else f"{method}{rest}"
            found[name] = shortened(short, most)
    return _numbered(found, most)


def _parts(text: str) -> tuple[str, dict[str, str], str]:
    """Method, settings by their names, and the mark behind; of a name without settings the whole is the method."""
    parts = _VARIANT.fullmatch(text)
    if parts is None:
        return text, {}, ""
    settings = {setting.partition("=")[0]: setting for setting in _BETWEEN.split(parts["settings"])}
    return parts["method"], settings, parts["rest"]


def _telling(variants: Mapping[str, Mapping[str, str]]) -> set[str]:
    """Names of settings that tell the variants of a method apart: in turn the one that tells most of them apart."""
    keys = list(dict.fromkeys(key for settings in variants.values() for key in settings))
    kept: list[str] = []

    def told(chosen: list[str]) -> int:
        return len({tuple(settings.get(key) for key in chosen) for settings in variants.values()})

    while (left := [key for key in keys if key not in kept]) and told(kept) < told(keys):
        kept.append(max(left, key=lambda key: told([*kept, key])))
    return set(kept)


def _numbered(found: Mapping[str, str], most: int) -> dict[str, str]:
    """The names with ' #2' in place of their ends where others read alike."""
    result: dict[str, str] = {}
    counts = Counter(found.values())
    taken = {text for text, count in counts.items() if count == 1}
    for name, text in found.items():
        number = 1
        own = text
        while counts[text] > 1 and own in taken:
            number += 1
            mark = f" #{number}"
            own = f"{text[: max(1, most - len(mark))]}{mark}"
        taken.add(own)
        result[name] = own
    return result
