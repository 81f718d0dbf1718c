"""Kernel addition: the mean of the views' kernels, clustered spectrally.

    max  tr(F^T D^-1/2 K D^-1/2 F),   K = sum_v K_v / V

over F (n, k) with orthonormal columns, for kernels K_v (n, n) and the diagonal D of the sums of K's rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.baselines.similarities import SpectralBaseline, mean_affinity, view_kernel
from mvarena.data import MultiViewData


class KernelAddition(SpectralBaseline):
    """Spectral clustering of the mean kernel over complete views.

    A feature view's kernel is exp(-d^2 / (2 sigma^2)) with sigma the median pairwise distance; a kernel view counts
    as it is, negative entries as 0.
    """

    def affinity(self, data: MultiViewData) -> NDArray[np.float64]:
        return mean_affinity(data, view_kernel)
