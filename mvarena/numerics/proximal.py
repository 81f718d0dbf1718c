"""Projections and proximal maps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def project_simplex_rows(matrix: NDArray[np.float64], *, block: int = 256) -> NDArray[np.float64]:
    """Each row's nearest point (Euclidean) on the probability simplex: nonnegative, summing to 1.

    Parameters
    ----------
    matrix : (n, m), finite, m >= 1. block : rows worked on at a time, so that the sorted copy stays small.

    Exact, by sorting: O(n m log m) time, memory of one result. Source: Held, Wolfe and Crowder (1974).
    """
    projected = np.empty(matrix.shape)
    counts = np.arange(1, matrix.shape[1] + 1)
    for start in range(0, len(matrix), block):
        rows = matrix[start : start + block]
        # moving a row by a constant moves nothing on the simplex, and keeps digits where all entries are large
        shifted = rows - rows.max(axis=1, keepdims=True)
        ordered = np.sort(shifted, axis=1)[:, ::-1]
        excess = np.cumsum(ordered, axis=1) - 1.0
        support = (ordered * counts > excess).sum(axis=1)
        threshold = excess[np.arange(len(rows)), support - 1] / support
        projected[start : start + block] = np.maximum(shifted - threshold[:, None], 0.0)
    return projected
