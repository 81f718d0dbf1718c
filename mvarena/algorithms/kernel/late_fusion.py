"""Shared parts of the late fusion methods: their kernel, the memory of its partitions, and the fused partition."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.kernel.base_partitions import Approximation, KernelChoice, KernelName
from mvarena.contracts.algorithm import MultiViewClusterer
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData

# up to so many samples the eigenproblem of the summed kernels is solved by LAPACK
_DENSE = 400


class LateFusionClusterer(MultiViewClusterer):
    """A late fusion: the parameters of its kernel for feature views and of when it ends, and its memory."""

    kernel: KernelName = "linear"
    approximation: Approximation = "nystrom"
    n_components: Count = 300
    sigma: Positive | None = None
    tol: NonNegative = 1e-4
    max_iter: Count = 100

    def kernel_choice(self) -> KernelChoice:
        """The kernel of feature views that the parameters name."""
        seed = int(np.random.SeedSequence(self.random_state).generate_state(1)[0])
        return KernelChoice(self.kernel, self.approximation, self.n_components, self.sigma, seed)

    @property
    def sums_kernels(self) -> bool:
        """True if it takes the partition of the summed kernels, for which all are there at once."""
        return True

    def memory_needed(self, data: MultiViewData) -> int:
        """Bytes beyond the data: V + 3 partitions (n, k), twice, and the largest view's factor or kernel block. Where
        kernels are summed, those of all views and what the eigenvectors of their sum take, which LAPACK finds for few
        samples."""
        k = data.n_clusters if self.n_clusters is None else self.n_clusters
        choice = self.kernel_choice()
        factors = [choice.memory(view, int(seen.sum())) for view, seen in zip(data.views, data.mask.T, strict=True)]
        partitions = 8 * data.n_samples * (k or 1) * 2 * (data.n_views + 3)
        if not self.sums_kernels:
            return partitions + max(factors)
        return partitions + sum(factors) + 8 * 5 * min(data.n_samples, max(_DENSE, 4 * (k or 1))) ** 2


def fused(
    H_p: Sequence[NDArray[np.float64]],
    W: Sequence[NDArray[np.float64]],
    beta: NDArray[np.float64],
    regularization: float,
    prior: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """sum_p beta_p H_p W_p + lambda H_0 (n, k)."""
    total = H_p[0] @ (beta[0] * W[0])
    for partition, rotation, weight in zip(H_p[1:], W[1:], beta[1:], strict=True):
        total += partition @ (weight * rotation)
    if regularization > 0 and prior is not None:
        total += regularization * prior
    return total
