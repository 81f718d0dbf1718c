"""Views brought to one scale by a single number each."""

from __future__ import annotations

from typing import Any

import numpy as np

from mvarena.data import MultiViewData
from mvarena.numerics.kernels import squared_norms

_ROUNDING = 1e-12


def mean_lengths(data: MultiViewData) -> list[float]:
    """The root mean square length of the rows that each view observes; 1 for a view of zeros."""
    pairs = zip(data.views, data.mask.T, strict=True)
    found = [float(np.sqrt(squared_norms(view.matrix).sum() / np.count_nonzero(seen))) for view, seen in pairs]
    return [1.0 if length == 0 or abs(length - 1.0) <= _ROUNDING else length for length in found]


def mean_length_one(data: MultiViewData) -> list[Any]:
    """Each view's (n, d_v) matrix divided by its mean length.

    Rows of unit length stay as they are. For others it keeps what the views hold, and gives weights of terms such as
    norm(Z)^2 the meaning that they have for rows of unit length, as the papers' data have.
    """
    pairs = zip(data.views, mean_lengths(data), strict=True)
    return [view.matrix if length == 1.0 else view.matrix / length for view, length in pairs]
