"""limkkm: localised incomplete multiple kernel k-means (Zhu et al., IJCAI 2018).

Clustering and imputation are asked for on the tau n nearest neighbours of every sample. With A = sum_i S_i S_i^T / n,
S_i the indicator of sample i's neighbourhood, the sum over the neighbourhoods is

    min sum_p gamma_p^2 tr(K_p T) + lambda / 2 gamma^T M gamma,   T = A o (I - H H^T),

so H holds the top eigenvectors of A o K_gamma, and the missing part of a kernel follows from T as MKKM-IK's from
I - H H^T: K_cm = -K_cc T_cm T_mm^-1, K_mm = T_mm^-1 T_mc K_cc T_cm T_mm^-1.

As in the published program: neighbourhoods come from the mean of the zero-filled kernels and are never refreshed, a
sample is not its own neighbour, .0001 is added to the diagonal of T_mm (`ridge`), the objective is taken after the
imputation and before the weights. lambda = 0 (`regularization`) is the conference paper's form; M_pq = tr(K_p K_q) of
the zero-filled kernels is the regularisation of its later one.

At a small tau a sample may be in nobody's neighbourhood. Its rows of A and H are zero, and so is its row of the
embedding; the published program scales the rounding noise in it to unit length.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from mvarena.algorithms.kernel.partition import (
    KernelPartition,
    combined,
    equal_weights,
    kernel_matrices,
    large_enough,
    published_stopping,
)
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative, Share
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.simplex import regularized_weights
from mvarena.numerics.spectral import top_eigenvectors


def neighbourhood_weights(
    similarities: NDArray[np.float64], n_neighbors: int, order: NDArray[np.int64] | None = None
) -> NDArray[np.float64]:
    """A (n, n): A_ab = the share of the samples that have both a and b among their `n_neighbors` most similar ones.

    Of equally similar samples (pairs that no view observes together have similarity 0) the first in `order` are taken,
    by default those of largest total similarity. Cost O(n^2 log n) and one product of n x n matrices.
    """
    n = len(similarities)
    if order is None:
        order = np.argsort(-similarities.sum(axis=1), kind="stable")
    member = np.zeros((n, n), dtype=np.float32)  # counts up to 2^24 are exact in float32
    for sample in range(n):
        ranked = order[np.argsort(-similarities[sample, order], kind="stable")]
        member[ranked[ranked != sample][:n_neighbors], sample] = 1.0
    weights = (member @ member.T).astype(np.float64)
    weights /= n
    return weights


def imputed_locally(
    kernel: NDArray[np.float64], seen: NDArray[np.bool_], T: NDArray[np.float64], ridge: float
) -> NDArray[np.float64]:
    """The kernel (n, n) with the missing part that minimises tr(K (T + ridge on the missing diagonal)).

    Raises InvalidSetting where T_mm + ridge I is singular. Cost O(n_m^3 + n_c^2 n_m) for n_c observed and n_m missing
    samples; memory, beyond the result, n_m (n_m + 2 n_c).
    """
    if seen.all():
        return kernel
    missing, observed = np.flatnonzero(~seen), np.flatnonzero(seen)
    T_mm = T[np.ix_(missing, missing)]
    T_mm[np.diag_indices_from(T_mm)] += ridge
    with large_enough(ridge):
        factor = linalg.cho_factor(T_mm, overwrite_a=True, check_finite=False)
    mapping = -linalg.cho_solve(factor, T[np.ix_(missing, observed)], overwrite_b=True, check_finite=False)
    crossed = mapping @ kernel[np.ix_(observed, observed)]
    filled = kernel.copy()
    filled[np.ix_(missing, observed)] = crossed
    filled[np.ix_(observed, missing)] = crossed.T
    filled[np.ix_(missing, missing)] = crossed @ mapping.T
    return filled


def limkkm(
    kernels: Sequence[NDArray[np.float64]],
    mask: NDArray[np.bool_],
    n_clusters: int,
    A: NDArray[np.float64],
    regularization: float,
    ridge: float,
    stopping: Stopping,
) -> KernelPartition:
    """LI-MKKM from equal weights.

    Parameters
    ----------
    kernels : V zero-filled kernels (n, n); mask : (n, V), True where observed.
    A : (n, n) the `neighbourhood_weights`.

    Cost per iteration: k eigenvectors of one n x n matrix, one Cholesky factorisation of T_mm and two products of
    n x n_m and n x n matrices per view; (V + 4) n^2 doubles beyond the kernels.
    """
    gamma = equal_weights(len(kernels))
    M = np.zeros((len(kernels), len(kernels)))
    if regularization > 0:
        M[:] = [[np.vdot(kernel, other) for other in kernels] for kernel in kernels]
    current = list(kernels)
    history = History(stopping)
    while True:
        localized = combined(current, gamma)
        localized *= A
        H = top_eigenvectors(localized, n_clusters)[1]
        T = np.matmul(H, -H.T, out=localized)
        T[np.diag_indices_from(T)] += 1.0
        T *= A
        for p, seen in enumerate(mask.T):
            current[p] = kernels[p]  # frees the last imputation before the next one is made
            current[p] = imputed_locally(kernels[p], seen, T, ridge)
        costs = np.array([np.vdot(kernel, T) for kernel in current])
        history.add(float(gamma**2 @ costs + regularization / 2 * (gamma @ M @ gamma)))
        gamma = regularized_weights(costs, M, regularization)
        if history.ended:
            return KernelPartition(H, gamma, history)
        del localized, T


class LIMKKM(SquareClusterer):
    """Localised incomplete multiple kernel k-means.

    Parameters
    ----------
    tau : a neighbourhood's share of the samples, rounded, at least one; the papers search .1 to .9.
    regularization : lambda; 0 is the conference form. ridge : added to T_mm.
    tol, max_iter : stop at this relative change of the objective, or after so many iterations.

    Departure from the published program, which moves results where samples share no view, as their similarity is then
    0: of equally similar samples those of larger total similarity are neighbours first. The program takes them in the
    samples' order, so that another order gives other clusters.
    """

    tau: Share = 0.5
    regularization: NonNegative = 0.0
    ridge: NonNegative = 1e-4
    tol: NonNegative = 1e-4
    max_iter: Count = 100

    def squares(self, n_views: int) -> int:
        return n_views + 4

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        n_neighbors = min(max(round(self.tau * data.n_samples), 1), data.n_samples - 1)
        kernels = kernel_matrices(data)
        A = neighbourhood_weights(sum(kernels[1:], kernels[0]), n_neighbors)
        stopping = published_stopping(self.max_iter, self.tol)
        return limkkm(kernels, data.mask, n_clusters, A, self.regularization, self.ridge, stopping).representation()
