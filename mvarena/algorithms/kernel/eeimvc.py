"""eeimvc: late fusion of base partitions whose missing rows are imputed from the consensus (Liu et al., AAAI 2019).

    max  tr(H^T sum_p beta_p H_p W_p) + lambda tr(H^T H_0)

over orthogonal H, W_p, missing rows of H_p, and beta of unit length; lambda = 0 is the method without a parameter.

Linear in n: features give their base partitions without an n x n kernel (`base_partitions`), and the iterations
run on a few rows per availability pattern (`compression`).

Departures. W_p starts as the identity, so the arbitrary signs of the eigenvectors would change the result: each is
given the sign that makes its largest entry positive. Algorithm 1 may stop from its second iteration on; the published
program waits for the third and stops at 101, as here. The regularised form adds lambda tr(H^T H_0), H_0 the partition
of the summed zero-filled kernels, as in the published program (which weighs them by beta, not beta^2: equal weights, so
nothing changes).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.kernel.base_partitions import observed_kernels, summed_partition
from mvarena.algorithms.kernel.compression import compress
from mvarena.algorithms.kernel.late_fusion import LateFusionClusterer, fused
from mvarena.algorithms.kernel.partition import KernelPartition, published_stopping
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.polar import polar_factor


def eeimvc(
    base_partitions: Sequence[NDArray[np.float64]],
    mask: NDArray[np.bool_],
    stopping: Stopping,
    *,
    regularization: float = 0.0,
    prior: NDArray[np.float64] | None = None,
) -> KernelPartition:
    """EE-IMVC, Algorithm 1.

    Parameters
    ----------
    base_partitions : V arrays H_p (n, k), orthonormal columns on the observed rows, zero on the missing ones.
    mask : (n, V), True where observed.
    regularization, prior : lambda and H_0 (n, k), which is needed where lambda is above 0.

    max tr(H^T sum_p beta_p H_p W_p) + lambda tr(H^T H_0) over orthogonal H, W_p, H_p^(u) and unit beta (Eq. 4). Each
    update is the exact maximiser, so the objective never falls. Cost O(V n k^2) per iteration; memory O(V n k).
    """
    n_views, k = len(base_partitions), base_partitions[0].shape[1]
    H_p = [partition.copy() for partition in base_partitions]
    W = [np.eye(k)] * n_views
    beta = np.full(n_views, 1 / np.sqrt(n_views))
    missing = [np.flatnonzero(~seen) for seen in mask.T]
    history = History(stopping)
    while not history.ended:
        H = polar_factor(fused(H_p, W, beta, regularization, prior))  # Eq. 5
        nu = np.empty(n_views)
        for p in range(n_views):
            W[p] = polar_factor(H_p[p].T @ H)  # Eq. 6
            if missing[p].size:
                H_p[p][missing[p]] = polar_factor(H[missing[p]] @ W[p].T)  # Eq. 7
            nu[p] = np.sum((H_p[p].T @ H) * W[p])
        norm = float(np.linalg.norm(nu))
        beta = nu / norm if norm > 0 else np.full(n_views, 1 / np.sqrt(n_views))  # Eq. 8
        value = float(nu @ beta)
        if regularization > 0 and prior is not None:
            value += regularization * float(np.vdot(H, prior))
        history.add(value)
    return KernelPartition(H, beta, history)


class EEIMVC(LateFusionClusterer):
    """Efficient and effective incomplete multi-view clustering.

    Parameters
    ----------
    regularization : lambda of the regularised form; 0 is the parameter-free method.
    kernel : of feature views: linear or gaussian, centred and normalised on the observed samples. Kernel views are
        taken as they are.
    approximation : of gaussian kernels: nystrom, whose landmarks `random_state` draws, or exact (n x n).
    n_components : landmarks. sigma : length of exp(-d^2 / (2 sigma^2)); None: the median distance per view.
    tol, max_iter : stop at this relative change of the objective, or after so many iterations.

    Iterations run on at most 2^V (V + 1) k rows; sparse features take O(k) products instead of O(n d^2).
    """

    regularization: NonNegative = 0.0
    max_iter: Count = 101

    @property
    def sums_kernels(self) -> bool:
        """True for the regularised form."""
        return self.regularization > 0

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        partitions, kernels = [], []
        for kernel in observed_kernels(data, self.kernel_choice()):
            partitions.append(kernel.top(n_clusters, data.n_samples))
            if self.sums_kernels:
                kernels.append(kernel)
            del kernel  # or it would be there beside the next one
        prior = summed_partition(kernels, data.n_samples, n_clusters) if kernels else None
        del kernels
        small = compress(partitions, data.mask, prior)
        del partitions, prior
        stopping = published_stopping(self.max_iter, self.tol)
        result = eeimvc(small.partitions, small.mask, stopping, regularization=self.regularization, prior=small.prior)
        return replace(result, partition=small.expand(result.partition)).representation()
