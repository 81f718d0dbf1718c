"""MIC: weighted joint nonnegative factorisation with L2,1 regularisation (Shao, He and Yu, ECML PKDD 2015).

Eq. 4:  min  sum_i |W_i (X_i - U_i V_i^T)|^2 + alpha |W_i (U_i - U*)|^2 + beta |U_i|_{2,1},   U_i, V_i, U* >= 0,

with the columns of V_i summing to 1. W_i is diagonal: 1 for an observed sample, the fraction observed for a filled one.

Where this departs from the paper, and the published code from it:

- Eq. 13 lacks the weights in its denominator; they follow from Eq. 10 and are there in the code.
- Eq. 18 restores the constraint on V_i by rescaling U_i too, which changes the alpha and beta terms: the objective
  rises in about half of the steps. Here each column of V_i moves to the exact minimum of Eq. 14 on the simplex, so
  the constraint always holds and the objective never rises. `literal=True` keeps the published form.
- Algorithm 1 divides each view by the sum of its entries. U then has entries of order 1/n, the data term is of order
  1/n too or less, and beta = 0.01 swamps it: the representation collapses. A scale s multiplies the data and alpha
  terms by s^2 and the beta term by s, so it only sets what beta means. `MIC.scale` chooses it.
- The code's log sums |U_i| over columns where Eq. 4 sums over rows, and its convergence flag never stops the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.nmf._mic_steps import ViewFactors, consensus_pass, constrained_solve, rescaled_solve
from mvarena.algorithms.nmf.filled_view import FilledView, filled_views
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.nmf import lee_seung, nndsvd, side_by_side, unit_sum_columns
from mvarena.numerics.row_blocks import RowBlocks

Array = NDArray[np.float64]

_WARM_UP = 20


@dataclass(frozen=True, eq=False, slots=True)
class MICResult:
    """U : (n, k), V : (d_i, k) per view. consensus : U* (n, k). history : the objective from the start on."""

    U: list[Array]
    V: list[Array]
    consensus: Array
    history: History


def mic(
    views: Sequence[FilledView],
    weights: Sequence[Array],
    U: Sequence[Array],
    V: Sequence[Array],
    stopping: Stopping,
    *,
    alpha: float,
    beta: float,
    steps: int = 100,
    literal: bool = False,
) -> MICResult:
    """Algorithm 1 from explicit starts.

    Parameters
    ----------
    views : the filled views, already scaled. weights : (n,) positive sample weights per view. U : (n, k), V : (d_i, k)
        starts.
    alpha, beta : as in Eq. 4, the same for all views. steps : inner iterations per view and outer one.
    literal : the published code's form: rescaling instead of the constraint, and its objective, in which the last
        term sums column lengths.

    Without `literal` the objective (Eq. 4, after Eq. 7) never rises. Cost per iteration: `steps` times
    O(sum_i nnz(X_i) k + n V k^2 + sum_i d_i k (k + log d_i)), in one pass over the rows each. Memory: (V + 1) n k.
    """
    if not literal:
        V, U = zip(*(unit_sum_columns(v, u) for u, v in zip(U, V, strict=True)), strict=True)
    U, consensus = [np.array(u, order="C") for u in U], np.empty(U[0].shape)
    blocks = RowBlocks([view.matrix for view in views], U[0].shape[1])
    stars, squared = blocks.of(consensus), [blocks.of(np.square(w)) for w in weights]
    rows = [part for u, w in zip(U, squared, strict=True) for part in (blocks.of(u), w)]
    solve = rescaled_solve if literal else constrained_solve
    with blocks.side_by_side() as summed:
        factors = [
            ViewFactors.start(view.parts(blocks), blocks.of(u), w, v, view.weighted_norm(np.concatenate(w)), summed)
            for view, u, w, v in zip(views, U, squared, V, strict=True)
        ]

        def agree() -> float:
            apart, sizes = summed(partial(consensus_pass, literal=literal), stars, *rows)  # Eq. 7
            data = sum(view.residual() for view in factors)
            return data + alpha * float(apart.sum()) + beta * float((np.sqrt(sizes) if literal else sizes).sum())

        history = History(stopping, start=agree())
        while not history.ended:
            for view in factors:
                solve(view, stars, summed, alpha=alpha, beta=beta, steps=steps)
            history.add(agree())
    return MICResult(U, [view.V for view in factors], consensus, history)


def joint_starts(views: Sequence[FilledView], k: int) -> tuple[list[Array], list[Array]]:
    """U (n, k), the same for all views, and V (d_i, k): a joint factorisation of the views side by side.

    Missing rows count as zero here. One U for all views makes their columns mean the same from the start.
    """
    joint = side_by_side([view.matrix for view in views])
    U, V = lee_seung(joint, *nndsvd(joint, k, fill="mean"), _WARM_UP)
    ends = np.cumsum([view.matrix.shape[1] for view in views])[:-1]
    return [U for _ in views], np.split(V, ends)


class MIC(MultiViewClusterer):
    """Multi-incomplete-view clustering (Shao et al. 2015): k-means on the consensus of weighted factorisations.

    Parameters
    ----------
    alpha, beta : weights of the disagreement with the consensus and of the L2,1 norm (0.01 both in the paper).
    scale : "mean-entry" divides each view by the mean of its entries, which suits beta up to about 0.1; "total" by
        their sum as Algorithm 1 says, under which counts collapse from beta = 1e-5 on.
    literal : the published code's steps, whose objective may rise; with scale="total", Algorithm 1 to the letter.
    max_iter, steps : outer iterations, and inner ones per view. tol : the relative change of the objective at the end.

    A missing sample is filled with the view's mean, weighted by the fraction of samples that the view observes.
    Sparse views stay sparse: the filling is never written. Raises InvalidSetting for a view of zeros.
    """

    alpha: Positive = 0.01
    beta: NonNegative = 0.01
    scale: Literal["mean-entry", "total"] = "mean-entry"
    literal: bool = False
    max_iter: Count = 30
    steps: Count = 10
    tol: NonNegative = 1e-4

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        views = [
            view.scaled((view.size if self.scale == "mean-entry" else 1) / view.total) for view in filled_views(data)
        ]
        weights = [np.where(observed, 1.0, observed.mean()) for observed in data.mask.T]
        U, V = joint_starts(views, n_clusters)
        stopping = Stopping(self.max_iter, self.tol)
        views = [view.written() for view in views]
        found = mic(views, weights, U, V, stopping, alpha=self.alpha, beta=self.beta, steps=self.steps,
                    literal=self.literal)  # fmt: skip
        bases = {f"basis_{view.name}": v for view, v in zip(data.views, found.V, strict=True)}
        return Representation(embedding=found.consensus, history=found.history, details=bases)
