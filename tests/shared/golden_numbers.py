"""Reference numbers of published programs and independent implementations: `tests/golden/NAME.npz`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_FOLDER = Path(__file__).parents[1] / "golden"


def golden_numbers(name: str) -> dict[str, NDArray]:
    """Every array of tests/golden/NAME.npz, by name."""
    with np.load(_FOLDER / f"{name}.npz", allow_pickle=False) as stored:
        return dict(stored)
