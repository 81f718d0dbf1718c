"""Storage of a view in memory: sparse where that pays."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from mvarena.data import Matrix

SPARSE_BELOW = 0.1  # share of non-zeros under which CSR takes less room and time than a dense matrix


def compact(matrix: Any) -> Matrix:
    """An n x d matrix of numbers as float64, CSR if less than a tenth of it is not zero. Cost: one pass."""
    rows, columns = matrix.shape
    if sparse.issparse(matrix):
        stored = sparse.csr_array(matrix, dtype=np.float64)
        return stored if stored.nnz < SPARSE_BELOW * rows * columns else stored.toarray()
    if np.count_nonzero(matrix) < SPARSE_BELOW * rows * columns:
        return sparse.csr_array(matrix, dtype=np.float64)
    return np.asarray(matrix, dtype=np.float64)
