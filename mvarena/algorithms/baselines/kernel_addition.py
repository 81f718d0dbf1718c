"""Kernel addition: the mean of the views' kernels, clustered spectrally."""

from __future__ import annotations

from mvarena.algorithms import baselines
from mvarena.algorithms.baselines.similarities import (
    affinity_memory,
    mean_affinity,
    spectral_representation,
    view_kernel,
)
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData


class KernelAddition(MultiViewClusterer):
    """Spectral clustering of the mean kernel over complete views.

    Parameters
    ----------
    n_clusters : clusters to look for; None: as many as the data say.
    n_init : k-means starts in `fit`. random_state : their seed.

    A feature view's kernel is exp(-d^2 / (2 sigma^2)) with sigma the median pairwise distance; a kernel view counts
    as it is, negative entries as 0. Raises Incompatible if samples miss views. Time O(n^2 d), memory O(n^2).
    Source: the baseline of EMVC (Najafi, He and Yu, Error-robust multi-view clustering).
    """

    spec = baselines.KERNEL_ADDITION

    def __init__(self, *, n_clusters: int | None = None, n_init: int = 20, random_state: int | None = None) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.random_state = random_state

    def memory_needed(self, data: MultiViewData) -> int:
        return affinity_memory(data)

    def represent(self, data: MultiViewData) -> Representation:
        return spectral_representation(data, lambda ordered: mean_affinity(ordered, view_kernel), self.check(data))
