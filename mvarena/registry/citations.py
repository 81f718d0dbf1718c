"""Citations in BibTeX for methods, data and tools, from `references.bib`, the cards and the specs.

An entry of `references.bib` names in `usedby` the components and tools that it stands for. The source of a plugin's
spec may be a BibTeX entry itself; of any other text, and where nobody gave more, a @misc says what is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from mvarena.contracts.specs import DatasetSpec, Spec
from mvarena.errors import MvarenaError, unknown_name
from mvarena.registry.catalog import COMPONENTS, Catalog

TOOLS = ("mvarena", "numpy", "scipy", "scikit-learn")
_ENTRY = re.compile(r"^@\w+\s*\{\s*([^\s,]+)\s*,.*?^\}", re.MULTILINE | re.DOTALL)
_USED_BY = re.compile(r"^\s*usedby = \{([^}]*)\},?\n", re.MULTILINE)
_OF_MVARENA = ("", "defined by mvarena")  # sources of components that mvarena itself is cited for
_ESCAPED = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_ESCAPED |= {sign: f"\\{sign}" for sign in "&%$#_{}"}


@dataclass(slots=True)
class Citations:
    """BibTeX entries, each once, with what each stands for.

    entries : the entry -> the names that it is cited for.
    """

    entries: dict[str, list[str]] = field(default_factory=dict)

    def add(self, entry: str, name: str) -> None:
        names = self.entries.setdefault(entry.strip(), [])
        if name not in names:
            names.append(name)

    def bibtex(self) -> str:
        """The entries, a comment before each that says what it is cited for. Keys that clash get a letter."""
        parts, seen = [], set[str]()
        for entry, names in self.entries.items():
            parts.append(f"% {', '.join(names)}\n{_with_own_key(entry, seen)}\n")
        return "\n".join(parts)


def cite(names: Iterable[str], versions: Mapping[str, str], catalog: Catalog) -> Citations:
    """The citations for components and tools by their names, in that order.

    names : of algorithms, data sets (also 'digits[fou,fac]'), corruptions, transforms, metrics, pickers and tools.
    versions : of tools, where they are known; they are noted.
    Raises UnknownName for a name that nothing has.
    """
    result = Citations()
    known = [spec for kind in COMPONENTS for spec in catalog.specs(kind)]
    for name in names:
        plain = name.partition("[")[0].strip()
        specs = [spec for spec in known if spec.name == plain]
        if not specs and plain not in TOOLS:
            everything = {spec.name for spec in known} | set(TOOLS)
            raise unknown_name("method, data set or tool", name, everything, "See 'mvarena list algorithms'.")
        for entry in _of_tool(plain, versions.get(plain, "")) if not specs else _of_specs(specs, catalog):
            result.add(entry, plain)
    return result


def _of_specs(specs: Iterable[Spec], catalog: Catalog) -> list[str]:
    return [entry for spec in specs for entry in _of_spec(spec, catalog)]


def _of_spec(spec: Spec, catalog: Catalog) -> list[str]:
    if isinstance(spec, DatasetSpec):
        try:
            citation = catalog.card_of(spec).citation
        except MvarenaError:  # a card that cannot be read is said where the data are used
            citation = ""
        if citation.strip():
            return [citation]
    if spec.source.strip().startswith("@"):
        return [spec.source]
    provider = catalog.plugin_of(spec)
    if provider.distribution == "mvarena":
        if own := references().get(spec.name):
            return own
        if spec.source in _OF_MVARENA:
            return []
    return [_misc(spec.name, spec.label or spec.name, spec.source, f"{provider.distribution} {provider.version}")]


def _of_tool(name: str, version: str) -> list[str]:
    noted = f"  note = {{Version {escaped(version)}}},\n" if version else ""
    if name == "mvarena":
        title = "mvarena: The Arena where Multi-View Clustering Methods Meet"
        return [f"@misc{{mvarena,\n  title = {{{{{title}}}}},\n{noted}}}"]
    return [entry.rstrip().removesuffix("}") + noted + "}" for entry in references()[name]]


def link_of(bibtex: str) -> str:
    """Link to the publication of the first entry that names one by its DOI, or else by its address; '' without one."""
    if found := re.search(r"^\s*doi = \{([^}]+)\}", bibtex, re.MULTILINE):
        return f"https://doi.org/{found[1]}"
    found = re.search(r"^\s*url = \{(https?://[^}\s]+)\}", bibtex, re.MULTILINE)
    return found[1] if found else ""


def _misc(name: str, title: str, source: str, provider: str) -> str:
    """An entry for what nobody wrote a proper one for."""
    link = re.search(r"https?://\S+[^\s.,;)]", source)
    lines = [f"  title = {{{{{escaped(title)}}}}},"]
    lines += [f"  note = {{{escaped(source)}}},"] if source else []
    lines += [f"  howpublished = {{In {escaped(provider)}}},"] if not link else [f"  url = {{{link[0]}}},"]
    return f"@misc{{{name},\n" + "\n".join(lines) + "\n}"


def escaped(text: str) -> str:
    """Text in which no sign means something to LaTeX, on one line."""
    return "".join(_ESCAPED.get(sign, sign) for sign in " ".join(text.split()))


@cache
def references() -> dict[str, list[str]]:
    """Name -> the entries of `references.bib` that it is cited by, without the field that says so."""
    text = (files("mvarena.registry") / "references.bib").read_text("utf-8")
    result: dict[str, list[str]] = {}
    for match in _ENTRY.finditer(text):
        names = _USED_BY.search(match[0])
        assert names is not None, match[1]
        for name in names[1].split():
            result.setdefault(name, []).append(_USED_BY.sub("", match[0]))
    return result


def _with_own_key(entry: str, seen: set[str]) -> str:
    """The entry, under a key that no other one has."""
    match = re.match(r"(@\w+\s*\{\s*)([^\s,]+)", entry)
    if match is None:
        return entry
    key, letter = match[2], ord("a")
    while key in seen:
        letter += 1
        key = f"{match[2]}{chr(letter)}"
    seen.add(key)
    return f"{match[1]}{key}{entry[match.end() :]}"
