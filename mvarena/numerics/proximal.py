"""Projections and proximal maps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from mvarena.numerics.eigen import Real, eigenpairs_above

# up to this share of all eigenvectors, LAPACK's subset driver beats the one that computes all of them
_SUBSET_PAYS = 0.2
# above this share, V_r f V_r^T as one symmetric product and its product with M cost less than two with V_r
_MANY = 0.8
# relative to the largest, in units of rounding: what of a squared singular value rounding may have made up
_SQUARING_COSTS = 10
_ROWS = 256  # sorted at a time, so that the copy stays small


def project_simplex_rows(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row's nearest point (Euclidean) on the probability simplex: nonnegative, summing to 1.

    matrix : (n, m), finite, m >= 1. Exact, by sorting: O(n m log m) time, memory of one result. Source: Held, Wolfe and
    Crowder (1974).
    """
    projected = np.empty(matrix.shape)
    counts = np.arange(1, matrix.shape[1] + 1)
    for start in range(0, len(matrix), _ROWS):
        rows = matrix[start : start + _ROWS]
        # moving a row by a constant moves nothing on the simplex, and keeps digits where all entries are large
        shifted = rows - rows.max(axis=1, keepdims=True)
        ordered = np.sort(shifted, axis=1)[:, ::-1]
        excess = np.cumsum(ordered, axis=1) - 1.0
        support = (ordered * counts > excess).sum(axis=1)
        threshold = excess[np.arange(len(rows)), support - 1] / support
        projected[start : start + _ROWS] = np.maximum(shifted - threshold[:, None], 0.0)
    return projected


def soft_threshold(matrix: NDArray[Real], tau: float | NDArray[Real]) -> NDArray[Real]:
    """sign(x) max(|x| - tau, 0) entry by entry: the proximal map of tau norm1.

    Parameters
    ----------
    matrix : any shape. tau : at least 0, a number or an array that broadcasts against `matrix`.

    Time and memory: a few passes, two arrays.
    """
    # x minus its part within [-tau, tau]
    return matrix - np.clip(matrix, -tau, tau)


def singular_value_threshold(
    matrix: NDArray[Real], tau: float, *, rank_hint: int | None = None, squared: bool = False
) -> tuple[NDArray[Real], NDArray[Real]]:
    """U max(S - tau, 0) V^T for matrix = U S V^T: the proximal map of tau times the trace norm.

    Parameters
    ----------
    matrix : (n, m), dense, finite, in double or single precision. tau : at least 0.
    rank_hint : how many singular values are about to exceed `tau`, if known, as from the step before; it decides
        which eigen-solver runs first and never changes the result beyond rounding.
    squared : never an SVD, at the price below.

    Returns the matrix (n, m) and the (r,) positive singular values that it keeps, descending, less `tau`.

    With G = M^T M = V S^2 V^T the map is M V_r diag(1 - tau / s) V_r^T over the s > tau, so that one symmetric
    eigenproblem of the shorter side p replaces an SVD, in about half of its time. As V is orthogonal to rounding,
    what differs from the SVD is of the order of eps s_1^2 / tau; where that could reach a tenth of tau, an SVD it is,
    unless squared=True: then singular values below sqrt(eps) s_1 (1e-8 s_1, 3e-4 s_1 in single precision) are noise,
    and the result is exact to that.
    Time O(n m p + p^3), memory p^2 + p r and the result.
    """
    if matrix.shape[0] < matrix.shape[1]:
        transposed, kept = singular_value_threshold(matrix.T, tau, rank_hint=rank_hint, squared=squared)
        return transposed.T, kept
    values, vectors = right_singular_pairs(matrix, tau, rank_hint=rank_hint, squared=squared)
    left, right = shrunk_factors(matrix, values, vectors, tau)
    return left @ right.T, np.maximum(values - tau, 0.0)[::-1]


def shrunk_factors(
    matrix: NDArray[Real], values: NDArray[Real], vectors: NDArray[Real], tau: float
) -> tuple[NDArray[Real], NDArray[Real]]:
    """(left, right) with M V diag(1 - tau / s) V^T = left @ right.T, for the pairs (s, V) above tau of M (n, m).

    (n, r) and (m, r), or, where that costs less, M itself and an (m, m) matrix. `vectors` may be overwritten.
    """
    # in single precision a value above tau may be rounded to less
    shares = np.maximum(1.0 - tau / values, 0.0)
    if len(values) > _MANY * matrix.shape[1]:
        vectors *= np.sqrt(shares)
        return matrix, vectors @ vectors.T
    left = matrix @ vectors
    left *= shares
    return left, vectors


def right_singular_pairs(
    matrix: NDArray[Real], tau: float, *, rank_hint: int | None = None, squared: bool = False
) -> tuple[NDArray[Real], NDArray[Real]]:
    """(r,) singular values above tau, ascending, and (m, r) their right singular vectors.

    Arguments and accuracy as for `singular_value_threshold`, n >= m. Time O(n m^2 + m^3), memory 3 m^2 with LAPACK's,
    or an SVD's.
    """
    gram = matrix.T @ matrix
    m = len(gram)
    requested = m if rank_hint is None else 2 * rank_hint + 1
    enough = False
    # in single precision that driver takes five times as long as the other
    if requested <= _SUBSET_PAYS * m and gram.dtype == np.float64:
        squares, vectors = linalg.eigh(gram, subset_by_index=(m - requested, m - 1), check_finite=False)
        enough = bool(squares[0] <= tau * tau)
        first = int(np.searchsorted(squares, tau * tau, side="right"))
        squares, vectors = squares[first:], vectors[:, first:]
    if not enough:
        squares, vectors = eigenpairs_above(gram, tau * tau)
    del gram
    noise = _SQUARING_COSTS * np.finfo(matrix.dtype).eps
    if not squared and len(squares) and tau * tau < noise * squares[-1]:
        del vectors
        _, values, right = linalg.svd(matrix, full_matrices=False, check_finite=False)
        rank = int(np.count_nonzero(values > tau))
        return values[:rank][::-1], right[:rank][::-1].T
    return np.sqrt(squares), vectors
