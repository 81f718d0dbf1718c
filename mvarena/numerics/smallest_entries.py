"""The smallest entries of each row of a matrix, in order, without sorting whole rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_ROWS = 256


def smallest_in_rows(matrix: NDArray[np.float64], m: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(n, m) indices of the smallest entries of each row of `matrix` (n, l), l >= m, ascending, and these entries.

    Of equal ones the first. Time O(n l), memory a block of rows beside the results.
    """
    n = len(matrix)
    columns, values = np.empty((n, m), dtype=np.int64), np.empty((n, m))
    for start in range(0, n, _ROWS):
        block = matrix[start : start + _ROWS]
        bound = np.partition(block, m - 1, axis=1)[:, m - 1, None]
        rows, among = np.nonzero(block <= bound)
        small = block[rows, among]
        order = np.lexsort((small, rows))
        first = np.searchsorted(rows, np.arange(len(block)))
        chosen = order[first[:, None] + np.arange(m)]
        columns[start : start + _ROWS], values[start : start + _ROWS] = among[chosen], small[chosen]
    return columns, values
