"""Rows in single precision, counted with in double precision a block at a time: no double copy of the whole."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator

from mvarena.numerics.kernels import inverse_lengths, row_blocks, squared_norms

Array = NDArray[np.float64]


def is_single(matrix: Any) -> bool:
    """True if it is a dense matrix of float32."""
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


# The factor of a centred, normalised linear kernel of rows in single precision, of which no double copy is made.


class SingleFactor(LinearOperator):  # type: ignore[misc]
    """Phi (n, d): rows of a float32 array minus their mean, scaled to unit length; rows at the mean are 0.

    Parameters
    ----------
    matrix : float32 with d columns. chosen : (n,) its rows that count, in ascending order; None: all.

    The array is read where it is, block by block, in each product; nothing but a number per row is held beside it.
    """

    def __init__(self, matrix: NDArray[np.float32], chosen: NDArray[np.int64] | None = None) -> None:
        n = len(matrix) if chosen is None else len(chosen)
        super().__init__(np.dtype(np.float64), (n, matrix.shape[1]))
        self._matrix, self._chosen = matrix, chosen
        self._mean = np.zeros(matrix.shape[1])
        for rows in row_blocks(*self.shape):
            self._mean += self._read(rows).sum(axis=0, dtype=np.float64) / n
        squares, size = np.empty(n), 0.0
        for rows in row_blocks(*self.shape):
            block = self._read(rows).astype(np.float64)
            size = max(size, float(squared_norms(block).max()))
            block -= self._mean
            squares[rows] = squared_norms(block)
        self._scale = inverse_lengths(squares, size)

    def _read(self, rows: slice) -> NDArray[np.float32]:
        return self._matrix[rows if self._chosen is None else self._chosen[rows]]

    def _block(self, rows: slice) -> Array:
        block = self._read(rows) - self._mean
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
