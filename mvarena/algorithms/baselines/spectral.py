"""SC[C] and SC[A], the two baselines of APMC: the same similarities, without anchors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms import baselines
from mvarena.algorithms.baselines.concat import side_by_side
from mvarena.algorithms.baselines.similarities import (
    affinity_memory,
    check_bandwidth,
    mean_affinity,
    neighbour_similarities,
    spectral_representation,
)
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData


class _GaussianSpectral(MultiViewClusterer):
    """What SC[C] and SC[A] share: parameters, and n x n memory."""

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        n_neighbors: int = 10,
        sigma: float | None = None,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.n_init = n_init
        self.random_state = random_state

    def memory_needed(self, data: MultiViewData) -> int:
        return affinity_memory(data)

    def check(self, data: MultiViewData) -> int:
        check_bandwidth(self.n_neighbors, self.sigma)
        return super().check(data)


class SCConcat(_GaussianSpectral):
    """Spectral clustering of Gaussian similarities between concatenated features: SC[C].

    Parameters
    ----------
    n_clusters : clusters to look for; None: as many as the data say.
    n_neighbors : without sigma, the bandwidth is the mean distance to this neighbour, as in `APMC`.
    sigma : bandwidth of exp(-d^2 / sigma^2), or None.
    n_init : k-means starts in `fit`. random_state : their seed.

    The paper does not say which bandwidth or graph it used; here they are APMC's, untruncated, so that the
    comparison shows what the anchors bring. Raises Incompatible if samples miss views. Time O(n^2 d), memory O(n^2).
    Source: Guo and Ye, AAAI 2019, section 5.2.
    """

    spec = baselines.SC_CONCAT

    def represent(self, data: MultiViewData) -> Representation:
        return spectral_representation(data, self._affinity, self.check(data))

    def _affinity(self, data: MultiViewData) -> NDArray[np.float64]:
        points = side_by_side([view.matrix for view in data.views])
        return neighbour_similarities(points, self.n_neighbors, self.sigma)


class SCAverage(_GaussianSpectral):
    """Spectral clustering of the mean over views of Gaussian similarities: SC[A].

    Parameters, errors, cost and source as for `SCConcat`; the bandwidth is each view's own.
    """

    spec = baselines.SC_AVERAGE

    def represent(self, data: MultiViewData) -> Representation:
        return spectral_representation(data, self._affinity, self.check(data))

    def _affinity(self, data: MultiViewData) -> NDArray[np.float64]:
        return mean_affinity(data, lambda view: neighbour_similarities(view.matrix, self.n_neighbors, self.sigma))
