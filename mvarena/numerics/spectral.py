"""Eigenvectors of symmetric matrices and operators, with signs fixed by rule, and spectral embeddings."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.sparse.linalg import LinearOperator, eigsh

_DENSE_LIMIT = 400


def fix_signs(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each column with the sign that makes its entry of largest magnitude positive."""
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1.0, signs)


def start_vector(n: int) -> NDArray[np.float64]:
    """A fixed start for Lanczos iterations: the same on every run, orthogonal to no structured vector."""
    return np.random.default_rng(0).standard_normal(n)


def top_eigenvectors(matrix: Any, k: int, *, tol: float = 1e-10) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The k largest (algebraic) eigenvalues, descending, and eigenvectors (n, k) of a symmetric matrix or operator.

    Dense matrices that are small, or of which a large part of the spectrum is asked, go to LAPACK; all others to
    Lanczos (ARPACK), which only multiplies. Cost: O(n^3), or O(k) products.
    """
    n = matrix.shape[0]
    dense = isinstance(matrix, np.ndarray)
    if not dense and not isinstance(matrix, LinearOperator) and not sparse.issparse(matrix):
        matrix = np.asarray(matrix, dtype=np.float64)
        dense = True
    if n <= max(_DENSE_LIMIT, 4 * k):
        full = matrix if dense else _as_dense(matrix, n)
        values, vectors = linalg.eigh(full, subset_by_index=(n - k, n - 1))
    else:
        values, vectors = eigsh(matrix, k=k, which="LA", v0=start_vector(n), tol=tol, ncv=min(n, max(2 * k + 20, 40)))
    order = np.argsort(values)[::-1]
    return values[order], fix_signs(vectors[:, order])


def _as_dense(matrix: Any, n: int) -> NDArray[np.float64]:
    if sparse.issparse(matrix):
        return np.asarray(matrix.toarray())
    full = np.asarray(matrix @ np.eye(n))
    return (full + full.T) / 2


def normalized_embedding(affinity: Any, k: int) -> NDArray[np.float64]:
    """Top k eigenvectors (n, k) of D^-1/2 W D^-1/2 for a nonnegative symmetric affinity W, dense or sparse.

    A sample without any similarity (zero degree) gets a zero row. Cost: one copy of W and O(k) products with it.
    """
    weights = sparse.csr_array(affinity) if sparse.issparse(affinity) else np.asarray(affinity, dtype=np.float64)
    degrees = np.asarray(weights.sum(axis=1)).ravel()
    scale = np.zeros_like(degrees)
    np.divide(1.0, np.sqrt(degrees, where=degrees > 0, out=np.ones_like(degrees)), where=degrees > 0, out=scale)
    if sparse.issparse(weights):
        diagonal = sparse.dia_array((scale[None, :], [0]), shape=weights.shape)
        normalized = sparse.csr_array(diagonal @ weights @ diagonal)
    else:
        normalized = weights * scale[:, None]
        normalized *= scale
    return top_eigenvectors(normalized, k)[1]
