"""Distances and kernels between rows, dense or CSR: squared Euclidean, Gaussian, linear, cosine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Float = TypeVar("Float", np.float32, np.float64)

# squared distances come from |x|^2 - 2 x.y + |y|^2: what lies below this share of |x|^2 + |y|^2 is rounding noise
ROUNDING = 1e-13
_ROUNDING_SINGLE = 2e-6
_BLOCK_ENTRIES = 4_000_000
# two megabytes: a dozen passes over whole matrices wait for memory, over one such block after another they do not
_CACHED_ENTRIES = 262_144
_MEDIAN_EXACT_UP_TO = 5_000
_MEDIAN_SAMPLE = 20_000


def row_blocks(n: int, width: int) -> Iterator[slice]:
    """Slices over n rows, such that a block of `width` columns holds about 32 MB of float64."""
    yield from _blocks(n, max(1, _BLOCK_ENTRIES // max(1, width)))


def cached_blocks(n: int, width: int | None = None) -> Iterator[slice]:
    """Slices over n rows of `width` columns (n, unless told) that stay in the cache from one pass to the next."""
    yield from _blocks(n, max(1, _CACHED_ENTRIES // max(1, n if width is None else width)))


def _blocks(n: int, step: int) -> Iterator[slice]:
    for start in range(0, n, step):
        yield slice(start, min(n, start + step))


def squared_norms(points: Any) -> NDArray[Any]:
    """(n,) squared Euclidean length of each row of a dense or CSR matrix (n, d)."""
    if sparse.issparse(points):
        return np.asarray(points.multiply(points).sum(axis=1)).ravel()
    return np.asarray(np.einsum("ij,ij->i", points, points))


def inner_products(points: Any, others: Any) -> NDArray[Any]:
    """(n, l) dense matrix of x . y for the rows x of `points` and y of `others`, each dense or CSR."""
    product = points @ others.T
    return np.asarray(product.toarray() if sparse.issparse(product) else product)


def common_offset(points: Any, others: Any) -> NDArray[np.float64] | None:
    """The mean row of `others`: moving both matrices by it keeps distances and spares digits.

    None, for not to move them, where either is sparse: that would fill it.
    """
    if sparse.issparse(points) or sparse.issparse(others):
        return None
    # of float32, too, in double precision, and so are then the rows that are moved by it
    return np.asarray(others.mean(axis=0, dtype=np.float64))


def moved(matrix: Any, offset: NDArray[np.float64] | None) -> Any:
    """The rows of `matrix` minus `offset`."""
    return matrix if offset is None else matrix - offset


def squared_distances(points: Any, others: Any | None = None, *, dtype: type[np.floating] = np.float64) -> NDArray[Any]:
    """(n, l) squared Euclidean distances between rows; with one argument, symmetric with a zero diagonal.

    Parameters
    ----------
    points : (n, d) dense or CSR. others : (l, d), dense or CSR, or None for `points` themselves.
    dtype : np.float32 takes half the time and memory. A distance is then wrong by some 1e-6 of the larger of the two
        rows' squared distances to the mean row (sparse: to the origin), and those below 2e-6 of their sum are 0.

    Memory n l; time O(n l d). For more rows than an n x l matrix allows, go through `row_blocks`.
    """
    offset = common_offset(points, points if others is None else others)
    left = moved(points, offset).astype(dtype, copy=False)
    right = left if others is None else moved(others, offset).astype(dtype, copy=False)
    squared = _from_products(inner_products(left, right), squared_norms(left), squared_norms(right))
    if others is None:
        np.fill_diagonal(squared, 0.0)
    return squared


def _from_products(products: NDArray[Float], left: NDArray[Float], right: NDArray[Float]) -> NDArray[Float]:
    """|x|^2 - 2 x.y + |y|^2 in place of x.y; values at the level of rounding noise become zero."""
    rounding = _ROUNDING_SINGLE if products.dtype == np.float32 else ROUNDING
    for rows in cached_blocks(*products.shape):
        block = products[rows]
        scale = left[rows, None] + right
        block *= -2.0
        block += scale
        scale *= rounding
        np.copyto(block, 0.0, where=block <= scale)
    return products


def gaussian(squared: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """exp(-d^2 / scale) from squared distances, in a new array.

    Authors differ in the factor: `scale` is sigma^2 for some, 2 sigma^2 for others. A scale of 0, as where all
    distances are 0, gives the limit: 1 at distance 0 and 0 elsewhere.
    """
    if scale <= 0:
        return np.asarray(squared == 0, dtype=np.float64)
    kernel = squared * (-1.0 / scale)
    np.exp(kernel, out=kernel)
    return kernel


def median_distance(points: Any) -> float:
    """The median Euclidean distance over all pairs of different rows; 0 for a single row.

    Above 5,000 rows, the median over that many rows, drawn with a fixed seed. Memory 5,000^2.
    """
    n = points.shape[0]
    if n < 2:
        return 0.0
    if n > _MEDIAN_EXACT_UP_TO:
        points = points[np.sort(np.random.default_rng(0).choice(n, _MEDIAN_EXACT_UP_TO, replace=False))]
    return median_of_pairs(squared_distances(points))


def median_of_pairs(squared: NDArray[np.floating]) -> float:
    """The median distance over all pairs of different samples, from the symmetric (n, n) squared distances; n >= 2.

    Exact. A sample of the entries brackets the median, so that one pass finds what has to be sorted: time O(n^2),
    memory some 5 % of n^2.
    """
    n = len(squared)
    # in order come the n zeros of the diagonal, then each pair twice; the two middle pairs' distances are averaged,
    # after the root, as it is distances whose median is asked
    pairs = n * (n - 1) // 2
    lower, upper = n + 2 * ((pairs - 1) // 2), n + 2 * (pairs // 2)
    places = np.random.default_rng(0).integers(0, n, size=(2, _MEDIAN_SAMPLE))
    low, high = np.quantile(squared[places[0], places[1]], [0.48, 0.52])
    below, between = 0, []
    for rows in cached_blocks(n):
        block = squared[rows]
        not_above = block <= high
        under = block < low
        below += int(np.count_nonzero(under))
        between.append(block[not_above & ~under])
    middle = np.concatenate(between)
    first, last = lower - below, upper - below
    if first < 0 or last >= len(middle):
        middle, first, last = squared.ravel(), lower, upper
    ordered = np.partition(middle, [first, last])
    return float((np.sqrt(ordered[first]) + np.sqrt(ordered[last])) / 2)


def linear_kernel(points: Any) -> NDArray[np.float64]:
    """(n, n) inner products between the rows of a dense or CSR matrix."""
    return inner_products(points, points)


def cosine_kernel(points: Any) -> NDArray[np.float64]:
    """(n, n) cosines of the angles between rows; an all-zero row has cosine 0 with every row, itself included."""
    kernel = linear_kernel(points)
    lengths = np.sqrt(np.diagonal(kernel))
    inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    kernel *= inverse[:, None]
    kernel *= inverse
    return kernel


# Kernels ready for clustering: from distances, polynomial, centred and normalised.

# a squared length below this share of the largest is rounding noise: the sample lies at the centre
FLAT = 1e-12


def polynomial_kernel(features: Any, degree: int = 3, offset: float = 1.0) -> NDArray[np.float64]:
    """(offset + x^T y / d)^degree (n, n) for dense or CSR features (n, d). Cost O(n^2 d)."""
    kernel = linear_kernel(features)
    kernel /= features.shape[1]
    kernel += offset
    return np.asarray(np.power(kernel, degree, out=kernel))


def distance_kernel(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """exp(-D / mean(D)) (n, n), as the Flower17 kernels are made of chi-square distances; all ones where D is zero."""
    mean = float(distances.mean())
    return np.asarray(np.exp(-distances / mean)) if mean > 0 else np.ones_like(distances)


def center_and_normalize(kernel: NDArray[np.float64]) -> NDArray[np.float64]:
    """The kernel (n, n) of the same samples centred in feature space and scaled to unit length there.

    Centring is C K C with C = I - 1 1^T / n, normalisation K_ij / sqrt(K_ii K_jj). A sample that lies at the centre
    has no direction: its row is zero. Cost O(n^2), one copy.
    """
    size = float(np.abs(kernel.diagonal()).max(initial=0.0))
    means = kernel.mean(axis=1)
    centred = kernel - means[:, None]
    centred -= means
    centred += means.mean()
    scale = inverse_lengths(centred.diagonal(), size)
    centred *= scale[:, None]
    centred *= scale
    return np.asarray(centred)


def inverse_lengths(squares: NDArray[np.float64], size: float) -> NDArray[np.float64]:
    """squares^-1/2 (n,), and 0 where a square is rounding noise beside `size`, the largest square before centring."""
    scale = np.zeros(len(squares))
    present = squares > FLAT * size
    scale[present] = 1.0 / np.sqrt(squares[present])
    return scale
