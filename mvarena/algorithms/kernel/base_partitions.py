"""Base partitions: the top eigenvectors of each view's observed kernel, from features without forming the kernel."""

from __future__ import annotations

from mvarena.algorithms.kernel._eeimvc_base_partitions import (
    Approximation,
    KernelChoice,
    KernelName,
    ObservedKernel,
    observed_kernels,
    summed_partition,
)

__all__ = ["Approximation", "KernelChoice", "KernelName", "ObservedKernel", "observed_kernels", "summed_partition"]
