"""From a view to its graph: Gaussian similarities and nearest neighbours, normalised as spectral methods do.

A sample that a view misses is isolated in that view's graph: nothing is read of its row, which stays zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidData
from mvarena.numerics import kernels
from mvarena.numerics.kernels import Float
from mvarena.numerics.spectral import inverse_square_root
from mvarena.system.threads import side_by_side_tasks

Square = NDArray[np.float64]
Graph = TypeVar("Graph", bound=NDArray[np.floating])
# a length, a rule that finds one, or None: the median distance over all pairs of different samples
Sigma = float | Literal["median-with-diagonal"] | None

# in single precision: squares that neither overflow nor vanish, and the width, as a share of the largest squared
# distance, above which the rounding of d^2 changes no similarity by more than 1e-3, and most by less than 1e-6
_SMALLEST, _LARGEST = 1e-30, 1e30
_NARROWEST = 1e-3
# differences of distances below this share of the larger one are rounding noise
_EQUALLY_NEAR = 1e-12


def of_observed(view: View, seen: NDArray[np.bool_]) -> View:
    """The view of the samples that it observes, seen (n,), alone."""
    if seen.all():
        return view
    rows = np.flatnonzero(seen)
    block = view.matrix[rows]
    return replace(view, matrix=block if view.kind == "features" else block[:, rows])


def among_all(graph: Graph, seen: NDArray[np.bool_]) -> Graph:
    """(n, n): the graph of the observed samples in their rows and columns, and zeros in the others'."""
    if seen.all():
        return graph
    among = np.zeros((len(seen), len(seen)), dtype=graph.dtype)
    among[np.ix_(seen, seen)] = graph
    return among  # type: ignore[return-value]


def observed_graphs(
    data: MultiViewData, build: Callable[[View], Graph], finish: Callable[[Graph], Graph] = lambda graph: graph
) -> list[Graph]:
    """(n, n) what `build` makes of each view's observed samples, zeros in the rows and columns of the others.

    finish : applied to these matrices. Views are built side by side where threads allow.
    """

    def graph(v: int) -> Graph:
        seen = data.mask[:, v]
        return finish(among_all(build(of_observed(data.views[v], seen)), seen))

    with side_by_side_tasks(data.n_views) as each:
        return list(each(graph, range(data.n_views)))


def squared_distances(view: View, dtype: type[np.floating] = np.float64) -> NDArray[Any]:
    """(n, n) squared distances: between rows of features, or the squares of a distance view. Cost O(n^2 d).

    Of a kernel: k_ii + k_jj - 2 k_ij, the distances between what it maps the samples to; at least 0.
    """
    if view.kind != "features":
        dense = view.matrix.toarray() if view.is_sparse else view.matrix
        if view.kind == "distance":
            return np.asarray(dense**2, dtype=dtype)
        lengths = dense.diagonal()
        return np.asarray(np.maximum(lengths[:, None] + lengths - 2.0 * dense, 0.0), dtype=dtype)
    return kernels.squared_distances(view.matrix, dtype=dtype)


def median_distance(squared: NDArray[np.floating]) -> float:
    """The median distance over all pairs of different samples; 1 if more than half of the pairs coincide."""
    median = kernels.median_of_pairs(squared) if len(squared) > 1 else 0.0
    return median if median > 0 else 1.0


def median_with_diagonal(squared: NDArray[np.floating]) -> float:
    """The median over all entries of the (n, n) distances, n zeros of the diagonal and all; 1 where that is 0.

    Smaller than `median_distance`, by little where n is large. Cost O(n^2), one copy.
    """
    places = [(squared.size - 1) // 2, squared.size // 2]
    median = float(np.sqrt(np.partition(squared, places, axis=None)[places]).mean())
    return median if median > 0 else 1.0


def _length(squared: NDArray[np.floating], sigma: Sigma) -> float:
    if sigma is None:
        return median_distance(squared)
    return median_with_diagonal(squared) if sigma == "median-with-diagonal" else float(sigma)


def half_square(distance: float) -> float:
    """2 sigma^2 for sigma = the given distance: the kernel exp(-d^2 / (2 sigma^2))."""
    return 2.0 * distance**2


def gaussian_similarity(
    view: View,
    sigma: Sigma,
    width: Callable[[float], float] = half_square,
    dtype: type[np.floating] = np.float64,
) -> NDArray[Any]:
    """(n, n) similarities exp(-d^2 / width(sigma)); sigma None: the view's median distance.

    A kernel view is its own similarity; what is negative counts as 0, as no graph has such edges, and InvalidData says
    where nothing is left of a row. With np.float32 for `dtype` the distances are in single precision too, unless the
    width is too small for that. Cost O(n^2 d).
    """
    if view.kind == "kernel":
        kernel = np.maximum(view.matrix.toarray() if view.is_sparse else view.matrix, 0.0)
        if kernel.sum(axis=1).min() <= 0:
            raise InvalidData(
                f"kernel view '{view.name}' has a row without a positive value, so it is no graph; use features, or "
                "shift the kernel."
            )
        return np.asarray(kernel, dtype=dtype)
    if dtype == np.float32:
        with np.errstate(over="ignore", invalid="ignore"):
            single = squared_distances(view, dtype)
        largest = float(single.max())
        if _SMALLEST < largest < _LARGEST:
            spread = width(_length(single, sigma))
            if spread > _NARROWEST * largest:
                return _exponential(single, spread)
        del single
    squared = squared_distances(view)
    spread = width(_length(squared, sigma))
    return _exponential(squared, spread).astype(dtype, copy=False)


def _exponential(squared: NDArray[Float], spread: float) -> NDArray[Float]:
    """exp(-d^2 / spread) in place."""
    for rows in kernels.cached_blocks(len(squared)):
        block = squared[rows]
        block *= -1.0 / spread
        np.exp(block, out=block)
    return squared


def symmetric_normalized(similarity: NDArray[Float]) -> NDArray[Float]:
    """D^-1/2 S D^-1/2, in place. Zero degrees give zero rows."""
    degrees = similarity.sum(axis=1, dtype=np.float64)
    scale = inverse_square_root(degrees).astype(similarity.dtype, copy=False)
    for rows in kernels.cached_blocks(len(similarity)):
        block = similarity[rows]
        block *= scale[rows, None]
        block *= scale
    return similarity


def transition_probabilities(similarity: Square) -> Square:
    """D^-1 S, in place: rows on the simplex. From a sample without any similarity the walk stays where it is."""
    degrees = similarity.sum(axis=1, keepdims=True)
    alone = np.flatnonzero(degrees <= 0)
    similarity[alone, alone] = degrees[alone] = 1.0
    similarity /= degrees
    return similarity


def view_graphs(
    data: MultiViewData,
    sigma: Sigma,
    finish: Callable[[NDArray[Any]], Graph],
    width: Callable[[float], float] = half_square,
    dtype: type[np.floating] = np.float64,
) -> list[Graph]:
    """Apply `finish` to each view's (n, n) `gaussian_similarity`.

    The similarities of a sample that the view misses are 0, its own to itself included; the median is that of the
    observed samples.
    """
    graphs: list[Any] = observed_graphs(data, lambda view: gaussian_similarity(view, sigma, width, dtype), finish)
    return graphs


def nearest_graph(similarity: Square, n_neighbors: int) -> Square:
    """(n, n) symmetric graph (W + W^T) / 2 of each sample's most similar others, in the place of `similarity`.

    No loops; a sample without any similarity stays isolated. Cost O(n^2), 1 n^2.
    """
    n = len(similarity)
    m = min(n_neighbors, n - 1)
    if m < 1:
        similarity[:] = 0.0
        return similarity
    np.fill_diagonal(similarity, -np.inf)
    for rows in kernels.cached_blocks(n):
        others = similarity[rows]
        least = np.partition(others, n - m, axis=1)[:, n - m]
        # Ties at the last place are all kept: which of them comes first must not depend on the order of the samples.
        others[others < least[:, None]] = 0.0
    similarity += similarity.T
    similarity /= 2
    return similarity


def adaptive_graph(squared: Square, n_neighbors: int) -> Square:
    """(n, n) symmetric graph (A + A^T) / 2 of adaptive neighbours, in the place of the `squared` distances.

    The rows of A are those of `adaptive_rows`, but a sample whose m + 1 nearest are all equally near, as copies of it
    are, has no row of its own, and fewer than 3 samples have no edge.
    """
    graph = adaptive_rows(squared, n_neighbors, equally_near=False)
    graph += graph.T
    graph /= 2
    return graph


def adaptive_rows(squared: Square, n_neighbors: int, *, equally_near: bool = True) -> Square:
    """(n, n) rows that sum to 1: s_j = (d_(m+1) - d_j) / (m d_(m+1) - sum_(j <= m) d_j) for the m nearest others.

    squared : (n, n) squared distances; it is overwritten. d_(m+1) : the distance to the next one after them. With fewer
    than m + 2 samples, m is n - 2.
    equally_near : whether a sample whose m + 1 nearest are all equally near shares its row among all that are, and
    below 3 samples each has the others as neighbours; otherwise such rows are empty.

    Cost O(n^2), 1 n^2. Source: Nie, Wang and Huang, Clustering and projected clustering with adaptive neighbors, KDD
    2014.
    """
    n = len(squared)
    m = min(n_neighbors, n - 2)
    np.fill_diagonal(squared, np.inf)
    if m < 1:
        return np.ones((n, n)) - np.eye(n) if equally_near else np.zeros((n, n))
    for rows in kernels.cached_blocks(n):
        block = squared[rows]
        next_one = np.partition(block, m, axis=1)[:, m, None]
        alone = block.min(axis=1, keepdims=True) >= next_one * (1 - _EQUALLY_NEAR)
        equal = (equally_near & (block <= next_one * (1 + _EQUALLY_NEAR))).astype(np.float64)
        gaps = np.maximum(next_one - block, 0.0)
        gaps[gaps <= _EQUALLY_NEAR * next_one] = 0.0
        chosen = np.where(alone, equal, gaps)
        total = chosen.sum(axis=1, keepdims=True)
        block[:] = np.divide(chosen, total, out=chosen, where=total > 0)
    return squared


def standard_sample_distances(view: View) -> Square:
    """(n, n) squared distances between samples of which each is standardised over its d features.

    (x - mean(x)) / std(x) with the sample's own mean and standard deviation (d - 1 in its denominator): the squared
    distance is 2 (d - 1) (1 - r) for the correlation r of the two rows. A row of equal values has none and correlates
    with nothing. Sparse rows stay sparse. Cost O(n^2 d).
    """
    X: Any = view.matrix
    d = view.n_features
    means = np.asarray(X.mean(axis=1)).ravel()
    products = kernels.inner_products(X, X) - d * np.outer(means, means)
    lengths = np.sqrt(np.maximum(products.diagonal(), 0.0))
    norms = np.sqrt(kernels.squared_norms(X))
    flat = lengths <= 1e-7 * norms
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=~flat)
    products *= scale[:, None]
    products *= scale
    return np.asarray(np.maximum(2.0 * max(d - 1, 1) * (1.0 - products), 0.0))
