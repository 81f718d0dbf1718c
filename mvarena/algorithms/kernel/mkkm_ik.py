"""mkkm-ik: multiple kernel k-means that imputes the kernels while it clusters (Liu et al., AAAI 2017; EE-IMVC, Eq. 2).

An imputed kernel is never written out. With H_c, H_m the rows of H that view p observes and misses (zero elsewhere),
G = ((1 + ridge) I - H_m^T H_m)^-1 and P = K H_c, Woodbury's identity turns K_cm = -K_cc U_cm U_mm^-1 and
K_mm = U_mm^-1 U_mc K_cc U_cm U_mm^-1, U = I - H H^T, into

    K_p = K + P G H_m^T + H_m G P^T + H_m G (H_c^T P) G H_m^T,

so an iteration needs one Cholesky factorisation of a k x k matrix per view instead of one of U_mm.

Departures. The published program adds .001 to the diagonal of U_mm (`ridge`; the paper inverts U_mm itself, which is
singular where the observed rows of H have rank below k) and 1e-12 to that of every kernel (left out here). With the
ridge the imputation is the minimiser of the objective plus ridge * sum_p gamma_p^2 tr(K_mm); the weights leave that
term out, as theirs do, so only ridge 0 guarantees that the objective never rises. The filling matters for the first H.
Their limit is looked at after the iteration: 31 are run where 30 are named, and so here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.kernel.partition import (
    Filling,
    KernelPartition,
    combined,
    equal_weights,
    filled,
    kernel_matrices,
    large_enough,
    published_stopping,
)
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.kernel_filling import capacitance
from mvarena.numerics.simplex import inverse_weights
from mvarena.numerics.spectral import top_eigenvectors


@dataclass(frozen=True, eq=False, slots=True)
class Imputation:
    """The imputed part of a kernel, L R^T + R L^T with L = H_m and R (n, k), and what the partition leaves unexplained.

    left, right : (n, k). unexplained : tr(K_p (I - H H^T)) of the imputed kernel.
    """

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    unexplained: float


def imputation(
    kernel: NDArray[np.float64], seen: NDArray[np.bool_], partition: NDArray[np.float64], ridge: float
) -> Imputation:
    """Missing entries of a zero-filled kernel (n, n), given the partition H (n, k). Cost O(n^2 k)."""
    H_c = np.where(seen[:, None], partition, 0.0)
    H_m = partition - H_c
    with large_enough(ridge):
        G = capacitance(partition, seen, ridge)
    P = kernel @ H_c
    C = H_c.T @ P
    M = H_m.T @ H_m
    trace = np.trace(kernel) + np.sum(M * (G @ C @ G))
    explained = np.trace(C) + 2 * np.sum(C * (G @ M).T) + np.sum(C * (G @ M @ M @ G))
    return Imputation(H_m, P @ G + H_m @ (G @ C @ G / 2), float(trace - explained))


def mkkm_ik(
    kernels: Sequence[NDArray[np.float64]],
    mask: NDArray[np.bool_],
    n_clusters: int,
    ridge: float,
    stopping: Stopping,
    start: NDArray[np.float64],
) -> KernelPartition:
    """MKKM-IK from a first partition.

    Parameters
    ----------
    kernels : V zero-filled kernels (n, n); mask : (n, V), True where observed.
    start : (n, k) the first H, orthonormal columns.

    min tr(K_gamma (I - H H^T)) over H, gamma and the missing parts of the kernels (EE-IMVC, Eq. 2). Cost per iteration:
    k eigenvectors of one n x n matrix and O(V n^2 k); two n x n matrices beyond the kernels.
    """
    H = start
    history = History(stopping)
    while True:
        parts = [imputation(kernel, seen, H, ridge) for kernel, seen in zip(kernels, mask.T, strict=True)]
        costs = np.array([part.unexplained for part in parts])
        gamma = inverse_weights(costs)
        if history.add(float(gamma**2 @ costs)):
            return KernelPartition(H, gamma, history)
        H = top_eigenvectors(_imputed_combination(kernels, parts, gamma), n_clusters)[1]


def _imputed_combination(
    kernels: Sequence[NDArray[np.float64]], parts: Sequence[Imputation], gamma: NDArray[np.float64]
) -> NDArray[np.float64]:
    """K_gamma of the imputed kernels (n, n)."""
    total = combined(kernels, gamma)
    left = np.hstack([weight**2 * part.left for weight, part in zip(gamma, parts, strict=True)])
    right = np.hstack([part.right for part in parts])
    product = left @ right.T
    total += product
    total += product.T
    return total


class MKKMIK(SquareClusterer):
    """Multiple kernel k-means with incomplete kernels.

    Parameters
    ----------
    filling : of the kernels of the first partition; other than zero it takes (V + 5) n^2 doubles.
    ridge : added to U_mm, .001 as in the published program; 0 is the paper's form.
    tol, max_iter : stop at this relative change of the objective, or after so many iterations.
    """

    filling: Filling = "zero"
    ridge: NonNegative = 1e-3
    tol: NonNegative = 1e-4
    max_iter: Count = 31

    def squares(self, n_views: int) -> int:
        return 3 if self.filling == "zero" else n_views + 5

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        kernels = kernel_matrices(data)
        first = combined(filled(kernels, data.mask, self.filling), equal_weights(data.n_views))
        start = top_eigenvectors(first, n_clusters)[1]
        del first
        stopping = published_stopping(self.max_iter, self.tol)
        return mkkm_ik(kernels, data.mask, n_clusters, self.ridge, stopping, start).representation()
