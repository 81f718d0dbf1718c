"""NEMO: neighbourhood based multi-omics clustering (Rappoport and Shamir, Bioinformatics 2019).

Per view l, among the n_l samples that it observes, with squared Euclidean distances d2_ij and neighbourhoods N_i of
n_l / k other samples for k clusters,

    s_ij^2 = (mean of d2(i, N_i) + mean of d2(j, N_j) + d2_ij) / 3,
    S_ij = exp(-d2_ij / (2 s_ij^2)) / (sqrt(2 pi) s_ij),
    R_ij = S_ij / sum_{r in N_i} S_ir [j in N_i] + S_ij / sum_{r in N_j} S_rj [i in N_j].

The affinity of two samples is the mean of R_ij over the views that observe both; it is clustered spectrally.

Departures. The paper wants every two samples to share a view; here those that share none have affinity 0. Of equally
distant neighbours the first count. The number of clusters is given, not found by the eigengap.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count
from mvarena.data import MultiViewData
from mvarena.numerics.kernels import squared_distances
from numpy.typing import NDArray

from mvarena_omics.neighbourhoods import local_scale, nearest_others

Array = NDArray[np.float64]
_FLOOR = 1e-12


def relative_similarity(squared: Array, n_neighbors: int) -> Array:
    """R (n, n), symmetric, with a zero diagonal, from squared distances (n, n). Time O(n^2 log n), memory 5 n^2.

    R does not depend on the unit of the distances.
    """
    near = nearest_others(squared, n_neighbors)
    variance = local_scale(squared, near)
    largest = float(variance.max())
    variance = np.maximum(variance, _FLOOR * largest if largest > 0 else 1.0)
    kept = np.take_along_axis(np.exp(-squared / (2.0 * variance)) / np.sqrt(variance), near, axis=1)
    half = np.zeros(squared.shape)
    np.put_along_axis(half, near, kept / kept.sum(axis=1, keepdims=True), axis=1)
    return half + half.T


class NEMO(MultiViewClusterer):
    """Relative similarities within each view's neighbourhoods, averaged over the views that observe both samples.

    Parameters
    ----------
    n_neighbors : size of the neighbourhoods; None: the samples of a view, divided by the number of clusters. At
        most one less than the samples of the view.

    All n x n matrices are dense.
    """

    canonical: ClassVar[bool] = True

    n_neighbors: Count | None = None

    def memory_needed(self, data: MultiViewData) -> int:
        return 8 * 9 * data.n_samples**2

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        total = np.zeros((data.n_samples, data.n_samples))
        shared = np.zeros_like(total)
        for view, seen in zip(data.views, data.mask.T, strict=True):
            rows = np.flatnonzero(seen)
            if len(rows) < 2:
                continue  # it observes no pair of samples
            m = min(self.n_neighbors or max(1, len(rows) // n_clusters), len(rows) - 1)
            pairs = np.ix_(rows, rows)
            total[pairs] += relative_similarity(squared_distances(view.matrix[rows]), m)
            shared[pairs] += 1.0
        return Representation(affinity=np.divide(total, shared, out=total, where=shared > 0))
