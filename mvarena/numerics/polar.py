"""The polar factor: the nearest matrix with orthonormal columns, which solves max tr(Q^T T)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_GRAM_IS_SAFE = 1e-6
_NULL = 1e-12


def polar_factor(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """U V^T (n, k) of the thin SVD of `matrix` (n, k): the maximiser of tr(Q^T T) over Q^T Q = I.

    Directions in which T vanishes are left out (zero instead of arbitrary vectors), so the result is defined for
    every T, moves with its rows when they are permuted, and is a partial isometry where the rank is below k.
    Tall, well conditioned matrices go through their k x k Gram matrix. Cost O(n k^2).
    """
    n, k = matrix.shape
    if n >= 4 * k:
        squares, basis = np.linalg.eigh(matrix.T @ matrix)
        if squares[0] > _GRAM_IS_SAFE * squares[-1]:
            return np.asarray(matrix @ ((basis / np.sqrt(squares)) @ basis.T))
    if matrix.size == 0:
        return matrix.copy()
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    kept = values > _NULL * values[0] if values[0] > 0 else np.zeros(len(values), dtype=bool)
    return np.asarray(left[:, kept] @ right[kept])
