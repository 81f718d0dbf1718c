"""IMG: incomplete multi-modal grouping of two views (Zhao, Liu and Fu, IJCAI 2016).

    min  |[X1; X2] - [P1; P2] U1|^2 + |[Y2; Y3] - [P2; P3] U2|^2 + lambda (|U1|^2 + |U2|^2)
         + beta tr(P^T L_A P) + gamma |A|^2,   rows of A on the simplex,

by ADMM with a copy Q of P = [P2; P1; P3]. The authors' code differs in two ways, kept under `clipped`: it gives row i
of A the value (1 + sum d)/n - d and clips it at 0 where the paper's minimum is the projection on the simplex, and its
first Q step takes a random matrix for the Laplacian. Ours starts from the uniform graph. ADMM's objective need not
fall; what must vanish is the distance between P and Q.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from mvarena.algorithms.nmf.filled_view import PartialPair
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.kernels import squared_distances
from mvarena.numerics.nmf import nndsvd, side_by_side, squared_norm
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.system.threads import one_linear_algebra_thread

Array = NDArray[np.float64]

_MU, _RHO, _MU_MAX = 0.1, 1.1, 1e10


@dataclass(frozen=True, eq=False, slots=True)
class IMGResult:
    """U1, U2 : (k, d). P : (n, k) and A : (n, n), samples in the order both, first only, second only.

    gap : per iteration, the largest |P - Q|. history : the objective after each.
    """

    U1: Array
    U2: Array
    P: Array
    A: Array
    gap: Array
    history: History


def similarity_graph(Q: Array, share: float, *, clipped: bool = False) -> Array:
    """A (n, n) for representations Q (n, k), made symmetric; share = beta / (4 gamma). Cost O(n^2 (k + log n))."""
    d = share * squared_distances(Q)
    rows = np.maximum((1.0 + d.sum(axis=1, keepdims=True)) / len(d) - d, 0.0) if clipped else project_simplex_rows(-d)
    return np.asarray((rows + rows.T) / 2)


def img(
    pair: PartialPair,
    P: Array,
    laplacian: Array,
    stopping: Stopping,
    *,
    lam: float,
    beta: float,
    gamma: float,
    clipped: bool = False,
) -> IMGResult:
    """The ADMM from explicit starts.

    Parameters
    ----------
    pair : the two views. P : (n, k) start in the order both, first only, second only. laplacian : (n, n) of the
        first Q step. clipped : the authors' graph step. stopping : its `tol` is what no entry of P - Q may exceed.

    Cost per iteration: O(nnz k) and the solution of an n x n system, O(n^3) with a small constant.
    """
    n2, n1, _ = pair.sizes
    k = P.shape[1]
    Q, multiplier, mu = P, np.zeros_like(P), _MU
    # L is kept as D - A; the first one may be any matrix, and only its symmetric part counts
    A, degrees = -(laplacian + laplacian.T) / 2, np.zeros(len(P))
    ridge = lam * np.eye(k)
    norm = sum(squared_norm(block) for block in (pair.X1, pair.X2, pair.Y2, pair.Y3))
    history, gap = History(stopping), []
    while not history.ended:
        P2 = P[:n2]
        gram = P2.T @ P2 + ridge
        U1 = np.linalg.solve(gram, np.asarray(pair.X2.T @ P2).T)
        U2 = np.linalg.solve(gram, np.asarray(pair.Y2.T @ P2).T)
        product = _products(pair, U1, U2)
        target = 2.0 * product - multiplier + mu * Q
        P = np.vstack(
            [
                _ridge(target[:n2], U1 @ U1.T + U2 @ U2.T, mu),
                _ridge(target[n2 : n2 + n1], U1 @ U1.T, mu),
                _ridge(target[n2 + n1 :], U2 @ U2.T, mu),
            ]
        )
        system = A * (-2.0 * beta)
        system[np.diag_indices_from(system)] += 2.0 * beta * degrees + mu
        Q = _solved(system, multiplier + mu * P)
        A = similarity_graph(Q, beta / (4.0 * gamma), clipped=clipped)
        degrees = A.sum(axis=1)
        multiplier = multiplier + mu * (P - Q)
        mu = min(mu * _RHO, _MU_MAX)
        gap.append(float(np.abs(P - Q).max()))
        history.add(
            _fit(norm, product, P, U1, U2, n2, n1)
            + lam * (squared_norm(U1) + squared_norm(U2))
            + beta * float(np.vdot(P, degrees[:, None] * P - A @ P))
            + gamma * squared_norm(A),
            violation=gap[-1],
        )
    return IMGResult(U1, U2, P, A, np.array(gap), history)


def _solved(system: Array, right: Array) -> Array:
    """The solution for a symmetric matrix: by Cholesky, at half the cost, where it is positive definite, as with the
    Laplacian of a graph."""
    try:
        factor = linalg.cho_factor(system.T, lower=True, check_finite=False)
    except linalg.LinAlgError:
        return np.asarray(linalg.solve(system, right, assume_a="sym", check_finite=False))
    return np.asarray(linalg.cho_solve(factor, right, check_finite=False))


def _products(pair: PartialPair, U1: Array, U2: Array) -> Array:
    """(n, k) the data times the bases, summed over the views that a sample has."""
    paired = np.asarray(pair.X2 @ U1.T) + np.asarray(pair.Y2 @ U2.T)
    return np.vstack([paired, np.asarray(pair.X1 @ U1.T), np.asarray(pair.Y3 @ U2.T)])


def _ridge(target: Array, gram: Array, mu: float) -> Array:
    return np.asarray(np.linalg.solve(2.0 * gram + mu * np.eye(len(gram)), target.T).T, dtype=np.float64)


def _fit(norm: float, product: Array, P: Array, U1: Array, U2: Array, n2: int, n1: int) -> float:
    """Both reconstruction errors; a group's gram matrix is that of the bases of its views."""
    first, second = P[: n2 + n1], np.vstack([P[:n2], P[n2 + n1 :]])
    fitted = float(np.vdot(first @ (U1 @ U1.T), first)) + float(np.vdot(second @ (U2 @ U2.T), second))
    return max(norm - 2.0 * float(np.vdot(product, P)) + fitted, 0.0)


def start_of(pair: PartialPair, k: int) -> Array:
    """P (n, k): NNDSVD of the paired samples, and the least-squares fit to its bases for the others."""
    paired, basis = nndsvd(side_by_side([pair.X2, pair.Y2]), k, fill="mean")
    first, second = np.split(basis, [pair.X2.shape[1]])
    fits = [np.asarray(block @ np.linalg.pinv(B).T) for block, B in ((pair.X1, first), (pair.Y3, second))]
    return np.vstack([paired, *fits])


class IMG(MultiViewClusterer):
    """Incomplete multi-modal grouping of two views (Zhao et al. 2016): spectral clustering of the learned graph.

    Parameters
    ----------
    lam, beta, gamma : weights of the bases' size, of the Laplacian term and of the graph's size (0.01, 1, 100).
    max_iter : ADMM iterations at most. tol : the largest |P - Q| at the end.
    clipped : the authors' graph step instead of the projection on the simplex.

    Takes values of either sign. Needs samples seen in both views.
    """

    lam: Positive = 0.01
    beta: Positive = 1.0
    gamma: Positive = 100.0
    max_iter: Count = 200
    tol: NonNegative = 1e-8
    clipped: bool = False

    def memory_needed(self, data: MultiViewData) -> int:
        return 9 * 8 * data.n_samples**2

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        pair, n = PartialPair.split(data.views[0].matrix, data.views[1].matrix, data.mask), data.n_samples
        start, uniform = start_of(pair, n_clusters), np.eye(n) - 1.0 / n
        stopping = Stopping(self.max_iter, self.tol)
        # systems of a few columns between those of n, in which a second thread is waited for
        with one_linear_algebra_thread():
            result = img(
                pair, start, uniform, stopping, lam=self.lam, beta=self.beta, gamma=self.gamma, clipped=self.clipped
            )
        position = np.argsort(pair.order)
        return Representation(
            affinity=result.A[np.ix_(position, position)],
            history=result.history,
            details={"representation": result.P[position], "gap": result.gap},
            by_sample={"representation": (0,)},
        )
