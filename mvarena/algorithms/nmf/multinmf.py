"""MultiNMF: one nonnegative factorisation per view, all pulled towards a consensus (Liu et al., SDM 2013).

    min  sum_v |X_v - V_v U_v^T|_F^2 + lambda_v |V_v Q_v - V*|_F^2,   U_v, V_v, V* >= 0,

where Q_v = diag(column sums of U_v).

X_v is n x d_v here (the paper has features x samples). The solver matches the authors' package number for number;
where that departs from the paper, the starting values are the caller's: it takes the first view's V for the first
consensus, and starts each view from the V of the view before in three chained sweeps of plain NMF. This is why the
result depends on which view comes first. The package draws its starts at random, ours come from NNDSVD.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.nmf import MULTINMF as SPEC
from mvarena.algorithms.nmf.trace import Trace
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.factorization import lee_seung, ratio_step, squared_norm, squared_residual, unit_sum_columns
from mvarena.numerics.svd_starts import nndsvd

Array = NDArray[np.float64]

_WARM_UP_SWEEPS = 3


@dataclass(frozen=True, eq=False, slots=True)
class MultiNMFResult:
    """U : basis (d_v, k) per view, columns summing to 1. V : coefficients (n, k) per view. consensus : V* (n, k).

    trace : the objective at the start and after each round. n_iter : rounds.
    """

    U: list[Array]
    V: list[Array]
    consensus: Array
    trace: Trace
    n_iter: int


def per_view_solve(
    X: Any, U: Array, V: Array, consensus: Array, *, weight: float, steps: int, repeats: int = 1
) -> tuple[Array, Array]:
    """One view's U (d, k) and V (n, k) for a fixed consensus V* (n, k): lines 5-9 of Algorithm 1.

    weight : lambda_v. steps : multiplicative updates of both factors. repeats : how often a factor is updated for
    one product with X (1 in the paper); more cost next to nothing and need fewer steps (Gillis and Glineur 2012).

    Every update lowers |X - V U^T|^2 + lambda |V Q - V*|^2. Cost O(nnz(X) k + repeats (n + d) k^2) per step.
    """
    for _ in range(steps):
        U, V = unit_sum_columns(U, V)
        attracting, gram = X @ U + weight * consensus, U.T @ U
        for _ in range(repeats):
            V = ratio_step(V, attracting, V @ gram + weight * V, root=False)  # Eq. 3.8
        gram, pull, size = V.T @ V, weight * (V * consensus).sum(axis=0), weight * np.square(V).sum(axis=0)
        attracting = X.T @ V + pull
        for _ in range(repeats):
            U = ratio_step(U, attracting, U @ gram + size * U.sum(axis=0), root=False)  # Eq. 3.10
    return unit_sum_columns(U, V)


def multinmf(
    views: Sequence[Any],
    U: Sequence[Array],
    V: Sequence[Array],
    consensus: Array,
    *,
    weights: Sequence[float],
    rounds: int = 30,
    steps: int = 200,
    repeats: int = 1,
    tol: float = 0.0,
) -> MultiNMFResult:
    """Algorithm 1 from explicit starts.

    Parameters
    ----------
    views : (n, d_v) nonnegative, dense or CSR. U : (d_v, k), V : (n, k) per view. consensus : V* (n, k).
    weights : lambda_v per view. rounds, steps : outer and inner iterations. tol : see `Trace`.

    The objective never rises. Cost per round: `steps` times O(sum_v nnz(X_v) k + (n V + sum d_v) k^2).
    """
    scaled = [unit_sum_columns(u, v) for u, v in zip(U, V, strict=True)]
    U, V = [u for u, _ in scaled], [v for _, v in scaled]
    norms = [squared_norm(X) for X in views]
    trace = Trace(tol)
    trace.add(_objective(views, norms, U, V, consensus, weights))
    for _ in range(rounds):
        for v, X in enumerate(views):
            U[v], V[v] = per_view_solve(X, U[v], V[v], consensus, weight=weights[v], steps=steps, repeats=repeats)
        consensus = np.average(V, axis=0, weights=weights)  # Eq. 3.12, with Q_v = I
        if trace.add(_objective(views, norms, U, V, consensus, weights)):
            break
    return MultiNMFResult(U, V, consensus, trace, len(trace.values) - 1)


def _objective(
    views: Sequence[Any],
    norms: Sequence[float],
    U: Sequence[Array],
    V: Sequence[Array],
    consensus: Array,
    weights: Sequence[float],
) -> float:
    """Eq. 3.3, with the columns of every U summing to 1."""
    total = 0.0
    for X, norm, u, v, weight in zip(views, norms, U, V, weights, strict=True):
        total += squared_residual(norm, X @ u, v, u) + weight * squared_norm(v - consensus)
    return total


def chained_starts(views: Sequence[Any], k: int, steps: int) -> tuple[list[Array], list[Array]]:
    """U and V per view after three sweeps of plain NMF, each view starting from the V of the one before."""
    U = [nndsvd(X, k, fill="mean")[1] for X in views]
    V = nndsvd(views[0], k, fill="mean")[0]
    coefficients: list[Array] = [V for _ in views]
    for _ in range(_WARM_UP_SWEEPS):
        for v, X in enumerate(views):
            V, U[v] = lee_seung(X, V, U[v], steps)
            coefficients[v] = V
    return U, coefficients


class MultiNMF(MultiViewClusterer):
    """MultiNMF (Liu et al. 2013): k-means on the consensus of joint nonnegative factorisations.

    Parameters
    ----------
    consensus_weight : lambda_v, the same for all views (0.01 in the paper).
    rounds, steps : outer iterations, and inner ones per view and round: 30 and 200 in the authors' package, which
        costs a hundred times as much; `repeats` makes up for most of it.
    warm_up : steps of plain NMF per view in each of the three sweeps before the first round.
    repeats : updates of a factor per product with the data (1 in the package).
    tol : stop when a round changes the objective by less than this share.

    Each view is divided by the sum of its entries first, as in the paper. Raises InvalidSetting for a view whose
    entries are all zero. Time O(rounds steps (sum_v nnz(X_v) k + n V k^2)), memory O((n V + sum d_v) k).
    """

    spec = SPEC

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        consensus_weight: float = 0.01,
        rounds: int = 20,
        steps: int = 3,
        warm_up: int = 10,
        repeats: int = 8,
        tol: float = 1e-3,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.consensus_weight = consensus_weight
        self.rounds = rounds
        self.steps = steps
        self.warm_up = warm_up
        self.repeats = repeats
        self.tol = tol
        self.n_init = n_init
        self.random_state = random_state

    def represent(self, data: MultiViewData) -> Representation:
        k = self.check(data)
        if self.consensus_weight <= 0:
            raise InvalidSetting(f"multinmf: consensus_weight must be above 0, not {self.consensus_weight}.")
        views = [_unit_total(view.name, view.matrix) for view in data.views]
        U, V = chained_starts(views, k, self.warm_up)
        weights = [self.consensus_weight] * len(views)
        found = multinmf(
            views, U, V, V[0], weights=weights, rounds=self.rounds, steps=self.steps, repeats=self.repeats, tol=self.tol
        )
        return Representation(
            embedding=found.consensus,
            objective=found.trace.objective,
            n_iter=found.n_iter,
            converged=found.trace.converged,
            stopped_because=found.trace.reason(found.n_iter),
            details={f"basis_{view.name}": u for view, u in zip(data.views, found.U, strict=True)},
        )


def _unit_total(name: str, matrix: Any) -> Any:
    total = float(matrix.sum())
    if total <= 0:
        raise InvalidSetting(f"multinmf cannot scale view '{name}': all its entries are zero; leave the view out.")
    return matrix / total
