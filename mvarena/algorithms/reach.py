"""The reach of a Gaussian similarity exp(-d^2 / reach^2): the distance at which it has fallen to 1/e."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.parameters import Positive
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
