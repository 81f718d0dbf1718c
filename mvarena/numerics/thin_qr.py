"""H = Q R of a tall matrix by products, and by Householder's reflections only where products would lose digits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.linalg import lapack

Array = NDArray[np.float64]

# of H^T H, reciprocal: above the first, Q of one Cholesky decomposition is orthonormal to 1e-12; down to the second a
# decomposition of that Q makes it so
_ONCE, _TWICE = 1e-4, 1e-11
# a product with a sparse matrix takes as long as one with a dense matrix of so many times its entries
_SPARSE_COSTS = 10


def thin_qr(H: Array) -> tuple[Array, Array]:
    """Q (n, r) with orthonormal columns and R (r, p), r = min(n, p), with Q R = H (n, p) of any rank.

    R is upper triangular, its diagonal of either sign. Time O(n p^2), two matrix products where the columns are far
    from dependent; memory 2 n p. Source: Fukaya et al. (2014), CholeskyQR2.
    """
    if H.shape[0] >= H.shape[1]:
        first = _by_cholesky(H)
        if first is not None and first[2] >= _ONCE:
            return first[0], first[1]
        if first is not None:
            second = _by_cholesky(first[0])
            if second is not None and second[2] >= _ONCE:
                return second[0], second[1] @ first[1]
    Q, R = np.linalg.qr(H)
    return Q, R


def _by_cholesky(H: Array) -> tuple[Array, Array, float] | None:
    """(Q, R, the reciprocal condition number of H^T H), or None where that is too small for a decomposition."""
    gram = H.T @ H
    norm = float(np.abs(gram).sum(axis=0).max())
    R, failed = lapack.dpotrf(gram)
    if failed:
        return None
    reciprocal = float(lapack.dpocon(R, norm)[0])
    if not reciprocal >= _TWICE:
        return None
    return linalg.solve_triangular(R, H.T, trans="T", check_finite=False).T, R, reciprocal


def without_surplus_columns(X: Any) -> Any:
    """(n, n) with the same inner products between rows as X (n, d) with d > n; any other matrix as it is.

    What only multiplies X by factors that it fits to X finds in it the same as in X. Dense where X is dense, and where
    it is so little sparse that products with it take longer than with a dense one. Time O(n^2 d + n^3), once.
    """
    n, d = X.shape
    if d <= n or (sparse.issparse(X) and n * n > _SPARSE_COSTS * X.nnz):
        return X
    if not sparse.issparse(X):
        return np.ascontiguousarray(np.asarray(np.linalg.qr(X.T, mode="r")).T)
    values, vectors = np.linalg.eigh((X @ X.T).toarray())
    return vectors * np.sqrt(np.maximum(values, 0.0))
