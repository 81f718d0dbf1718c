"""mkkm-zf, mkkm-mf, mkkm-knn, mkkm-af: multiple kernel k-means on kernels that were filled beforehand.

Multiple kernel k-means (Gonen and Margolin, NIPS 2014; Liu et al., AAAI 2019, Eq. 1) alternates between the partition
and the kernels' weights. The published program starts from equal weights, and stops when the objective changes by less
than .001 of itself; so does this one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.kernel import SPEC_MKKM_AF, SPEC_MKKM_KNN, SPEC_MKKM_MF, SPEC_MKKM_ZF
from mvarena.algorithms.kernel.base import kernel_matrices, large_enough, partition_representation, require_at_least
from mvarena.algorithms.kernel.stopping import Stopping
from mvarena.algorithms.square import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.data import MultiViewData
from mvarena.errors import unknown_name
from mvarena.numerics.kernel_filling import mean_filled, neighbour_filled, partition_filled, zero_filled
from mvarena.numerics.simplex_weights import inverse_weights
from mvarena.numerics.spectral import top_eigenvectors


@dataclass(frozen=True, eq=False, slots=True)
class KernelPartition:
    """The partition H (n, k), H^T H = I; the weights (V,); the objective per iteration; how the iterations ended."""

    partition: NDArray[np.float64]
    weights: NDArray[np.float64]
    objective: NDArray[np.float64]
    converged: bool
    stopped_because: str

    def representation(self) -> Representation:
        """The same as a contestant's result: see `partition_representation`."""
        return partition_representation(
            self.partition, self.weights, self.objective, self.converged, self.stopped_because
        )


def combined(kernels: Sequence[NDArray[np.float64]], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """K_gamma = sum_p gamma_p^2 K_p (n, n). Cost O(V n^2), two n x n matrices."""
    total = np.zeros_like(kernels[0])
    term = np.empty_like(total)
    for kernel, weight in zip(kernels, weights, strict=True):
        np.multiply(kernel, weight**2, out=term)
        total += term
    return total


def equal_weights(n_views: int) -> NDArray[np.float64]:
    """1 / V for each view: where every method of this family starts."""
    return np.full(n_views, 1.0 / n_views)


def unexplained(kernel: NDArray[np.float64], partition: NDArray[np.float64]) -> float:
    """tr(K (I - H H^T)): what of a kernel the partition leaves unexplained. Cost O(n^2 k)."""
    return float(np.trace(kernel) - np.vdot(partition, kernel @ partition))


def mkkm(kernels: Sequence[NDArray[np.float64]], n_clusters: int, stopping: Stopping) -> KernelPartition:
    """Multiple kernel k-means on complete kernels (n, n).

    min tr(K_gamma (I - H H^T)) over H^T H = I and gamma on the simplex (Eq. 1). Each update is the exact minimiser,
    so the objective never rises. Cost per iteration: k eigenvectors of one n x n matrix and O(V n^2 k).
    """
    gamma = equal_weights(len(kernels))
    objective: list[float] = []
    while True:
        H = top_eigenvectors(combined(kernels, gamma), n_clusters)[1]
        costs = np.array([unexplained(kernel, H) for kernel in kernels])
        gamma = inverse_weights(costs)
        objective.append(float(gamma**2 @ costs))
        ended = stopping.reason(objective)
        if ended:
            return KernelPartition(H, gamma, np.array(objective), *ended)


def alignment_filled(
    kernels: Sequence[NDArray[np.float64]], mask: NDArray[np.bool_], n_clusters: int, ridge: float
) -> list[NDArray[np.float64]]:
    """Each missing part from the partition of the zero-filled kernels' mean: one imputation step of MKKM-IK.

    Source: the published experiments' form of Trivedi et al., NIPS workshop 2010, which itself uses a graph Laplacian
    of the other view in place of I - H H^T.
    """
    H = top_eigenvectors(combined(kernels, equal_weights(len(kernels))), n_clusters)[1]
    with large_enough(ridge):
        return [
            kernel if seen.all() else partition_filled(kernel, seen, H, ridge)
            for kernel, seen in zip(kernels, mask.T, strict=True)
        ]


def filled(
    kernels: Sequence[NDArray[np.float64]], mask: NDArray[np.bool_], filling: str, n_neighbors: int = 7
) -> list[NDArray[np.float64]]:
    """The zero-filled kernels (n, n) filled by name: zero, mean or knn."""
    if filling == "zero":
        return zero_filled(kernels)
    if filling == "mean":
        return mean_filled(kernels, mask)
    if filling == "knn":
        return neighbour_filled(kernels, mask, n_neighbors)
    raise unknown_name("filling", filling, ("zero", "mean", "knn"), "The fillings are zero, mean and knn.")


class MKKM(SquareClusterer):
    """Multiple kernel k-means on filled kernels; subclasses fill."""

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        tol: float = 1e-3,
        max_iter: int = 100,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    def squares(self, n_views: int) -> int:
        return n_views + 3

    @abstractmethod
    def fill(
        self, kernels: list[NDArray[np.float64]], mask: NDArray[np.bool_], n_clusters: int
    ) -> list[NDArray[np.float64]]:
        """The kernels without gaps."""

    def represent(self, data: MultiViewData) -> Representation:
        k = self.check(data)
        stopping = Stopping(self.tol, self.max_iter, earliest=2)
        return mkkm(self.fill(kernel_matrices(data), data.mask, k), k, stopping).representation()


class MKKMZF(MKKM):
    """MKKM with zero filling: a missing sample is similar to nothing.

    Parameters: tol (relative change of the objective), max_iter. Cost O(n^2 (V + k)) per iteration and k eigenvectors;
    3 n^2 doubles.
    """

    spec = SPEC_MKKM_ZF

    def squares(self, n_views: int) -> int:
        del n_views
        return 3

    def fill(
        self, kernels: list[NDArray[np.float64]], mask: NDArray[np.bool_], n_clusters: int
    ) -> list[NDArray[np.float64]]:
        del n_clusters
        return filled(kernels, mask, "zero")


class MKKMMF(MKKM):
    """MKKM with mean filling: a missing sample is the mean of the view's observed ones, in feature space.

    Parameters: tol (relative change of the objective), max_iter. Cost O(n^2 (V + k)) per iteration and k eigenvectors;
    (V + 3) n^2 doubles.
    """

    spec = SPEC_MKKM_MF

    def fill(
        self, kernels: list[NDArray[np.float64]], mask: NDArray[np.bool_], n_clusters: int
    ) -> list[NDArray[np.float64]]:
        del n_clusters
        return filled(kernels, mask, "mean")


class MKKMKNN(MKKM):
    """MKKM with neighbour filling: a missing row is the mean of its neighbours' rows in the other views' mean kernel.

    Parameters: n_neighbors (7 in the papers), tol (relative change of the objective), max_iter. Cost O(V n^2 n_m) for
    n_m missing samples to fill, O(n^2 (V + k)) per iteration; (V + 5) n^2 doubles.
    """

    spec = SPEC_MKKM_KNN

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        n_neighbors: int = 7,
        tol: float = 1e-3,
        max_iter: int = 100,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        super().__init__(n_clusters=n_clusters, tol=tol, max_iter=max_iter, n_init=n_init, random_state=random_state)
        self.n_neighbors = n_neighbors

    def squares(self, n_views: int) -> int:
        return n_views + 5

    def fill(
        self, kernels: list[NDArray[np.float64]], mask: NDArray[np.bool_], n_clusters: int
    ) -> list[NDArray[np.float64]]:
        del n_clusters
        require_at_least("n_neighbors", self.n_neighbors, 1)
        return filled(kernels, mask, "knn", self.n_neighbors)


class MKKMAF(MKKM):
    """MKKM with alignment-maximising filling: one imputation from the partition of the zero-filled kernels.

    Parameters: ridge (added to U_mm before it is inverted, .001 in the published program), tol (relative change of the
    objective), max_iter. Cost O(n^2 (V + k)) per iteration and k eigenvectors; (V + 3) n^2 doubles.
    """

    spec = SPEC_MKKM_AF

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        ridge: float = 1e-3,
        tol: float = 1e-3,
        max_iter: int = 100,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        super().__init__(n_clusters=n_clusters, tol=tol, max_iter=max_iter, n_init=n_init, random_state=random_state)
        self.ridge = ridge

    def fill(
        self, kernels: list[NDArray[np.float64]], mask: NDArray[np.bool_], n_clusters: int
    ) -> list[NDArray[np.float64]]:
        require_at_least("ridge", self.ridge, 0)
        return alignment_filled(kernels, mask, n_clusters, self.ridge)
