"""Shared parts of the late fusion methods: their kernel, the memory of its partitions, and the parameters of the
one-stage methods."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from mvarena.algorithms.kernel.base_partitions import Approximation, KernelChoice, KernelName
from mvarena.contracts.algorithm import MultiViewClusterer
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData

# up to so many samples the eigenproblem of the summed kernels is solved by LAPACK
_DENSE = 400


class HasKernel(Protocol):
    """A contestant with the parameters of a kernel for feature views."""

    n_clusters: int | None
    random_state: int | None
    kernel: KernelName
    approximation: Approximation
    n_components: int
    sigma: float | None


def kernel_choice(model: HasKernel) -> KernelChoice:
    """The kernel of feature views that the parameters name."""
    seed = int(np.random.SeedSequence(model.random_state).generate_state(1)[0])
    return KernelChoice(model.kernel, model.approximation, model.n_components, model.sigma, seed)


def memory_of_partitions(model: HasKernel, data: MultiViewData, *, all_kernels: bool = False) -> int:
    """Bytes beyond the data: V + 3 partitions (n, k), twice, and the largest view's factor, or, with `all_kernels`,
    those of all views and what the eigenvectors of their sum take, which LAPACK finds for few samples."""
    k = data.n_clusters if model.n_clusters is None else model.n_clusters
    choice = kernel_choice(model)
    factors = [choice.memory(view, int(seen.sum())) for view, seen in zip(data.views, data.mask.T, strict=True)]
    partitions = 8 * data.n_samples * (k or 1) * 2 * (data.n_views + 3)
    if not all_kernels:
        return partitions + max(factors)
    return partitions + sum(factors) + 8 * 5 * min(data.n_samples, max(_DENSE, 4 * (k or 1))) ** 2


class OneStageClusterer(MultiViewClusterer):
    """A late fusion that ends in labels: the parameters of its kernel and of when it ends, and its memory."""

    kernel: KernelName = "linear"
    approximation: Approximation = "nystrom"
    n_components: Count = 300
    sigma: Positive | None = None
    tol: NonNegative = 1e-4
    max_iter: Count = 100

    def memory_needed(self, data: MultiViewData) -> int:
        """Bytes beyond the data: the partitions, and every view's factor or kernel block."""
        return memory_of_partitions(self, data, all_kernels=True)
