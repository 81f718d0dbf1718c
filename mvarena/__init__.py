"""mvarena: the arena where multi-view clustering methods meet, under the same conditions.

The names below are imported when they are first used, so that `import mvarena` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mvarena import algorithms as algorithms
    from mvarena.api import corrupt as corrupt
    from mvarena.api import list_algorithms as list_algorithms
    from mvarena.api import list_datasets as list_datasets
    from mvarena.api import load_dataset as load_dataset
    from mvarena.api import prepare as prepare
    from mvarena.api import run as run
    from mvarena.contracts.hooks import hookimpl as hookimpl
    from mvarena.data import MultiViewData as MultiViewData
    from mvarena.data import View as View
    from mvarena.results import Results as Results

__version__ = "0.1.0"

_HOMES = {
    "MultiViewData": "mvarena.data",
    "View": "mvarena.data",
    "hookimpl": "mvarena.contracts.hooks",
    "load_dataset": "mvarena.api",
    "prepare": "mvarena.api",
    "run": "mvarena.api",
    "Results": "mvarena.results",
    "corrupt": "mvarena.api",
    "list_algorithms": "mvarena.api",
    "list_datasets": "mvarena.api",
}

__all__ = [
    "MultiViewData",
    "Results",
    "View",
    "__version__",
    "algorithms",
    "corrupt",
    "hookimpl",
    "list_algorithms",
    "list_datasets",
    "load_dataset",
    "prepare",
    "run",
]


def __getattr__(name: str) -> Any:
    if name == "algorithms":
        return import_module("mvarena.algorithms")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'mvarena' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
