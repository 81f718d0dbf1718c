"""Distances and kernels between rows, dense or CSR: squared Euclidean, Gaussian, linear, cosine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

# squared distances come from |x|^2 - 2 x.y + |y|^2: what lies below this share of |x|^2 + |y|^2 is rounding noise
ROUNDING = 1e-13
_BLOCK_ENTRIES = 4_000_000
_MEDIAN_EXACT_UP_TO = 5_000


def row_blocks(n: int, width: int) -> Iterator[slice]:
    """Slices over n rows, such that a block of `width` columns holds about 32 MB of float64."""
    step = max(1, _BLOCK_ENTRIES // max(1, width))
    for start in range(0, n, step):
        yield slice(start, min(n, start + step))


def squared_norms(points: Any) -> NDArray[np.float64]:
    """(n,) squared Euclidean length of each row of a dense or CSR matrix (n, d)."""
    if sparse.issparse(points):
        return np.asarray(points.multiply(points).sum(axis=1)).ravel()
    return np.asarray(np.einsum("ij,ij->i", points, points))


def inner_products(points: Any, others: Any) -> NDArray[np.float64]:
    """(n, l) dense matrix of x . y for the rows x of `points` and y of `others`, each dense or CSR."""
    product = points @ others.T
    return np.asarray(product.toarray() if sparse.issparse(product) else product)


def common_offset(points: Any, others: Any) -> NDArray[np.float64] | None:
    """The mean row of `others`: moving both matrices by it keeps distances and spares digits.

    None, for not to move them, where either is sparse: that would fill it.
    """
    if sparse.issparse(points) or sparse.issparse(others):
        return None
    return np.asarray(others.mean(axis=0))


def moved(matrix: Any, offset: NDArray[np.float64] | None) -> Any:
    """The rows of `matrix` minus `offset`."""
    return matrix if offset is None else matrix - offset


def squared_distances(points: Any, others: Any | None = None) -> NDArray[np.float64]:
    """(n, l) squared Euclidean distances between rows; with one argument, symmetric with a zero diagonal.

    Parameters
    ----------
    points : (n, d) dense or CSR. others : (l, d), dense or CSR, or None for `points` themselves.

    Memory n l; time O(n l d). For more rows than an n x l matrix allows, go through `row_blocks`.
    """
    offset = common_offset(points, points if others is None else others)
    left = moved(points, offset)
    right = left if others is None else moved(others, offset)
    squared = _from_products(inner_products(left, right), squared_norms(left), squared_norms(right))
    if others is None:
        np.fill_diagonal(squared, 0.0)
    return squared


def _from_products(
    products: NDArray[np.float64], left: NDArray[np.float64], right: NDArray[np.float64]
) -> NDArray[np.float64]:
    """|x|^2 - 2 x.y + |y|^2 in place of x.y; what cannot be told from rounding noise is zero."""
    products *= -2.0
    for rows in row_blocks(*products.shape):
        scale = left[rows, None] + right
        products[rows] += scale
        products[rows][products[rows] <= ROUNDING * scale] = 0.0
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


def median_distance(points: Any, *, exact_up_to: int = _MEDIAN_EXACT_UP_TO) -> float:
    """The median Euclidean distance over all pairs of different rows; 0 for a single row.

    Above `exact_up_to` rows, the median over that many rows, drawn with a fixed seed. Memory `exact_up_to`^2.
    """
    n = points.shape[0]
    if n < 2:
        return 0.0
    if n > exact_up_to:
        points = points[np.sort(np.random.default_rng(0).choice(n, exact_up_to, replace=False))]
    squared = squared_distances(points)
    n = len(squared)
    # in the sorted matrix the diagonal comes first and then each pair twice: no copy of the pairs is needed
    np.fill_diagonal(squared, -1.0)
    pairs = n * (n - 1) // 2
    lower, upper = n + 2 * ((pairs - 1) // 2), n + 2 * (pairs // 2)
    entries = squared.reshape(-1)
    entries.partition([lower, upper])
    # the root before the mean: for an even number of pairs it is the distances whose median is asked
    return float((np.sqrt(entries[lower]) + np.sqrt(entries[upper])) / 2)


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
