"""Factorisations X = H W^T: multiplicative updates, coordinate descent, starts, scaling, residuals.

X is (n, d), dense or CSR, and is only ever multiplied by thin matrices: nothing here makes an n x d array of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator

from mvarena.numerics.row_blocks import RowBlocks
from mvarena.numerics.spectral import top_eigenvectors

Array = NDArray[np.float64]

# what the reference implementations of multiplicative updates put under a fraction
FLOOR = 1e-10
# the share of the largest entry by which coordinate descent still moves one
_MOVED = 1e-12


def positive_part(matrix: Array) -> Array:
    """max(A, 0), so that A = A+ - A-."""
    return np.maximum(matrix, 0.0)


def negative_part(matrix: Array) -> Array:
    """max(-A, 0), so that A = A+ - A-."""
    return np.maximum(-matrix, 0.0)


def ratio_step(factor: Array, attracting: Array, repelling: Array, *, root: bool, floor: float = FLOOR) -> Array:
    """A multiplicative update: factor * attracting / repelling, or the square root of the ratio.

    Parameters
    ----------
    factor, attracting, repelling : same shape, nonnegative: minus and plus the halves of the gradient.
    root : take the square root, which a convex bound of every term allows even where attracting holds the factor.
    floor : the least denominator: what both numbers leave at zero stays zero instead of becoming NaN.

    Source: Lee and Seung (2001); with the root, Ding, Li and Jordan (2010).
    """
    ratio = attracting / np.maximum(repelling, floor)
    return factor * (np.sqrt(ratio) if root else ratio)


def unit_sum_columns(basis: Array, coefficients: Array) -> tuple[Array, Array]:
    """Factors of the same product, the columns of the nonnegative basis with sum 1: (basis / q, coefficients * q)."""
    sums = np.maximum(basis.sum(axis=0), 1e-30)
    return basis / sums, coefficients * sums


def squared_norm(matrix: Any) -> float:
    """|X|_F^2 of a dense or CSR matrix."""
    return float(np.square(matrix.data if hasattr(matrix, "indptr") else matrix).sum())


def squared_residual(norm: float, product: Array, coefficients: Array, basis: Array) -> float:
    """|X - H W^T|_F^2 from `norm` = |X|_F^2 and `product` = X W (n, k); never below 0.

    Accurate to about 1e-15 |X|_F^2, which is what monotone steps are compared with. Cost O((n + d) k^2).
    """
    cross = float(np.vdot(product, coefficients))
    fitted = float(np.vdot(coefficients.T @ coefficients, basis.T @ basis))
    return max(norm - 2.0 * cross + fitted, 0.0)


# Plain nonnegative factorisation by multiplicative updates.


def lee_seung(matrix: Any, coefficients: Array, basis: Array, steps: int) -> tuple[Array, Array]:
    """`steps` multiplicative updates of both factors of min |X - H W^T|^2, H, W >= 0, basis columns summing to 1.

    Parameters
    ----------
    matrix : (n, d) X >= 0, dense or CSR. coefficients : (n, k) H. basis : (d, k) W; both positive.

    Returns (H, W). The objective never rises. Cost O(nnz(X) k + (n + d) k^2) per step, in one pass over the rows.
    Source: Lee and Seung (2001).
    """
    basis, coefficients = unit_sum_columns(basis, coefficients)
    coefficients = np.ascontiguousarray(coefficients)
    blocks = RowBlocks([matrix], basis.shape[1])
    X, H = blocks.of(matrix), blocks.of(coefficients)
    with blocks.side_by_side() as summed:
        for _ in range(steps):
            attracting, gram = summed(_RowStep(basis), X, H)
            basis = ratio_step(basis, attracting, basis @ gram, root=False)
    basis, coefficients = unit_sum_columns(basis, coefficients)
    return coefficients, basis


class _RowStep:
    """A step of the rows' coefficients, in place, and of what the basis follows by: X^T H and H^T H."""

    def __init__(self, basis: Array) -> None:
        self._basis, self._gram = basis, basis.T @ basis

    def __call__(self, X: Any, H: Array) -> tuple[Array, Array]:
        H[:] = ratio_step(H, np.asarray(X @ self._basis), H @ self._gram, root=False)
        return np.asarray(X.T @ H), H.T @ H


# Nonnegative least squares of many rows by coordinate descent.


def coordinate_descent(factor: Array, gram: Array, target: Array, *, l1: float = 0.0, sweeps: int = 500) -> Array:
    """min over H >= 0 of |X - H W^T|^2 + l1 sum(H), row by row and exactly, column of H after column.

    Parameters
    ----------
    factor : (n, k) start. gram : (k, k) = W^T W. target : (n, k) = X W. l1 : penalty on the sum of the entries.
    sweeps : at most so many passes over the columns; they end when no entry moves by more than 1e-12 of the largest.

    A column of W that is zero leaves its column of H at 0 where l1 > 0, else as it was. Cost O(n k^2) per sweep, in
    one pass over the rows; memory: two copies of the factor. Source: cyclic form of Hsieh and Dhillon (2011); every
    pass lowers the objective.
    """
    # whole columns are moved: of a block they lie side by side
    factor, slope = np.array(factor, order="F"), np.asarray(target - l1 / 2, order="F")
    blocks = RowBlocks([factor], factor.shape[1])
    sweep = partial(_sweep, gram=gram, clear=l1 > 0)
    rows, slopes = blocks.of(factor), blocks.of(slope)
    with blocks.side_by_side() as summed:
        for _ in range(sweeps):
            moved, largest = summed(sweep, rows, slopes)
            if max(moved) <= _MOVED * max(largest):
                break
    return np.ascontiguousarray(factor)


def _sweep(factor: Array, slope: Array, *, gram: Array, clear: bool) -> tuple[list[float], list[float]]:
    """Move each column of (b, k) in place; lists of one: by how much an entry moved at most, and the largest entry."""
    moved = 0.0
    for column, weights in enumerate(gram.T):
        curvature, old = weights[column], factor[:, column]
        if curvature > 0:
            updated = weights @ factor.T
            updated -= slope[:, column]
            updated /= -curvature
            updated += old
            np.maximum(updated, 0.0, out=updated)
        else:
            updated = np.zeros(len(factor)) if clear else old.copy()
        old -= updated
        moved = max(moved, float(np.abs(old, out=old).max(initial=0.0)))
        factor[:, column] = updated
    return [moved], [float(factor.max(initial=0.0))]


# Deterministic starts for factorisations, from the leading singular vectors: a permutation of rows permutes them.

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
