"""scikit-learn without pandas, which it imports for callers that have data frames: a fifth of its time, and 60 MB."""

from __future__ import annotations

import sys
from importlib import import_module


def import_sklearn(module: str = "sklearn.base") -> None:
    """Import a module of scikit-learn's, and pandas only if it is imported already.

    Whoever imports pandas later can give its frames to scikit-learn as ever. For a process that has one thread yet:
    another would not find pandas meanwhile.
    """
    if "pandas" in sys.modules:
        import_module(module)
        return
    sys.modules["pandas"] = None  # type: ignore[assignment]  # what imports it meanwhile does not find it
    try:
        import_module(module)
    finally:
        sys.modules.pop("pandas", None)
