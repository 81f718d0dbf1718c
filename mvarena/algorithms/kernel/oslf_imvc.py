"""os-lf-imvc: one-stage late fusion incomplete multi-view clustering (Zhang et al., ACM Multimedia 2021).

    max  tr((Y C)^T (sum_p beta_p H_p W_p + lambda H_0))

over the clusters Y (n, k) themselves, orthogonal C and W_p (k, k), weights beta of length 1, and those rows of H_p
(n, k) that the view misses, which have orthonormal columns among themselves; observed rows stay at the base partition,
the top k eigenvectors of the observed kernel. H_0 is the partition of the summed zero-filled kernels. Each update is
the exact maximiser, so the objective never falls; it matches the authors' program from its start.

Departures. The program centres and normalises kernels on the complete data before it deletes; here the observed block
alone counts (the transform center-kernels-leaking does the other). It starts at W_p = I, so that the arbitrary signs
and rotation of eigenvectors decide; here each H_p is turned to be nearest to H_0 first. It starts C at an orthonormal
basis of the k-means centroids of the mean kernel's partition, which LAPACK rotates, too; here C is the orthogonal
matrix nearest to the centroids. Where a view's missing samples lie in fewer than k clusters, the program fills the open
directions with what LAPACK returns; here they are zero.
"""

from __future__ import annotations

import numpy as np

from mvarena.algorithms.kernel.one_stage import OneStageClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import NonNegative
from mvarena.data import MultiViewData


class OSLFIMVC(OneStageClusterer):
    """One-stage late fusion: clusters, rotations, weights and the missing rows of the base partitions at once.

    Parameters
    ----------
    regularization : lambda, the weight of the partition of the summed kernels. The paper's grid is 2^-15 to 2^15,
        picked by labels; 1 is its middle.
    kernel : of feature views: linear or gaussian, centred and normalised on the observed samples. Kernel views are
        taken as they are.
    approximation : of gaussian kernels: nystrom, whose landmarks `random_state` draws, or exact (n x n).
    n_components : landmarks. sigma : length of exp(-d^2 / (2 sigma^2)); None: the median distance per view.
    tol, max_iter : stop at this relative change of the objective, from the third iteration on, or after so many.

    It ends in labels; k-means runs for the start of C only, with fixed seeds.
    """

    regularization: NonNegative = 1.0

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        missing = [np.flatnonzero(~seen) for seen in data.mask.T]
        return self.clustered(data, n_clusters, missing=missing, regularization=self.regularization)
