"""Rescaling the rows or columns of a matrix, dense or CSR; CSR stays CSR wherever zeros stay zeros."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

# eigenvectors are found to about 1e-16 of their largest entries: what is shorter than this share of the longest row of
# an embedding is rounding noise, whose direction means nothing
_EMBEDDING_NOISE = 1e-12
_BLOCK_ROWS = 16_384


def unit_rows(matrix: Any) -> Any:
    """Rows of a dense or CSR (n, d) matrix scaled to unit length; all-zero rows stay zero. Cost O(entries).

    For data, where a row counts however short it is beside the others; an embedding has `unit_embedding`. Dense rows
    are scaled a block at a time; float32 ones stay so, counted with in double precision.
    """
    if isinstance(matrix, np.ndarray) and (matrix.dtype == np.float32 or len(matrix) > _BLOCK_ROWS):
        scaled = np.empty_like(matrix, dtype=np.float32 if matrix.dtype == np.float32 else np.float64)
        for first in range(0, len(matrix), _BLOCK_ROWS):
            rows = slice(first, first + _BLOCK_ROWS)
            scaled[rows] = unit_rows(matrix[rows].astype(np.float64))
        return scaled
    largest = _dense_row(abs(matrix).max(axis=1))
    scaled = scale_rows(matrix, _inverse(largest))  # first by the largest entry: squares neither overflow nor vanish
    squares = scaled.multiply(scaled) if sparse.issparse(scaled) else scaled * scaled
    return scale_rows(scaled, _inverse(np.sqrt(_dense_row(squares.sum(axis=1)))))


def unit_embedding(embedding: Any) -> Any:
    """Rows of an embedding (n, k), dense or CSR, scaled to unit length; rows below 1e-12 of the longest become zero.

    A sample that the embedded graph or kernel says nothing about has a row of rounding noise. Cost O(entries).
    """
    largest = _dense_row(abs(embedding).max(axis=1))  # as good as the length, without squares that vanish
    known = largest > _EMBEDDING_NOISE * largest.max(initial=0.0)
    return unit_rows(scale_rows(embedding, known.astype(np.float64)))


def scale_rows(matrix: Any, factors: NDArray[np.float64]) -> Any:
    """diag(factors) @ matrix."""
    if sparse.issparse(matrix):
        data = matrix.data * np.repeat(factors, np.diff(matrix.indptr))
        return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)
    return matrix * factors[:, None]


def scale_columns(matrix: Any, factors: NDArray[np.float64]) -> Any:
    """matrix @ diag(factors)."""
    if sparse.issparse(matrix):
        return sparse.csr_array((matrix.data * factors[matrix.indices], matrix.indices, matrix.indptr), matrix.shape)
    return matrix * factors


def column_range(matrix: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The smallest and the largest value of each column, zeros that CSR does not store included."""
    return _dense_row(matrix.min(axis=0)), _dense_row(matrix.max(axis=0))


def unit_range(matrix: Any, rows: NDArray[np.bool_]) -> Any:
    """Each column moved and scaled so that its values over `rows` span [0, 1]; constant columns become 0.

    CSR stays CSR unless a column holds negative values beside unstored zeros, which would all become positive.
    Rows outside `rows` hold whatever comes out. Cost O(entries), or O(n d) where the result is dense.
    """
    low, high = column_range(matrix[rows])
    factors = _inverse(high - low)
    if not sparse.issparse(matrix):
        return (matrix - low) * factors
    stored = np.bincount(matrix[rows].indices, minlength=matrix.shape[1])
    if ((low < 0) & (stored < rows.sum())).any():
        return (matrix.toarray() - low) * factors
    shifted = (matrix.data - np.where(high > low, low, 0.0)[matrix.indices]) * factors[matrix.indices]
    return sparse.csr_array((shifted, matrix.indices, matrix.indptr), shape=matrix.shape)


def standard_columns(matrix: Any, rows: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Each column centred and divided by its population standard deviation over `rows`; constant columns become 0.

    The result is dense. Cost O(n d).
    """
    dense = matrix.toarray() if sparse.issparse(matrix) else matrix
    low, high = column_range(dense[rows])
    scaled = (dense - low) * _inverse(high - low)  # a constant column is exactly 0 here, whatever rounding does
    scaled -= scaled[rows].mean(axis=0)
    scaled[:, high == low] = 0.0
    return np.asarray(scaled * _inverse(np.sqrt((scaled[rows] ** 2).mean(axis=0))))


def _inverse(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / values, and 0 where a value is 0."""
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0)


def _dense_row(values: Any) -> NDArray[np.float64]:
    if sparse.issparse(values):
        values = values.toarray()
    return np.asarray(values, dtype=np.float64).ravel()
