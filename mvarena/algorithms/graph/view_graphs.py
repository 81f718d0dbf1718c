"""From a view to its graph: Gaussian similarities, normalised in the two ways that spectral methods use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidData
from mvarena.numerics import kernels
from mvarena.numerics.kernels import Float
from mvarena.numerics.spectral import inverse_square_root
from mvarena.numerics.threads import side_by_side_tasks

Square = NDArray[np.float64]
Graph = TypeVar("Graph", bound=NDArray[np.floating])

# in single precision: squares that neither overflow nor vanish, and the width, as a share of the largest squared
# distance, above which the rounding of d^2 changes no similarity by more than 1e-3, and most by less than 1e-6
_SMALLEST, _LARGEST = 1e-30, 1e30
_NARROWEST = 1e-3


def squared_distances(view: View, dtype: type[np.floating] = np.float64) -> NDArray[Any]:
    """(n, n) squared distances: between rows of features, or the squares of a distance view. Cost O(n^2 d)."""
    if view.kind == "distance":
        dense = view.matrix.toarray() if view.is_sparse else view.matrix
        return np.asarray(dense**2, dtype=dtype)
    return kernels.squared_distances(view.matrix, dtype=dtype)


def median_distance(squared: NDArray[np.floating]) -> float:
    """The median distance over all pairs of different samples; 1 if more than half of the pairs coincide."""
    median = kernels.median_of_pairs(squared) if len(squared) > 1 else 0.0
    return median if median > 0 else 1.0


def half_square(distance: float) -> float:
    """2 sigma^2 for sigma = the given distance: the kernel exp(-d^2 / (2 sigma^2))."""
    return 2.0 * distance**2


def gaussian_similarity(
    view: View,
    sigma: float | None,
    width: Callable[[float], float] = half_square,
    dtype: type[np.floating] = np.float64,
) -> NDArray[Any]:
    """(n, n) similarities exp(-d^2 / width(sigma)); sigma None: the view's median distance.

    A kernel view is its own similarity and must not be negative: InvalidData otherwise. With np.float32 for `dtype`
    the distances are in single precision too, unless the width is too small for that. Cost O(n^2 d).
    """
    if view.kind == "kernel":
        kernel = view.matrix.toarray() if view.is_sparse else np.array(view.matrix)
        if kernel.min() < 0 or kernel.sum(axis=1).min() <= 0:
            raise InvalidData(
                f"kernel view '{view.name}' holds negative values or an all-zero row, so it is no graph; "
                "use features, or shift the kernel."
            )
        return np.asarray(kernel, dtype=dtype)
    if dtype == np.float32:
        with np.errstate(over="ignore", invalid="ignore"):
            single = squared_distances(view, dtype)
        largest = float(single.max())
        if _SMALLEST < largest < _LARGEST:
            spread = width(median_distance(single) if sigma is None else sigma)
            if spread > _NARROWEST * largest:
                return _exponential(single, spread)
        del single
    squared = squared_distances(view)
    spread = width(median_distance(squared) if sigma is None else sigma)
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
    """D^-1 S, in place: rows on the simplex."""
    similarity /= similarity.sum(axis=1, keepdims=True)
    return similarity


def view_graphs(
    data: MultiViewData,
    sigma: float | None,
    finish: Callable[[NDArray[Any]], Graph],
    width: Callable[[float], float] = half_square,
    dtype: type[np.floating] = np.float64,
) -> list[Graph]:
    """What `finish` makes of each view's (n, n) `gaussian_similarity`; views side by side where threads allow."""
    with side_by_side_tasks(data.n_views) as each:
        return list(each(lambda view: finish(gaussian_similarity(view, sigma, width, dtype)), data.views))


def nearest_graph(similarity: Square, n_neighbors: int) -> Square:
    """(n, n) symmetric graph (W + W^T) / 2 of each sample's most similar others, in the place of `similarity`.

    No loops. Cost O(n^2), 1 n^2.
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
    np.fill_diagonal(similarity, 0.0)
    similarity += similarity.T
    similarity /= 2
    return similarity
