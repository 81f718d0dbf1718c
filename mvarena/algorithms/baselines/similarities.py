"""Gaussian similarities between all samples, and the base of the baselines that cluster them spectrally."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.bandwidth import Reach, wide_reach
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData, View
from mvarena.numerics.kernels import gaussian, median_distance, squared_distances
from mvarena.numerics.neighbours import mean_reach, nearest_rows
from mvarena.numerics.scaling import unit_embedding
from mvarena.numerics.spectral import normalized_embedding


class SpectralBaseline(SquareClusterer):
    """Spectral clustering of Ng, Jordan and Weiss (2001): top k eigenvectors of D^-1/2 W D^-1/2, rows of unit length.

    Where eigenvalues all but tie, as for groups far apart, rounding decides on the eigenvectors: hence canonical.
    """

    canonical: ClassVar[bool] = True

    @abstractmethod
    def affinity(self, data: MultiViewData) -> NDArray[np.float64]:
        """W (n, n), nonnegative and symmetric."""

    def squares(self, n_views: int) -> int:
        del n_views
        return 4  # the sum, one view's, its squared distances and, where it is sparse, the inner products in CSR form

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        return Representation(embedding=unit_embedding(normalized_embedding(self.affinity(data), n_clusters)))


def neighbour_similarities(points: Any, m: int, reach: Reach) -> NDArray[np.float64]:
    """exp(-d^2 / reach^2) between all rows (n, d): APMC's kernel (Eq. 1) without anchors and without truncation.

    reach : "all": twice the root mean square distance; "nearest": the mean distance to the m-th nearest row, a row
        itself being the first, as for APMC's anchors. Time O(n^2 d), memory 2 n^2.
    """
    if reach == "all":
        reach = wide_reach(points, points)
    elif reach == "nearest":
        reach = mean_reach(nearest_rows(points, points, m)[1])
    return gaussian(squared_distances(points), reach**2)


def view_kernel(view: View) -> NDArray[np.float64]:
    """A kernel view as it is, or exp(-d^2 / (2 sigma^2)) with sigma the median distance of a feature view.

    Negative entries of a given kernel count as no similarity: a graph has none. Time O(n^2 d), memory 2 n^2.
    """
    if view.kind == "kernel":
        kernel = view.matrix.toarray() if view.is_sparse else view.matrix
        return np.maximum(kernel, 0.0)
    sigma = median_distance(view.matrix)
    return gaussian(squared_distances(view.matrix), 2.0 * sigma**2)


def mean_affinity(data: MultiViewData, of_view: Callable[[View], NDArray[np.float64]]) -> NDArray[np.float64]:
    """(n, n) mean over the views of what `of_view` makes of each. Memory: the sum and one view's at a time."""
    mean = np.zeros((data.n_samples, data.n_samples))
    for view in data.views:
        mean += of_view(view)
    mean /= data.n_views
    return mean
