"""LMVSC: large-scale multi-view subspace clustering in linear time (Kang et al., AAAI 2020).

Each view has anchors H_v (r, d_v) of its own, k-means centres of its samples, and each sample is a combination of them,

    min over z >= 0, sum 1, of |x - H_v^T z|^2 + alpha |z|^2.

The leading left singular vectors of all combinations side by side are clustered. Nothing is iterated, and views are not
weighted. From the same anchors it solves the authors' quadratic programmes to their optimum.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.bandwidth import mean_length_one
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.anchors import cluster_means
from mvarena.numerics.low_rank import top_left_vectors
from mvarena.numerics.simplex import simplex_quadratic_rows

Array = NDArray[np.float64]


def anchor_combinations(X: Any, H: Array, ridge: float) -> Array:
    """Z (n, r): each row x of X (n, d), dense or CSR, as a combination of the anchors H (r, d). Cost O(n r (d + r^2)).

    ridge : alpha.
    """
    return simplex_quadratic_rows(2.0 * (H @ H.T + ridge * np.eye(len(H))), 2.0 * np.asarray(X @ H.T))


class LMVSC(MultiViewClusterer):
    """Samples as combinations of each view's own anchors.

    Parameters
    ----------
    n_anchors : r, of each view; None: as many as clusters. The paper's grid: k, 50 and 100.
    ridge : alpha; the paper's grid is 0.01, 1 and 100. Views count as scaled by one number each, so that their rows
        have unit length on average; from 1 on, all combinations of such rows are much alike.

    The embedding is the k leading left singular vectors of all combinations side by side, as it is.
    """

    n_anchors: Count | None = None
    ridge: Positive = 0.01

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        r = min(self.n_anchors or n_clusters, data.n_samples)
        graphs = [anchor_combinations(X, cluster_means(X, r), self.ridge) for X in mean_length_one(data)]
        Z = np.hstack(graphs) / np.sqrt(data.n_views)
        return Representation(embedding=top_left_vectors(Z, n_clusters))
