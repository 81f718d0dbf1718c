"""The reach of a Gaussian similarity exp(-d^2 / reach^2), where it is 1/e; and views brought to one scale."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.parameters import Positive
from mvarena.data import MultiViewData
from mvarena.numerics.kernels import ROUNDING, common_offset, moved, row_blocks, squared_norms

Reach: TypeAlias = Literal["all", "nearest"] | Positive
"""A number, `wide_reach`, or `mvarena.numerics.neighbours.mean_reach`."""


def wide_reach(points: Any, others: Any) -> float:
    """Twice the root mean square distance from `points` (r, d) to `others` (l, d): APMC's program. O((r + l) d)."""
    return 2.0 * float(np.sqrt(mean_squared_distance(points, others)))


def mean_squared_distance(points: Any, others: Any) -> float:
    """The mean of d^2 over all pairs of a row of `points` (r, d) and one of `others` (l, d), dense or CSR.

    It is mean |x|^2 + mean |u|^2 - 2 mean x . mean u: no r x l matrix. Time O((r + l) d), memory a block of rows.
    """
    offset = common_offset(points, others)
    (x_norm, x_mean), (u_norm, u_mean) = _moments(points, offset), _moments(others, offset)
    mean = x_norm + u_norm - 2.0 * float(x_mean @ u_mean)
    return mean if mean > ROUNDING * (x_norm + u_norm) else 0.0


def _moments(points: Any, offset: NDArray[np.float64] | None) -> tuple[float, NDArray[np.float64]]:
    """The mean squared length and the mean (d,) of the rows, moved by `offset`."""
    n, d = points.shape
    norm, total = 0.0, np.zeros(d)
    for rows in row_blocks(n, d):
        block = moved(points[rows], offset)
        norm += float(squared_norms(block).sum()) / n
        total += np.asarray(block.sum(axis=0)).ravel() / n
    return norm, total


# Views brought to one scale by a single number each.

_ROUNDING = 1e-12


def mean_lengths(data: MultiViewData) -> list[float]:
    """The root mean square length of the rows that each view observes; 1 for a view of zeros."""
    pairs = zip(data.views, data.mask.T, strict=True)
    values = [float(np.sqrt(squared_norms(view.matrix).sum() / np.count_nonzero(seen))) for view, seen in pairs]
    return [1.0 if length == 0 or abs(length - 1.0) <= _ROUNDING else length for length in values]


def mean_length_one(data: MultiViewData) -> list[Any]:
    """Each view's (n, d_v) matrix divided by its mean length.

    Rows of unit length stay as they are. For others it keeps what the views hold, and gives weights of terms such as
    norm(Z)^2 the meaning that they have for rows of unit length, as the papers' data have.
    """
    pairs = zip(data.views, mean_lengths(data), strict=True)
    return [view.matrix if length == 1.0 else view.matrix / length for view, length in pairs]
