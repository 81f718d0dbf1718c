"""Rows in single precision, counted with in double precision a block at a time: no double copy of the whole."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.numerics.kernels import row_blocks

Array = NDArray[np.float64]


def is_single(matrix: Any) -> bool:
    """Whether it is a dense matrix of float32."""
    return isinstance(matrix, np.ndarray) and matrix.dtype == np.float32


class SingleRows:
    """An (n, d) float32 array as a factor in products, and its largest and smallest entries, all in float64."""

    def __init__(self, matrix: NDArray[np.float32]) -> None:
        self._matrix = matrix
        self.shape = matrix.shape

    def __matmul__(self, right: Array) -> Array:
        product = np.empty((self.shape[0], *right.shape[1:]))
        for rows in row_blocks(*self.shape):
            product[rows] = self._matrix[rows].astype(np.float64) @ right
        return product

    def max(self, axis: int) -> Array:
        return np.asarray(self._matrix.max(axis=axis), dtype=np.float64)

    def min(self, axis: int) -> Array:
        return np.asarray(self._matrix.min(axis=axis), dtype=np.float64)
