"""Low rank: singular value thresholding, thin QR, factors of kernels, leading singular vectors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.linalg import lapack
from scipy.sparse.linalg import LinearOperator

from mvarena.numerics.assignment import canonical_order
from mvarena.numerics.eigen import Real, leading_eigenpairs, start_block
from mvarena.numerics.float32 import SingleFactor, is_single
from mvarena.numerics.kernels import (
    gaussian,
    inverse_lengths,
    median_distance,
    row_blocks,
    squared_distances,
    squared_norms,
)
from mvarena.numerics.proximal import right_singular_pairs, shrunk_factors
from mvarena.numerics.spectral import fix_signs, top_eigenvectors

_DENSE_LIMIT = 400
_GUARD = 8
# a partial search is made for at most this part of all singular values; more of them come from all together
_FEW = 16
# so many restarts cost about as much as the LAPACK driver for a few eigenvectors
_MAX_ROUNDS = 8


@dataclass(frozen=True, eq=False, slots=True)
class LowRankMatrix:
    """A matrix left @ right.T as its factors (n, r), with r = n where its rank is not small.

    `left` may be the matrix that was thresholded itself: rows are to be asked for before those of it are changed.
    """

    left: NDArray[np.float64] | NDArray[np.float32]
    right: NDArray[np.float64] | NDArray[np.float32]
    trace_norm: float

    def rows(self, rows: slice) -> NDArray[np.float64]:
        """These rows of the matrix, in double precision."""
        return np.asarray(self.left[rows] @ self.right.T, dtype=np.float64)


@dataclass(slots=True)
class SingularThreshold:
    """The proximal map of the trace norm for matrices that change little from one call to the next.

    growth : how many more values may exceed the threshold from one call to the next, as a share of those that do: a
        partial search that finds none at or below it has to be made again, for all of them.
    """

    growth: float = 0.0
    _right: NDArray[np.float64] | None = field(default=None)
    _many: bool = field(default=False)

    def __call__(self, M: NDArray[np.float64], t: float, *, tol: float = 1e-7, single: bool = False) -> LowRankMatrix:
        """argmin over Q of t norm_*(Q) + norm(Q - M)^2 / 2 for a square M (n, n).

        tol : residual of the singular pairs of M^T M, relative to its norm, where a partial search is made; an early
            step of an iteration that corrects itself needs no small one. For n > 400 all pairs are those of M^T M, so
            that singular values below 1e-7 of the largest are lost in rounding: Q is exact to that.
        single : where no partial search is made, all is done in single precision, at half of the time: Q is of float32,
            and exact to 1e-7 s_1^2 / t for the largest singular value s_1.

        Cost: O(n^2 r) for r singular values above t, O(n^3) when r is not small beside n; memory 4 n r, or 3 n^2.
        """
        if self._right is None and not self._many and _norm_bound(M) <= t:
            nothing = np.zeros((len(M), 0))
            return LowRankMatrix(nothing, nothing, 0.0)
        if single and self._many:
            coarse = M.astype(np.float32)
            return self._kept(coarse, t, *right_singular_pairs(coarse, t, squared=True))
        return self._kept(M, t, *self._pairs(M, t, tol))

    def _kept(self, M: NDArray[Real], t: float, values: NDArray[Real], right: NDArray[Real]) -> LowRankMatrix:
        """The matrix of these singular pairs less t, and what the next search starts from."""
        n, rank = len(M), len(values)
        self._many = rank > 0 and rank + _GUARD > n // _FEW
        self._right = right.astype(np.float64, copy=False) if rank and not self._many else None
        return LowRankMatrix(*shrunk_factors(M, values, right, t), trace_norm=float(np.sum(values - t)))

    def _pairs(self, M: NDArray[np.float64], t: float, tol: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The singular values above t, in any order, and their right singular vectors."""
        n = len(M)
        # small matrices cost nothing, and are found exactly
        squared = n > _DENSE_LIMIT
        if self._many:
            return right_singular_pairs(M, t, squared=squared)
        rank = 0 if self._right is None else self._right.shape[1]
        guard = _GUARD + int(self.growth * rank)
        if n > _DENSE_LIMIT:
            result = leading_eigenpairs(
                lambda X: M.T @ (M @ X),
                start_block(n, rank + guard, self._right),
                rank + guard // 2,
                tol=tol,
                depth=2,
                max_rounds=_MAX_ROUNDS,
            )
            values = np.sqrt(np.maximum(result.values, 0.0))
            above = values > t
            # one that is not above shows that none is missed
            if result.residual <= tol and not above.all():
                return values[above], result.vectors[:, above]
            if above.all():
                # Ritz values are too small, if anything: there are more than a few
                rank = n
        return right_singular_pairs(M, t, rank_hint=max(rank, _GUARD), squared=squared)


def _norm_bound(M: NDArray[np.float64]) -> float:
    """An upper bound of the largest singular value: sqrt(norm_1 norm_inf) or the Frobenius norm. Cost O(n^2)."""
    frobenius = float(np.linalg.norm(M))
    sums = np.zeros(M.shape[1])
    largest = 0.0
    for row in M:
        magnitudes = np.abs(row)
        sums += magnitudes
        largest = max(largest, float(magnitudes.sum()))
    return min(frobenius, float(np.sqrt(sums.max() * largest)))


# H = Q R of a tall matrix by products, and by Householder's reflections only where products would lose digits.

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


# Factors Phi with Phi Phi^T = a centred, normalised kernel: its leading eigenvectors without an n x n matrix.
#
# A factor is a dense (n, d) array, or for features that are sparse or float32 a LinearOperator that centres on the fly.

_GRAM_LIMIT = 1000
_MEDIAN_ROWS = 1000
RANK_TOLERANCE = 1e-10


def centred_unit_factor(features: Any, *, overwrite: bool = False) -> Any:
    """Phi (n, d): the rows of `features` minus their mean, scaled to unit length.

    Phi Phi^T is the linear kernel, centred and normalised. Rows at the mean become zero. Sparse features stay sparse,
    and float32 ones stay as they are: their factor counts in double precision, block by block.

    Cost O(n d), for sparse features O(nnz).
    """
    if sparse.issparse(features):
        return _sparse_factor(sparse.csr_array(features))
    if is_single(features):
        return SingleFactor(features)
    mean = features.mean(axis=0)
    size = float(squared_norms(features).max())
    centred = np.subtract(features, mean, out=features if overwrite else None)
    centred *= inverse_lengths(squared_norms(centred), size)[:, None]
    return centred


def _sparse_factor(features: Any) -> LinearOperator:
    n, d = features.shape
    mean = np.asarray(features.sum(axis=0)).ravel() / n
    own = squared_norms(features)
    scale = inverse_lengths(own - 2 * (features @ mean) + mean @ mean, float(own.max()))
    transposed = features.T.tocsr()

    def forward(right: NDArray[np.float64]) -> NDArray[np.float64]:
        product = features @ right - mean @ right
        return np.asarray(product * (scale if product.ndim == 1 else scale[:, None]))

    def backward(left: NDArray[np.float64]) -> NDArray[np.float64]:
        scaled = left * (scale if left.ndim == 1 else scale[:, None])
        total = scaled.sum(axis=0)
        return np.asarray(transposed @ scaled - (mean * total if left.ndim == 1 else np.outer(mean, total)))

    return LinearOperator(
        (n, d), matvec=forward, rmatvec=backward, matmat=forward, rmatmat=backward, dtype=np.dtype(np.float64)
    )


def nystrom_features(features: Any, sigma: float, n_components: int, seed: int) -> NDArray[np.float64]:
    """F (n, m) with F F^T = K_nm K_mm^+ K_mn, the Nystrom form of the Gaussian kernel on m landmark rows.

    Landmarks are distinct rows drawn by content; with m = n the kernel is exact. Cost O(n m (d + m)), memory n m.
    Source: Williams and Seeger, NIPS 2001.
    """
    n = features.shape[0]
    landmarks = features[_drawn_by_content(features, min(n_components, n), seed)]
    values, vectors = linalg.eigh(gaussian(squared_distances(landmarks), 2 * sigma**2))
    kept = values > RANK_TOLERANCE * values[-1]
    whitening = vectors[:, kept] / np.sqrt(values[kept])
    mapped = np.empty((n, whitening.shape[1]))
    for rows in row_blocks(n, landmarks.shape[0]):
        similarities = gaussian(squared_distances(features[rows], landmarks), 2 * sigma**2)
        np.matmul(similarities, whitening, out=mapped[rows])
    return mapped


def median_length(features: Any) -> float:
    """The median Euclidean distance between rows (n, d), over at most 1000 of them that are drawn by content."""
    if features.shape[0] > _MEDIAN_ROWS:
        features = features[_drawn_by_content(features, _MEDIAN_ROWS, seed=0)]
    return median_distance(features)


def _drawn_by_content(features: Any, count: int, seed: int) -> NDArray[np.int64]:
    """Rows drawn at random by what they hold, not where they stand: a permutation of the rows changes nothing."""
    return np.asarray(np.random.default_rng(seed).permutation(canonical_order(features))[:count])


def top_left_vectors(factor: Any, k: int) -> NDArray[np.float64]:
    """The leading k left singular vectors (n, k) of a factor (n, d): the top eigenvectors of Phi Phi^T.

    Columns beyond the numerical rank are zero. The eigenproblem is solved on the smaller side, through a Gram matrix
    up to 1000 x 1000 and by Lanczos products beyond. Cost O(n d min(n, d)), or O(k) products with the factor.
    """
    n, d = factor.shape
    wanted = min(k, n, d)
    small = factor.T if d <= n else factor
    if isinstance(factor, SingleFactor) and d <= min(n, _GRAM_LIMIT):
        square: Any = factor.gram()
    elif isinstance(factor, np.ndarray) and min(n, d) <= _GRAM_LIMIT:
        square = small @ small.T
    else:
        square = _gram_operator(small)
    values, vectors = top_eigenvectors(square, wanted)
    kept = values > RANK_TOLERANCE * values[0] if values[0] > 0 else np.zeros(wanted, dtype=bool)
    vectors = vectors[:, kept]
    if d <= n:
        vectors = _orthonormal(factor @ (vectors / np.sqrt(values[kept])))
    padded = np.zeros((n, k))
    padded[:, : vectors.shape[1]] = fix_signs(vectors) if vectors.shape[1] else 0.0
    return padded


def top_kernel_vectors(kernel: Any, k: int) -> NDArray[np.float64]:
    """The top k eigenvectors (n, k) of a kernel matrix (n, n), with zero columns beyond its numerical rank."""
    n = kernel.shape[0]
    wanted = min(k, n)
    values, vectors = top_eigenvectors(kernel, wanted)
    padded = np.zeros((n, k))
    kept = np.flatnonzero(values > RANK_TOLERANCE * max(float(values[0]), 0.0))
    padded[:, kept] = vectors[:, kept]
    return padded


def _gram_operator(small: Any) -> LinearOperator:
    tall = small.T

    def product(right: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(small @ (tall @ right))

    side = small.shape[0]
    return LinearOperator((side, side), matvec=product, matmat=product, dtype=np.dtype(np.float64))


def _orthonormal(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cholesky QR: removes what the division by small singular values has added; leading columns change least."""
    if vectors.shape[1] == 0:
        return vectors
    factor = linalg.cholesky(vectors.T @ vectors, lower=True)
    return np.asarray(vectors @ linalg.inv(factor).T)
