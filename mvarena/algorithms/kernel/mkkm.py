"""mkkm-zf, mkkm-mf, mkkm-knn, mkkm-af: multiple kernel k-means on kernels that were filled beforehand.

    min  tr(K_gamma (I - H H^T)),   K_gamma = sum_p gamma_p^2 K_p

over H (n, k) with orthonormal columns and gamma on the simplex.

Multiple kernel k-means (Gonen and Margolin, NIPS 2014; Liu et al., AAAI 2019, Eq. 1) alternates between the partition
and the kernels' weights. The published program starts from equal weights, and stops when the objective changes by less
than .001 of itself, from the third iteration on; so does this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.kernel.partition import (
    Filling,
    KernelPartition,
    alignment_filled,
    combined,
    equal_weights,
    filled,
    kernel_matrices,
    published_stopping,
)
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.simplex import inverse_weights
from mvarena.numerics.spectral import top_eigenvectors


def unexplained(kernel: NDArray[np.float64], partition: NDArray[np.float64]) -> float:
    """tr(K (I - H H^T)): what of a kernel the partition leaves unexplained. Cost O(n^2 k)."""
    return float(np.trace(kernel) - np.vdot(partition, kernel @ partition))


def mkkm(kernels: Sequence[NDArray[np.float64]], n_clusters: int, stopping: Stopping) -> KernelPartition:
    """Multiple kernel k-means on complete kernels (n, n).

    min tr(K_gamma (I - H H^T)) over H^T H = I and gamma on the simplex (Eq. 1). Each update is the exact minimiser,
    so the objective never rises. Cost per iteration: k eigenvectors of one n x n matrix and O(V n^2 k).
    """
    gamma = equal_weights(len(kernels))
    history = History(stopping)
    while not history.ended:
        H = top_eigenvectors(combined(kernels, gamma), n_clusters)[1]
        costs = np.array([unexplained(kernel, H) for kernel in kernels])
        gamma = inverse_weights(costs)
        history.add(float(gamma**2 @ costs))
    return KernelPartition(H, gamma, history)


class MKKM(SquareClusterer):
    """Multiple kernel k-means on filled kernels; a subclass says how they are filled, and with how many matrices."""

    filling: ClassVar[Filling] = "zero"

    tol: NonNegative = 1e-3
    max_iter: Count = 100

    def squares(self, n_views: int) -> int:
        return n_views + 3

    def fill(self, kernels: list[NDArray[np.float64]], mask: NDArray[np.bool_], k: int) -> list[NDArray[np.float64]]:
        """The kernels without gaps; k clusters are looked for."""
        del k
        return filled(kernels, mask, self.filling)

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        stopping = published_stopping(self.max_iter, self.tol)
        complete = self.fill(kernel_matrices(data), data.mask, n_clusters)
        return mkkm(complete, n_clusters, stopping).representation()


class MKKMZF(MKKM):
    """MKKM with zero filling: a missing sample is similar to nothing.

    Parameters: tol (relative change of the objective), max_iter.
    """

    def squares(self, n_views: int) -> int:
        del n_views
        return 3


class MKKMMF(MKKM):
    """MKKM with mean filling: a missing sample is the mean of the view's observed ones, in feature space.

    Parameters: tol (relative change of the objective), max_iter.
    """

    filling: ClassVar[Filling] = "mean"


class MKKMKNN(MKKM):
    """MKKM with neighbour filling: a missing row is the mean of its neighbours' rows in the other views' mean kernel.

    Parameters: n_neighbors (7 in the scripts of MKKM-IK's authors), tol (relative change of the objective), max_iter.

    Departure from the published program, which moves results: where two samples that a view misses meet, their two
    filled values are averaged. The program keeps the one that it writes last, which depends on the samples' order.
    """

    n_neighbors: Count = 7

    def squares(self, n_views: int) -> int:
        return n_views + 5

    def fill(self, kernels: list[NDArray[np.float64]], mask: NDArray[np.bool_], k: int) -> list[NDArray[np.float64]]:
        del k
        return filled(kernels, mask, "knn", self.n_neighbors)


class MKKMAF(MKKM):
    """MKKM with alignment-maximising filling: one imputation from the partition of the zero-filled kernels.

    Parameters: ridge (added to U_mm before it is inverted, .001 in the published program), tol (relative change of the
    objective), max_iter.
    """

    ridge: NonNegative = 1e-3

    def fill(self, kernels: list[NDArray[np.float64]], mask: NDArray[np.bool_], k: int) -> list[NDArray[np.float64]]:
        return alignment_filled(kernels, mask, k, self.ridge)
