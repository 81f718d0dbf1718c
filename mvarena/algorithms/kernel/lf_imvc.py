"""lf-imvc: late fusion incomplete multi-view clustering (Liu et al., IEEE TPAMI 2019).

    max  tr(H^T sum_p H_p W_p) + lambda sum_p tr(H_p^T H_p0)

over H and H_p (n, k) with orthonormal columns and orthogonal W_p (k, k). H_p0 are the base partitions, the top k
eigenvectors of each view's zero-filled kernel, rows scaled to unit length; rows of missing samples are zero. Every
entry of H_p moves, observed or not, unlike in eeimvc. Each update is the exact maximiser, so the objective never falls.
On complete kernels objective and embedding equal those of the authors' program.

Departures. The paper's H_p0 have orthonormal columns. Here, as in the program, their rows have unit length: the second
term, and with it lambda, counts about sqrt(n / k) times as much, and a value of lambda means what it does there. The
program also scales the rounding noise in the rows of missing samples to unit length; here they stay zero. Its demo
loads the mask of missing samples and never uses it: its base partitions, and the published figures, are those of the
complete kernels. Here they are what the data show, those of the observed block. W_p starts as the identity, so the
arbitrary signs of eigenvectors would change the result: each gets the sign that makes its largest entry positive.
Directions that a step leaves open are zero. Linear in n: base partitions of features need no n x n kernel, and the
iterations run on a few rows per availability pattern, as in eeimvc.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.kernel.base_partitions import observed_kernels
from mvarena.algorithms.kernel.compression import compress
from mvarena.algorithms.kernel.late_fusion import LateFusionClusterer
from mvarena.algorithms.kernel.partition import KernelPartition, equal_weights, published_stopping
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.polar import polar_factor
from mvarena.numerics.scaling import unit_embedding

Array = NDArray[np.float64]


def lf_imvc(base_partitions: Sequence[Array], stopping: Stopping, *, regularization: float) -> KernelPartition:
    """LF-IMVC from V base partitions H_p0 (n, k) and W_p = I; `regularization` is lambda.

    Cost O(V n k^2) per iteration, memory O(V n k).
    """
    k = base_partitions[0].shape[1]
    H_p, W = list(base_partitions), [np.eye(k)] * len(base_partitions)
    history = History(stopping)
    while not history.ended:
        H = polar_factor(np.sum([h @ w for h, w in zip(H_p, W, strict=True)], axis=0))
        W = [polar_factor(h.T @ H) for h in H_p]
        H_p = [polar_factor(H @ w.T + regularization * h) for w, h in zip(W, base_partitions, strict=True)]
        fused = sum(float(np.vdot(H, h @ w)) for h, w in zip(H_p, W, strict=True))
        kept = sum(float(np.vdot(h, h_0)) for h, h_0 in zip(H_p, base_partitions, strict=True))
        history.add(fused + regularization * kept)
    return KernelPartition(H, equal_weights(len(H_p)), history)


class LFIMVC(LateFusionClusterer):
    """Late fusion incomplete multi-view clustering.

    Parameters
    ----------
    regularization : lambda, how strongly each view's partition is kept near its base partition. The paper's grid is
        2^-15 to 2^15, picked by labels; 1 is its middle. Both terms have a like size at about sqrt(k / n).
    kernel : of feature views: linear or gaussian, centred and normalised on the observed samples. Kernel views are
        taken as they are.
    approximation : of gaussian kernels: nystrom, whose landmarks `random_state` draws, or exact (n x n).
    n_components : landmarks. sigma : length of exp(-d^2 / (2 sigma^2)); None: the median distance per view.
    tol, max_iter : stop at this relative change of the objective, from the third iteration on, or after so many.

    The embedding is H, rows of unit length.
    """

    regularization: NonNegative = 1.0
    max_iter: Count = 200

    @property
    def sums_kernels(self) -> bool:
        """False: each view's partition is its own."""
        return False

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        kernels = observed_kernels(data, self.kernel_choice())
        base = [unit_embedding(kernel.top(n_clusters, data.n_samples)) for kernel in kernels]
        small = compress(base, data.mask)
        stopping = published_stopping(self.max_iter, self.tol)
        result = lf_imvc(small.partitions, stopping, regularization=self.regularization)
        return replace(result, partition=small.expand(result.partition)).representation()
