"""mvarena: the arena where multi-view clustering methods meet, under the same conditions.

The names below are imported when they are first used, so that `import mvarena` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mvarena import algorithms as algorithms
    from mvarena.arena import load_dataset as load_dataset
    from mvarena.arena import prepare as prepare
    from mvarena.arena import run as run
    from mvarena.contracts.hooks import hookimpl as hookimpl
    from mvarena.data import MultiViewData as MultiViewData
    from mvarena.data import View as View
    from mvarena.results import Results as Results

__version__ = "0.1.0"

_HOMES = {
    "MultiViewData": "mvarena.data",
    "View": "mvarena.data",
    "hookimpl": "mvarena.contracts.hooks",
    "load_dataset": "mvarena.arena",
    "prepare": "mvarena.arena",
    "run": "mvarena.arena",
    "Results": "mvarena.results",
}

__all__ = [
    "MultiViewData",
    "Results",
    "View",
    "__version__",
    "algorithms",
    "hookimpl",
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
