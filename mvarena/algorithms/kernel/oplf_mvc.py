"""oplf-mvc: one-pass late fusion multi-view clustering (Liu et al., ICML 2021).

    max  tr((Y C)^T sum_p beta_p H_p W_p)

over the clusters Y (n, k) themselves, orthogonal C and W_p (k, k), and weights beta >= 0 of length 1, for base
partitions H_p (n, k), the top k eigenvectors of the kernels. Each update is the exact maximiser, so the objective never
falls; it matches the authors' program from its start.

Departures. The program starts at W_p = I, so that the arbitrary signs and rotation of eigenvectors decide; here each
H_p is turned to be nearest to the mean kernel's partition first. It starts C at an orthonormal basis of the k-means
centroids of that partition, which LAPACK rotates, too; here C is the orthogonal matrix nearest to the centroids. What a
cluster without samples leaves open is zero.
"""

from __future__ import annotations

from mvarena.algorithms.kernel.one_stage import OneStageClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData


class OPLFMVC(OneStageClusterer):
    """One-pass late fusion: clusters, rotations and weights of the base partitions at once, without a parameter.

    Parameters
    ----------
    kernel : of feature views: linear or gaussian, centred and normalised. Kernel views are taken as they are.
    approximation : of gaussian kernels: nystrom, whose landmarks `random_state` draws, or exact (n x n).
    n_components : landmarks. sigma : length of exp(-d^2 / (2 sigma^2)); None: the median distance per view.
    tol, max_iter : stop at this relative change of the objective, from the third iteration on, or after so many.

    It ends in labels; k-means runs for the start of C only, with fixed seeds.
    """

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        return self.clustered(data, n_clusters)
