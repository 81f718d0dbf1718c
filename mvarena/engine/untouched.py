"""Whether functions that all contestants share are still those that were imported."""

from __future__ import annotations

import sys
from operator import is_
from types import ModuleType
from typing import Any, TypeAlias

_OWN = "mvarena."
_SHARED = (
    "builtins", "json", "math", "os", "random", "time", "numpy", "numpy.linalg", "numpy.random", "scipy.linalg",
    "scipy.sparse", "scipy.sparse.linalg", "sklearn.base", "sklearn.cluster",
)  # fmt: skip


_NOTHING = object()
_Known: TypeAlias = tuple[Any, tuple[str, ...], tuple[Any, ...]]  # a module or class, its names, what they stand for


class Untouched:
    """Takes note of modules and classes by what their names stand for; what is only added to them is no change."""

    def __init__(self) -> None:
        self._n_modules = 0
        self._known: dict[str, _Known] = {}
        self._note()

    def changed(self) -> str:
        """What stands for something else now, as a sentence; '' where nothing does. Cost: 0.2 ms."""
        for name, (owner, keys, values) in self._known.items():
            now = vars(owner)
            # compared as objects, at the speed of C: to compare their values could run anything
            if len(now) == len(values) and all(map(is_, now.values(), values)):
                continue
            for one, value in zip(keys, values, strict=True):
                if now.get(one, _NOTHING) is not value:
                    return f"the trial replaced {one} of {name}"
            self._known[name] = (owner, tuple(now), tuple(now.values()))
        for name, (owner, _, _) in self._known.items():
            if isinstance(owner, ModuleType) and sys.modules.get(name) is not owner:
                return f"the trial replaced the module {name}"
        self._note()
        return ""

    def _note(self) -> None:
        """Modules that have been imported meanwhile."""
        if len(sys.modules) == self._n_modules:
            return
        self._n_modules = len(sys.modules)
        for name, module in list(sys.modules.items()):
            if name in self._known or not isinstance(module, ModuleType):
                continue
            if name in _SHARED or name.startswith(_OWN):
                self._keep(name, module)
            if name.startswith(_OWN):
                for one in list(vars(module).values()):
                    if isinstance(one, type) and one.__module__ == name:
                        self._keep(f"{name}.{one.__qualname__}", one)

    def _keep(self, name: str, owner: Any) -> None:
        self._known[name] = (owner, tuple(vars(owner)), tuple(vars(owner).values()))
