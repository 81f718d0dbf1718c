"""Gaussian similarities between all samples of a view, and the spectral embedding of any affinity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData, View
from mvarena.errors import InvalidSetting
from mvarena.numerics.assignment import canonical_order
from mvarena.numerics.graphs import mean_reach, nearest_rows
from mvarena.numerics.kernels import gaussian, median_distance, squared_distances
from mvarena.numerics.scaling import unit_rows
from mvarena.numerics.spectral import normalized_embedding

# n x n matrices alive at once while an affinity is built and normalised: the sum, one view's, its squared distances
_MATRICES = 3


def neighbour_similarities(points: Any, m: int, sigma: float | None) -> NDArray[np.float64]:
    """exp(-d^2 / sigma^2) between all rows (n, d): APMC's kernel (Eq. 1) without anchors and without truncation.

    sigma None: the mean distance to the m-th nearest row, a row itself being the first, as for APMC's anchors.
    Time O(n^2 d), memory 2 n^2.
    """
    if sigma is None:
        sigma = mean_reach(nearest_rows(points, points, m)[1])
    return gaussian(squared_distances(points), sigma**2)


def view_kernel(view: View) -> NDArray[np.float64]:
    """A kernel view as it is, or exp(-d^2 / (2 sigma^2)) with sigma the median distance of a feature view.

    Negative entries of a given kernel count as no similarity: a graph has none. Time O(n^2 d), memory 2 n^2.
    """
    if view.kind == "kernel":
        kernel = view.matrix.toarray() if view.is_sparse else view.matrix
        return np.maximum(kernel, 0.0)
    return gaussian(squared_distances(view.matrix), 2.0 * median_distance(view.matrix) ** 2)


def mean_affinity(data: MultiViewData, of_view: Callable[[View], NDArray[np.float64]]) -> NDArray[np.float64]:
    """(n, n) mean over the views of what `of_view` makes of each. Memory: the sum and one view's at a time."""
    mean = np.zeros((data.n_samples, data.n_samples))
    for view in data.views:
        mean += of_view(view)
    mean /= data.n_views
    return mean


def spectral_representation(
    data: MultiViewData, affinity: Callable[[MultiViewData], NDArray[np.float64]], k: int
) -> Representation:
    """The embedding of Ng, Jordan and Weiss (2001): top k eigenvectors of D^-1/2 W D^-1/2, rows of unit length.

    `affinity` gets the samples in an order that depends on their values alone: where eigenvalues all but tie, as
    for groups far apart, rounding decides on the eigenvectors, and so it decides alike for any order given.
    """
    order = canonical_order(*(_invariant_rows(view) for view in data.views))
    ordered = unit_rows(normalized_embedding(affinity(data.take(order)), k))
    embedding = np.empty_like(ordered)
    embedding[order] = ordered
    return Representation(embedding=embedding)


def _invariant_rows(view: View) -> Any:
    """What tells the samples of a view apart and does not change when they are permuted."""
    if view.kind == "features":
        return view.matrix
    sums = np.asarray(view.matrix.sum(axis=1)).ravel()
    return np.column_stack([view.matrix.diagonal(), sums, view.matrix @ sums])


def affinity_memory(data: MultiViewData) -> int:
    """Bytes that building and embedding an n x n affinity takes at its peak, copies of kernel views included."""
    kernels = sum(view.kind != "features" for view in data.views)
    return (_MATRICES + kernels) * 8 * data.n_samples**2


def check_bandwidth(n_neighbors: int, sigma: float | None) -> None:
    """Raises InvalidSetting unless n_neighbors >= 1 and sigma is positive or None."""
    if n_neighbors < 1:
        raise InvalidSetting(f"n_neighbors must be at least 1, not {n_neighbors}.")
    if sigma is not None and not 0 < sigma < np.inf:
        raise InvalidSetting(f"sigma must be positive, or None for the mean distance to a neighbour, not {sigma}.")
