"""Projections and proximal maps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def project_simplex_rows(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row's nearest point (Euclidean) on the probability simplex: nonnegative, summing to 1.

    Parameters
    ----------
    matrix : (n, m), finite, m >= 1.

    Exact, by sorting: O(n m log m) time, two matrices of memory. Source: Held, Wolfe and Crowder (1974).
    """
    # moving a row by a constant moves nothing on the simplex, and keeps digits where all entries are large
    shifted = matrix - matrix.max(axis=1, keepdims=True)
    ordered = -np.sort(-shifted, axis=1)
    excess = np.cumsum(ordered, axis=1) - 1.0
    counts = np.arange(1, matrix.shape[1] + 1)
    support = (ordered * counts > excess).sum(axis=1)
    threshold = excess[np.arange(len(matrix)), support - 1] / support
    return np.maximum(shifted - threshold[:, None], 0.0)
