"""Deterministic starts for factorisations, from the leading singular vectors: a permutation of rows permutes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator

from mvarena.numerics.spectral import top_eigenvectors

Array = NDArray[np.float64]

# singular values come as roots of eigenvalues, so below this share of the largest they are rounding noise
_RANK_TOLERANCE = 1e-7
_DENSE_GRAM_UP_TO = 3000


def side_by_side(matrices: Sequence[Any]) -> Any:
    """The columns of all matrices (n, d_v) in one: CSR if any of them is sparse."""
    if any(sparse.issparse(matrix) for matrix in matrices):
        return sparse.csr_array(sparse.hstack([sparse.csr_array(matrix) for matrix in matrices]))
    return np.hstack(list(matrices))


def leading_singular_triples(matrix: Any, k: int) -> tuple[Array, Array, Array]:
    """(left (n, r), values (r,), right (d, r)): the r <= k leading singular triples, r the numerical rank if below k.

    Goes through the smaller Gram matrix, so it is meant for starts and embeddings, not for tiny singular values.
    Cost O(nnz min(n, d) + min(n, d)^3), or O(k) products with X where min(n, d) > 3000.
    """
    n, d = matrix.shape
    wide = d > n
    k = min(k, n, d)
    values, vectors = top_eigenvectors(_gram(matrix, wide), k)
    values = np.sqrt(np.maximum(values, 0.0))
    kept = values > _RANK_TOLERANCE * max(float(values.max(initial=0.0)), np.finfo(float).tiny)
    values, vectors = values[kept], vectors[:, kept]
    others = np.asarray((matrix.T if wide else matrix) @ vectors) / values
    return (vectors, values, others) if wide else (others, values, vectors)


def _gram(matrix: Any, wide: bool) -> Any:
    small = min(matrix.shape)
    if small <= _DENSE_GRAM_UP_TO:
        gram = matrix @ matrix.T if wide else matrix.T @ matrix
        return np.asarray(gram.toarray() if sparse.issparse(gram) else gram)

    def product(vector: Array) -> Array:
        inner = matrix.T @ vector if wide else matrix @ vector
        return np.asarray(matrix @ inner if wide else matrix.T @ inner)

    return LinearOperator((small, small), matvec=product, matmat=product, dtype=np.float64)


def nndsvd(matrix: Any, k: int, *, fill: Literal["zero", "mean"] = "zero") -> tuple[Array, Array]:
    """The NNDSVD start of a nonnegative factorisation: (H (n, k), W (d, k)), H W^T near X.

    Parameters
    ----------
    matrix : (n, d) dense or CSR; entries of either sign are taken, of which only nonnegative parts are kept.
    k : columns; beyond the rank of X they are empty, that is zero or, with fill="mean", constant.
    fill : what stands where the decomposition has zeros: "zero" (they stay zero under multiplicative updates) or
        "mean", the mean entry of X (NNDSVDa).

    Source: Boutsidis and Gallopoulos (2008), Fig. 1. Cost: that of the singular triples.
    """
    left, values, right = leading_singular_triples(matrix, k)
    coefficients, basis = np.zeros((matrix.shape[0], k)), np.zeros((matrix.shape[1], k))
    for j, value in enumerate(values):
        u, v = _larger_section(left[:, j], right[:, j])
        weight = float(np.linalg.norm(u) * np.linalg.norm(v))
        if weight > 0:
            scale = np.sqrt(value * weight)
            coefficients[:, j] = scale * u / np.linalg.norm(u)
            basis[:, j] = scale * v / np.linalg.norm(v)
    if fill == "mean":
        mean = abs(float(matrix.sum())) / (matrix.shape[0] * matrix.shape[1])
        mean = mean if mean > 0 else 1.0
        coefficients[coefficients <= 0] = np.sqrt(mean)
        basis[basis <= 0] = np.sqrt(mean)
    return coefficients, basis


def _larger_section(u: Array, v: Array) -> tuple[Array, Array]:
    """The nonnegative section of u v^T with the larger norm: (u+, v+) or (u-, v-)."""
    positive = np.maximum(u, 0.0), np.maximum(v, 0.0)
    negative = np.maximum(-u, 0.0), np.maximum(-v, 0.0)
    sizes = [float(np.linalg.norm(a) * np.linalg.norm(b)) for a, b in (positive, negative)]
    return positive if sizes[0] >= sizes[1] else negative
