"""Imports that are put off until they are used, in the command line's own process.

scikit-learn imports `scipy.stats`, which takes as long as all the rest of it together, and `scipy.special`; SciPy asks
NumPy for all that it has, down to its compiler of Fortran. None is used before something is computed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType

_PUT_OFF = ("scipy.stats", "scipy.special", "numpy.f2py", "numpy.testing")


class _Lazily(MetaPathFinder):
    """Finds what the usual finder finds, to be executed when an attribute of it is first asked for."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname in _PUT_OFF else None
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


def put_off_imports() -> None:
    """From here on; nothing that is imported already changes."""
    if not any(isinstance(item, _Lazily) for item in sys.meta_path):
        sys.meta_path.insert(0, _Lazily())
