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
from functools import partial
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge
from numpy.typing import NDArray

from mvarena.algorithms.nmf.filled_view import nonzero_views
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.nmf import lee_seung, nndsvd, ratio_step, squared_norm, squared_residual, unit_sum_columns
from mvarena.numerics.row_blocks import RowBlocks

Array = NDArray[np.float64]

_WARM_UP_SWEEPS = 3


@dataclass(frozen=True, eq=False, slots=True)
class MultiNMFResult:
    """U : bases (d_v, k), columns summing to 1. consensus : V* (n, k). history : the objective from the start on."""

    U: list[Array]
    consensus: Array
    history: History


def per_view_solve(
    X: Any, U: Array, V: Array, consensus: Array, *, weight: float, steps: int, updates: int = 1
) -> tuple[Array, Array]:
    """One view's U (d, k) and V (n, k) for a fixed consensus V* (n, k): lines 5-9 of Algorithm 1.

    weight : lambda_v. steps : multiplicative steps of both factors. updates : how often a factor is updated for
    one product with X (1 in the paper); more cost next to nothing and need fewer steps (Gillis and Glineur 2012).

    Every update lowers |X - V U^T|^2 + lambda |V Q - V*|^2. Cost O(nnz(X) k + updates (n + d) k^2) per step, in
    one pass over the rows.
    """
    V, unscaled = np.array(V, order="C"), np.ones((1, U.shape[1]))
    blocks = RowBlocks([X], U.shape[1])
    rows = blocks.of(X), blocks.of(V), blocks.of(consensus)
    with blocks.side_by_side() as summed:
        for _ in range(steps):
            U, scales = unit_sum_columns(U, unscaled)
            step = partial(_move_rows, U=U, scales=scales, gram=U.T @ U, weight=weight, updates=updates)
            product, gram, shared = summed(step, *rows)
            attracting, size = product + weight * shared, weight * np.diagonal(gram)
            for _ in range(updates):
                U = ratio_step(U, attracting, U @ gram + size * U.sum(axis=0), root=False)  # Eq. 3.10
    return unit_sum_columns(U, V)


def _move_rows(
    X: Any, V: Array, consensus: Array, *, U: Array, scales: Array, gram: Array, weight: float, updates: int
) -> tuple[Array, Array, Array]:
    """Rows of V, in place, scaled as U has been; then X^T V, V^T V and the column sums of V * V*."""
    V *= scales
    attracting, gram = np.asarray(X @ U) + weight * consensus, gram + weight * np.eye(len(gram))
    for _ in range(updates):
        V[:] = ratio_step(V, attracting, V @ gram, root=False)  # Eq. 3.8
    return np.asarray(X.T @ V), V.T @ V, np.einsum("ij,ij->j", V, consensus)


def multinmf(
    views: Sequence[Any],
    U: Sequence[Array],
    V: Sequence[Array],
    consensus: Array,
    stopping: Stopping,
    *,
    weights: Sequence[float],
    steps: int = 200,
    updates: int = 1,
) -> MultiNMFResult:
    """Algorithm 1 from explicit starts.

    Parameters
    ----------
    views : (n, d_v) nonnegative, dense or CSR. U : (d_v, k), V : (n, k) per view. consensus : V* (n, k).
    weights : lambda_v per view. steps, updates : see `per_view_solve`.

    The objective (Eq. 3.3, with the columns of every U summing to 1) never rises. Cost per iteration: `steps` times
    O(sum_v nnz(X_v) k + (n V + sum d_v) k^2).
    """
    scaled = [unit_sum_columns(u, v) for u, v in zip(U, V, strict=True)]
    U, V = [u for u, _ in scaled], [v for _, v in scaled]
    norms = [squared_norm(X) for X in views]

    def objective() -> float:
        return sum(
            squared_residual(norm, X @ u, v, u) + weight * squared_norm(v - consensus)
            for X, norm, u, v, weight in zip(views, norms, U, V, weights, strict=True)
        )

    history = History(stopping, start=objective())
    while not history.ended:
        for v, X in enumerate(views):
            U[v], V[v] = per_view_solve(X, U[v], V[v], consensus, weight=weights[v], steps=steps, updates=updates)
        consensus = np.average(V, axis=0, weights=weights)  # Eq. 3.12, with Q_v = I
        history.add(objective())
    return MultiNMFResult(U, consensus, history)


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
    max_iter, steps : outer iterations, and inner ones per view and outer one: 30 and 200 in the authors' package,
        which costs a hundred times as much; `updates` makes up for most of it.
    updates : of a factor per product with the data (1 in the package).
    warm_up : steps of plain NMF per view in each of the three sweeps before the first iteration.
    tol : the relative change of the objective at the end.

    Each view is divided by the sum of its entries first, as in the paper. Raises InvalidSetting for a view of zeros.
    """

    consensus_weight: Positive = 0.01
    max_iter: Count = 20
    steps: Count = 3
    updates: Count = 8
    warm_up: Annotated[int, Ge(0)] = 10
    tol: NonNegative = 1e-3

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        views = [view.matrix / float(view.matrix.sum()) for view in nonzero_views(data)]
        U, V = chained_starts(views, n_clusters, self.warm_up)
        weights = [self.consensus_weight] * len(views)
        stopping = Stopping(self.max_iter, self.tol)
        result = multinmf(views, U, V, V[0], stopping, weights=weights, steps=self.steps, updates=self.updates)
        bases = {f"basis_{view.name}": u for view, u in zip(data.views, result.U, strict=True)}
        return Representation(embedding=result.consensus, history=result.history, details=bases)
