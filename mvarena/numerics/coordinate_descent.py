"""Nonnegative least squares of many rows by coordinate descent."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from mvarena.numerics.row_passes import RowBlocks

Array = NDArray[np.float64]


def coordinate_descent(
    factor: Array, gram: Array, target: Array, *, l1: float = 0.0, sweeps: int = 500, tol: float = 1e-12
) -> Array:
    """min over H >= 0 of |X - H W^T|^2 + l1 sum(H), row by row and exactly, column of H after column.

    Parameters
    ----------
    factor : (n, k) start. gram : (k, k) = W^T W. target : (n, k) = X W. l1 : penalty on the sum of the entries.
    sweeps : at most so many passes over the columns. tol : stop when no entry moves by more than this share of
        the largest one.

    A column of W that is zero leaves its column of H at 0 where l1 > 0, else as it was. Cost O(n k^2) per sweep, in
    one pass over the rows; memory: two copies of the factor. Source: cyclic form of Hsieh and Dhillon (2011); every
    pass lowers the objective.
    """
    # whole columns are moved: of a block they lie side by side
    factor, slope = np.array(factor, order="F"), np.asarray(target - l1 / 2, order="F")
    blocks = RowBlocks([factor], factor.shape[1])
    sweep = partial(_sweep, gram=gram, clear=l1 > 0)
    rows, slopes = blocks.of(factor), blocks.of(slope)
    with blocks.side_by_side() as summed:
        for _ in range(sweeps):
            moved, largest = summed(sweep, rows, slopes)
            if max(moved) <= tol * max(largest):
                break
    return np.ascontiguousarray(factor)


def _sweep(factor: Array, slope: Array, *, gram: Array, clear: bool) -> tuple[list[float], list[float]]:
    """Move each column of (b, k) in place; lists of one: by how much an entry moved at most, and the largest entry."""
    moved = 0.0
    for column, weights in enumerate(gram.T):
        curvature, old = weights[column], factor[:, column]
        if curvature > 0:
            updated = weights @ factor.T
            updated -= slope[:, column]
            updated /= -curvature
            updated += old
            np.maximum(updated, 0.0, out=updated)
        else:
            updated = np.zeros(len(factor)) if clear else old.copy()
        old -= updated
        moved = max(moved, float(np.abs(old, out=old).max(initial=0.0)))
        factor[:, column] = updated
    return [moved], [float(factor.max(initial=0.0))]
