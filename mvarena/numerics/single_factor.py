"""The factor of a centred, normalised linear kernel of rows in single precision, of which no double copy is made."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator

from mvarena.numerics.kernel_forms import inverse_lengths
from mvarena.numerics.kernels import row_blocks, squared_norms

Array = NDArray[np.float64]


class SingleFactor(LinearOperator):  # type: ignore[misc]
    """Phi (n, d): the rows of a float32 array (n, d) minus their mean, scaled to unit length; rows at the mean are 0.

    The array is read, block by block, in each product; nothing but a number per row is held beside it.
    """

    def __init__(self, matrix: NDArray[np.float32]) -> None:
        super().__init__(np.dtype(np.float64), matrix.shape)
        self._matrix = matrix
        self._mean = np.asarray(matrix.mean(axis=0, dtype=np.float64))
        squares, size = np.empty(len(matrix)), 0.0
        for rows in row_blocks(*matrix.shape):
            block = matrix[rows].astype(np.float64)
            size = max(size, float(squared_norms(block).max()))
            block -= self._mean
            squares[rows] = squared_norms(block)
        self._scale = inverse_lengths(squares, size)

    def _block(self, rows: slice) -> Array:
        block = self._matrix[rows] - self._mean
        block *= self._scale[rows, None]
        return block

    def gram(self) -> Array:
        """Phi^T Phi (d, d). Cost O(n d^2)."""
        total = np.zeros((self.shape[1], self.shape[1]))
        for rows in row_blocks(*self.shape):
            block = self._block(rows)
            total += block.T @ block
        return total

    def _matmat(self, right: Array) -> Array:
        product = np.empty((self.shape[0], right.shape[1]))
        for rows in row_blocks(*self.shape):
            product[rows] = self._block(rows) @ right
        return product

    def _matvec(self, right: Array) -> Array:
        return self._matmat(right.reshape(-1, 1)).ravel()

    def _rmatmat(self, left: Array) -> Array:
        total = np.zeros((self.shape[1], left.shape[1]))
        for rows in row_blocks(*self.shape):
            total += self._block(rows).T @ left[rows]
        return total

    def _rmatvec(self, left: Array) -> Array:
        return self._rmatmat(left.reshape(-1, 1)).ravel()
