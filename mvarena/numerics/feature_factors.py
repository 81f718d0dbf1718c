"""Factors Phi with Phi Phi^T = a centred, normalised kernel: its leading eigenvectors without an n x n matrix.

A factor is a dense (n, d) array, or for features that are sparse or float32 a LinearOperator that centres on the fly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.sparse.linalg import LinearOperator

from mvarena.numerics.assignment import canonical_order
from mvarena.numerics.kernel_forms import inverse_lengths
from mvarena.numerics.kernels import gaussian, median_distance, row_blocks, squared_distances, squared_norms
from mvarena.numerics.single_factor import SingleFactor
from mvarena.numerics.single_rows import is_single
from mvarena.numerics.spectral import fix_signs, top_eigenvectors

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


def random_fourier_features(features: Any, sigma: float, n_components: int, seed: int) -> NDArray[np.float64]:
    """F (n, m) with E[F F^T] = the Gaussian kernel: sqrt(2/m) cos(X w / sigma + b), w normal, b uniform.

    Cost O(n m d), memory n m. Source: Rahimi and Recht, NIPS 2007.
    """
    rng = np.random.default_rng(seed)
    directions = rng.standard_normal((features.shape[1], n_components)) / (sigma if sigma > 0 else 1.0)
    mapped = np.asarray(features @ directions)
    mapped += rng.uniform(0, 2 * np.pi, n_components)
    np.cos(mapped, out=mapped)
    mapped *= np.sqrt(2.0 / n_components)
    return mapped


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
