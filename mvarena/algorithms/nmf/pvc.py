"""PVC: partial multi-view clustering of two views (Li, Jiang and Zhou, AAAI 2014).

    min  |[X1; X2] - [P1; P2] Ux|^2 + |[Y2; Y3] - [P2; P3] Uy|^2 + lambda |P|_1,   U, P >= 0,

where samples seen in both views (X2, Y2) share their representation P2. Every block is solved exactly, by coordinate
descent, so the objective never rises. The authors' package solves each block to about 1e-6 and agrees to 1e-5; it
multiplies lambda by features / k per block (`scale_penalty`, off here as the paper does not say so), and stops by an
objective with unsquared norms.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.nmf.filled_view import PartialPair
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.nmf import coordinate_descent, nndsvd, side_by_side, squared_norm, squared_residual
from mvarena.numerics.scaling import unit_rows

Array = NDArray[np.float64]

_START = Stopping(20, 1e-6)


@dataclass(frozen=True, eq=False, slots=True)
class PVCResult:
    """Ux (k, dx), Uy (k, dy): bases. P1, P2, P3: representations of the samples in view 1 only, in both, in 2 only."""

    Ux: Array
    Uy: Array
    P1: Array
    P2: Array
    P3: Array
    history: History


@dataclass(frozen=True, slots=True)
class PVCPenalties:
    """lambda for P1, P2, P3: one value in the paper, times features / k per block in the authors' package."""

    first: float
    both: float
    second: float

    @classmethod
    def of(cls, pair: PartialPair, k: int, lam: float, *, scaled: bool) -> PVCPenalties:
        if not scaled:
            return cls(lam, lam, lam)
        dx, dy = pair.X2.shape[1], pair.Y2.shape[1]
        return cls(lam * dx / k, lam * (dx + dy) / k, lam * dy / k)


def _basis(U: Array, gram: Array, product: Array) -> Array:
    return coordinate_descent(U.T, gram, product).T


def solve_paired(pair: PartialPair, P2: Array, penalty: float) -> tuple[Array, Array, Array]:
    """Ux, Uy, P2 of the samples seen in both views alone, from a start of P2 (n2, k)."""
    Ux, Uy = np.ones((P2.shape[1], pair.X2.shape[1])), np.ones((P2.shape[1], pair.Y2.shape[1]))
    norm, history = squared_norm(pair.X2) + squared_norm(pair.Y2), History(_START)
    while not history.ended:
        gram = P2.T @ P2
        Ux, Uy = _basis(Ux, gram, pair.X2.T @ P2), _basis(Uy, gram, pair.Y2.T @ P2)
        P2, product = _shared(pair, P2, Ux, Uy, penalty)
        basis = np.hstack([Ux, Uy]).T
        history.add(squared_residual(norm, product, P2, basis) + penalty * float(P2.sum()))
    return Ux, Uy, P2


def _shared(pair: PartialPair, P2: Array, Ux: Array, Uy: Array, penalty: float) -> tuple[Array, Array]:
    product = np.asarray(pair.X2 @ Ux.T) + np.asarray(pair.Y2 @ Uy.T)
    return coordinate_descent(P2, Ux @ Ux.T + Uy @ Uy.T, product, l1=penalty), product


def pvc(pair: PartialPair, P2: Array, stopping: Stopping, *, penalties: PVCPenalties) -> PVCResult:
    """Algorithm 1 from a start of the shared representation P2 (n2, k).

    Alternates exact solutions of (P1, P3), (Ux, Uy) and P2 after those of the paired samples alone. Cost per
    iteration: O(nnz k) and at most 500 sweeps of O((n + dx + dy) k^2), in fact far fewer.
    """
    Ux, Uy, P2 = solve_paired(pair, P2, penalties.both)
    k = P2.shape[1]
    P1, P3 = np.zeros((pair.X1.shape[0], k)), np.zeros((pair.Y3.shape[0], k))
    norm = sum(squared_norm(block) for block in (pair.X1, pair.X2, pair.Y2, pair.Y3))
    history = History(stopping)
    while not history.ended:
        P1 = coordinate_descent(P1, Ux @ Ux.T, pair.X1 @ Ux.T, l1=penalties.first)
        P3 = coordinate_descent(P3, Uy @ Uy.T, pair.Y3 @ Uy.T, l1=penalties.second)
        Ux = _basis(Ux, P1.T @ P1 + P2.T @ P2, np.asarray(pair.X1.T @ P1) + np.asarray(pair.X2.T @ P2))
        Uy = _basis(Uy, P2.T @ P2 + P3.T @ P3, np.asarray(pair.Y2.T @ P2) + np.asarray(pair.Y3.T @ P3))
        P2, shared = _shared(pair, P2, Ux, Uy, penalties.both)
        history.add(
            squared_residual(norm, shared, P2, np.hstack([Ux, Uy]).T)
            + _change(pair.X1 @ Ux.T, P1, Ux)
            + _change(pair.Y3 @ Uy.T, P3, Uy)
            + penalties.first * float(P1.sum())
            + penalties.both * float(P2.sum())
            + penalties.second * float(P3.sum())
        )
    return PVCResult(Ux, Uy, P1, P2, P3, history)


def _change(product: Array, P: Array, U: Array) -> float:
    """|X - P U|^2 - |X|^2."""
    return float(np.vdot(P @ (U @ U.T), P)) - 2.0 * float(np.vdot(product, P))


class PVC(MultiViewClusterer):
    """Partial multi-view clustering of two views (Li et al. 2014): k-means on the representation P.

    Parameters
    ----------
    penalty : lambda (0.01 in the paper). scale_penalty : multiply it by features / k per block, as the package does.
    max_iter : outer iterations (20 in the package). tol : the relative change of the objective at the end.
    unit_length : scale the rows of P to unit length before k-means, as the package does.

    Needs samples seen in both views.
    """

    penalty: NonNegative = 0.01
    scale_penalty: bool = False
    max_iter: Count = 20
    tol: NonNegative = 1e-6
    unit_length: bool = True

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        pair = PartialPair.split(data.views[0].matrix, data.views[1].matrix, data.mask)
        start = nndsvd(side_by_side([pair.X2, pair.Y2]), n_clusters, fill="mean")[0]
        penalties = PVCPenalties.of(pair, n_clusters, self.penalty, scaled=self.scale_penalty)
        result = pvc(pair, start, Stopping(self.max_iter, self.tol), penalties=penalties)
        P = pair.in_data_order(result.P2, result.P1, result.P3)
        return Representation(
            embedding=unit_rows(P) if self.unit_length else P,
            history=result.history,
            details={"basis_first": result.Ux, "basis_second": result.Uy},
        )
