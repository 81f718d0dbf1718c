"""Lookup of the spec that announces a component's class: name, source and capabilities are written once.

The spec of `package.family.method:Method` is looked for where specs are written: in the `specs` module beside the
method, in its package, and so on upwards. A class that nobody announces gets a spec of its own making.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Generic, TypeVar

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec, Look, Spec

S = TypeVar("S", bound=Spec)


class SpecLookup(Generic[S]):
    """The class attribute `spec` of a component that is a class: found when it is first asked for.

    kind : the class of the spec. unsaid : what such a spec must say, for a class that nobody announces.
    """

    def __init__(self, kind: type[S], **unsaid: str) -> None:
        self._kind, self._unsaid = kind, unsaid
        self._found: dict[type, S] = {}

    def __get__(self, instance: Any, owner: type) -> S:
        if owner not in self._found:
            announced = announced_spec(owner, self._kind)
            self._found[owner] = announced or unannounced_spec(owner, self._kind, **self._unsaid)
        return self._found[owner]


def complete_docstring(owner: type, kind: type[Spec]) -> None:
    """Add cost, source and status to the docstring of a class that is announced, and of an algorithm an example."""
    spec = announced_spec(owner, kind)
    if spec is not None and owner.__doc__:
        settings = {word: getattr(spec, word.lower(), "") for word in ("Cost", "Source", "Status")}
        lines = [f"{word}: {text}." for word, text in settings.items() if text]
        lines += _example(owner, spec) if isinstance(spec, AlgorithmSpec) else []
        owner.__doc__ = "\n".join([inspect.cleandoc(owner.__doc__), "", *lines]).rstrip()


def _example(owner: type, spec: AlgorithmSpec) -> list[str]:
    """Lines of a docstring's section of examples: a fit on drawn data of a kind that the algorithm takes."""
    takes = spec.capabilities
    form = [] if "features" in takes.kinds else [f'kind="{min(takes.kinds)}"']
    form += [] if takes.negative else ["nonnegative=True"]
    form += ["missing=0.2"] if takes.missing else []
    home = "mvarena.algorithms" if owner.__module__.startswith("mvarena.algorithms.") else owner.__module__
    classes = ", data.labels" if spec.reads_labels or spec.picks_by_labels else ""
    code = (
        f"from {home} import {owner.__name__}",
        "from mvarena.testing.examples import blobs",
        f"data = blobs({', '.join(['60', *form])})",
        f"{owner.__name__}(random_state=0).fit(data{classes}).labels_.shape",
    )
    return ["", "Examples", "--------", *(f">>> {line}" for line in code), "(60,)"]


def announced_spec(owner: type, kind: type[S]) -> S | None:
    """The spec of that kind whose target is `owner`; None where there is none."""
    target = f"{owner.__module__}:{owner.__qualname__}"
    for module in _homes(owner.__module__):
        for spec in _specs_in(module):
            if isinstance(spec, kind) and spec.target == target:
                return spec
    return None


def unannounced_spec(owner: type, kind: type[S], **known: Any) -> S:
    """Default spec of a class that no plugin announces: its name from that of the class, any data.

    Class attributes of the spec's own names (name, label, capabilities, prepare, ...) say otherwise.
    """
    words = owner.__name__.replace("NaN", "Nan")  # one word, although of capitals
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", "-", words).strip("-").lower()
    summary = (inspect.getdoc(owner) or "").partition("\n")[0]
    target = f"{owner.__module__}:{owner.__name__}"
    of_class = {field.name: getattr(owner, field.name, None) for field in fields(kind)}
    of_class = {key: tuple(value) if isinstance(value, list) else value for key, value in of_class.items()}
    if isinstance(of_class.get("prepare"), str):
        of_class["prepare"] = (of_class["prepare"],)
    declared = {key: value for key, value in of_class.items() if isinstance(value, (str, tuple, Capabilities, Look))}
    return kind(**({"name": name, "target": target, "summary": summary} | declared | known))


def _homes(module: str) -> Iterator[ModuleType]:
    """The modules in which a spec of `module` may stand, the nearest first."""
    if module in sys.modules:
        yield sys.modules[module]
    while "." in module:
        module = module.rpartition(".")[0]
        if find_spec(f"{module}.specs"):
            yield import_module(f"{module}.specs")
        yield import_module(module)


def _specs_in(module: ModuleType) -> Iterator[Spec]:
    for value in list(vars(module).values()):
        for spec in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(spec, Spec):
                yield spec
