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
    return _parts(matrix)[0]


def _parts(matrix: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """U V^T of the thin SVD of a matrix (n, k) of rank r, U (n, r), and the right singular vectors of values of 0.

    U is empty where the Gram matrix gives the factor.
    """
    n, k = matrix.shape
    if n >= 4 * k:
        squares, basis = np.linalg.eigh(matrix.T @ matrix)
        if squares[0] > _GRAM_IS_SAFE * squares[-1]:
            return np.asarray(matrix @ ((basis / np.sqrt(squares)) @ basis.T)), np.empty((n, 0)), np.empty((0, k))
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    kept = values > _NULL * values.max(initial=0.0)
    return np.asarray(left[:, kept] @ right[kept]), left[:, kept], right[~kept]


# The polar factor of matrices that may lack rank: what the matrix leaves open follows a second one.


def completed_polar(matrix: NDArray[np.float64], near: NDArray[np.float64]) -> NDArray[np.float64]:
    """Q (n, k), Q^T Q = I, that maximises tr(Q^T T) for T = `matrix` (n, k), n >= k.

    Where T has full column rank there is one such Q, U V^T of its thin SVD. Otherwise many do, and of these the
    nearest to `near` (n, k) is taken, so that an iteration that hands in its last value moves no direction without a
    reason; what `near` leaves open, too, follows fixed pseudo-random numbers. Cost O(n k^2).
    """
    factor, left, unset = _parts(matrix)
    if not len(unset):
        return factor
    return np.asarray(factor + _apart_from(left, near @ unset.T) @ unset)


def _apart_from(basis: NDArray[np.float64], wanted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Orthonormal columns (n, c), orthogonal to `basis` (n, r), nearest to `wanted` (n, c)."""
    rest = _without(basis, wanted)
    left, values, right = np.linalg.svd(rest, full_matrices=False)
    kept = values > np.sqrt(_NULL) * max(float(np.linalg.norm(wanted)), np.finfo(float).tiny)
    value = left[:, kept] @ right[kept]
    if kept.all():
        return np.asarray(value)
    drawn = np.random.default_rng(0).standard_normal((len(wanted), int((~kept).sum())))
    fresh = np.linalg.qr(_without(np.hstack([basis, left[:, kept]]), drawn))[0]
    return np.asarray(value + fresh @ right[~kept])


def _without(basis: NDArray[np.float64], columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """The columns less their part in the span of the orthonormal basis; twice, as rounding leaves some of it."""
    for _ in range(2):
        columns = columns - basis @ (basis.T @ columns)
    return columns
