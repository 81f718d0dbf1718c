"""True if functions that all contestants share are still those that were imported."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from operator import is_
from types import ModuleType
from typing import Any, TypeAlias

_OWN = "mvarena"
_SHARED = ("builtins", "json", "math", "os", "random", "time")
_LIBRARIES = (
    "numpy", "numpy.fft", "numpy.linalg", "numpy.random", "scipy.linalg", "scipy.sparse", "scipy.spatial",
    "sklearn.base", "sklearn.cluster", "sklearn.decomposition", "sklearn.metrics", "sklearn.neighbors",
    "sklearn.preprocessing", "sklearn.utils",
)  # fmt: skip
_IMMUTABLE = 1 << 8  # of a class written in C (Py_TPFLAGS_IMMUTABLETYPE)

_NOTHING = object()
_Owner: TypeAlias = Any  # a module or class


class PatchGuard:
    """Takes note of modules and classes by what their names stand for; what is only added to them is no change.

    Of mvarena's modules and some of the standard library, every name counts; of what methods share of NumPy, SciPy and
    scikit-learn, those that stood for something to call, for they keep other things in their modules that change.
    """

    def __init__(self) -> None:
        self._n_modules = 0
        self._modules: dict[str, ModuleType] = {}
        self._strict: dict[str, tuple[_Owner, tuple[str, ...], tuple[Any, ...]]] = {}
        self._libraries: dict[str, tuple[_Owner, list[str], list[Any]]] = {}
        self._note()

    def changed(self) -> str:
        """Sentence on a shared function that was replaced; '' where none was. Cost: some 20,000 comparisons, 0.5 ms."""
        for name, module in self._modules.items():
            if sys.modules.get(name) is not module:
                return f"the trial replaced the module {name}"
        result = self._changed_strict() or self._changed_libraries()
        if not result:
            self._note()
        return result

    def _changed_strict(self) -> str:
        for name, (owner, keys, values) in self._strict.items():
            now = vars(owner)
            # compared as objects, at the speed of C: to compare their values could run anything
            if len(now) == len(values) and all(map(is_, now.values(), values)):
                continue
            for item, value in zip(keys, values, strict=True):
                if now.get(item, _NOTHING) is not value:
                    return f"the trial replaced {item} of {name}"
            self._strict[name] = (owner, tuple(now), tuple(now.values()))
        return ""

    def _changed_libraries(self) -> str:
        for name, (owner, keys, values) in self._libraries.items():
            now = vars(owner)
            if _are_same(list(now.values()), values):
                continue
            for item, value in zip(keys, values, strict=True):
                if now.get(item, _NOTHING) is not value and callable(value):
                    return f"the trial replaced {item} of {name}"
            self._libraries[name] = (owner, list(now), list(now.values()))
        return ""

    def _note(self) -> None:
        """Modules that have been imported meanwhile."""
        if len(sys.modules) == self._n_modules:
            return
        self._n_modules = len(sys.modules)
        for name, module in list(sys.modules.items()):
            if name in self._modules or not isinstance(module, ModuleType):
                continue
            first, *more = name.split(".")[:2]
            if first == _OWN or name in _SHARED:
                self._modules[name] = module
                for part, owner in _parts(name, module, with_classes=first == _OWN):
                    self._strict[part] = (owner, tuple(vars(owner)), tuple(vars(owner).values()))
            elif ".".join([first, *more]) in _LIBRARIES:
                self._modules[name] = module
                for part, owner in _parts(name, module, with_classes=True):
                    self._libraries[part] = (owner, list(vars(owner)), list(vars(owner).values()))


def _parts(name: str, module: ModuleType, *, with_classes: bool) -> Iterator[tuple[str, _Owner]]:
    """The module, and the classes that are defined in it."""
    yield name, module
    for item in list(vars(module).values()) if with_classes else ():
        if isinstance(item, type) and item.__module__ == name and not item.__flags__ & _IMMUTABLE:
            yield f"{name}.{item.__qualname__}", item


def _are_same(now: list[Any], before: list[Any]) -> bool:
    """True if both hold the same objects: lists are equal where each object is the same or says that it is equal."""
    try:
        return now == before
    except Exception:  # as of an array in the place of another
        return False
