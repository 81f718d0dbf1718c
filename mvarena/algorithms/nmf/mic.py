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
  terms by s^2 and the beta term by s, so it only sets what beta means. See `MIC` for the scale chosen.
- The code's log sums |U_i| over columns where Eq. 4 sums over rows, and its convergence flag never stops the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.nmf import MIC as SPEC
from mvarena.algorithms.nmf.filled_view import FilledView
from mvarena.algorithms.nmf.mic_steps import (
    consensus_of,
    constrained_solve,
    rescaled_solve,
    row_lengths,
    view_objective,
)
from mvarena.algorithms.nmf.trace import Trace
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.factorization import lee_seung, unit_sum_columns
from mvarena.numerics.svd_starts import nndsvd, side_by_side

Array = NDArray[np.float64]

_WARM_UP = 20


@dataclass(frozen=True, eq=False, slots=True)
class MICResult:
    """U : (n, k), V : (d_i, k) per view. consensus : U* (n, k). trace : the objective per outer iteration."""

    U: list[Array]
    V: list[Array]
    consensus: Array
    trace: Trace
    n_iter: int


def mic(
    views: Sequence[FilledView],
    weights: Sequence[Array],
    U: Sequence[Array],
    V: Sequence[Array],
    *,
    alpha: float,
    beta: float,
    rounds: int = 30,
    steps: int = 100,
    tol: float = 0.0,
    literal: bool = False,
) -> MICResult:
    """Algorithm 1 from explicit starts.

    Parameters
    ----------
    views : the filled views, already scaled. weights : (n,) sample weights per view. U : (n, k), V : (d_i, k) starts.
    alpha, beta : as in Eq. 4, the same for all views. rounds, steps : outer and inner iterations.
    literal : the published code's form: rescaling instead of the constraint, and its objective, in which the last
        term sums column lengths. Its trace starts before the first round and leaves out the last one.

    Without `literal` the objective (Eq. 4, after Eq. 7) never rises. Cost per round: `steps` times
    O(sum_i nnz(X_i) k + n V k^2 + sum_i d_i k (k + log d_i)).
    """
    squared = [np.square(w) for w in weights]
    U, V = list(U), list(V)
    if not literal:
        for i in range(len(U)):
            V[i], U[i] = unit_sum_columns(V[i], U[i])
    solve = rescaled_solve if literal else constrained_solve
    trace, n_iter = Trace(tol), 0
    consensus = consensus_of(U, squared)
    done = trace.add(_objective(views, U, V, consensus, squared, alpha, beta, literal))
    while not done and n_iter < rounds:
        n_iter += 1
        for i, X in enumerate(views):
            U[i], V[i] = solve(X, U[i], V[i], consensus, squared[i], alpha=alpha, beta=beta, steps=steps)
        consensus = consensus_of(U, squared)  # Eq. 7
        done = trace.add(_objective(views, U, V, consensus, squared, alpha, beta, literal))
    return MICResult(U, V, consensus, trace, n_iter)


def _objective(
    views: Sequence[FilledView],
    U: Sequence[Array],
    V: Sequence[Array],
    consensus: Array,
    squared: Sequence[Array],
    alpha: float,
    beta: float,
    by_columns: bool,
) -> float:
    """Eq. 4; `by_columns` takes the last term over columns of U_i, as the published code logs it."""
    total = 0.0
    for X, u, v, w in zip(views, U, V, squared, strict=True):
        lengths = row_lengths(u.T if by_columns else u)
        total += view_objective(X, u, v, consensus, w, alpha, beta, lengths)
    return total


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
    scale : "mean-entry" divides each view by the mean of its entries, "total" by their sum as Algorithm 1 says.
        On 3Sources the first makes results stable for beta from 0 to 0.1, and worse from 10 on, as Figure 5 shows;
        under the second they collapse from beta = 1e-5 on (raw counts, alpha = 0.01).
    literal : the published code's steps, whose objective may rise; with scale="total", Algorithm 1 to the letter.
    rounds, steps : outer iterations, and inner ones per view and round. tol : see `Trace`.

    A missing sample is filled with the view's mean, weighted by the fraction of samples that the view observes.
    Sparse views stay sparse: the filling is never written. Raises InvalidSetting for alpha <= 0, beta < 0 or a view
    of zeros. Time O(rounds steps (sum_i nnz(X_i) k + n V k^2 + d k log d)), memory O((n V + d) k).
    """

    spec = SPEC

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        alpha: float = 0.01,
        beta: float = 0.01,
        scale: Literal["mean-entry", "total"] = "mean-entry",
        literal: bool = False,
        rounds: int = 30,
        steps: int = 10,
        tol: float = 1e-4,
        n_init: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.beta = beta
        self.scale = scale
        self.literal = literal
        self.rounds = rounds
        self.steps = steps
        self.tol = tol
        self.n_init = n_init
        self.random_state = random_state

    def represent(self, data: MultiViewData) -> Representation:
        k = self.check(data)
        if self.alpha <= 0 or self.beta < 0:
            raise InvalidSetting(f"mic: alpha must be above 0 and beta at least 0, not {self.alpha} and {self.beta}.")
        if self.scale not in ("mean-entry", "total"):
            raise InvalidSetting(f"mic: scale is 'mean-entry' or 'total', not '{self.scale}'.")
        views = [self._scaled(data, v) for v in range(data.n_views)]
        weights = [np.where(observed, 1.0, observed.mean()) for observed in data.mask.T]
        found = mic(
            views,
            weights,
            *joint_starts(views, k),
            alpha=self.alpha,
            beta=self.beta,
            rounds=self.rounds,
            steps=self.steps,
            tol=self.tol,
            literal=self.literal,
        )
        return Representation(
            embedding=found.consensus,
            objective=found.trace.objective,
            n_iter=found.n_iter,
            converged=found.trace.converged,
            stopped_because=found.trace.reason(found.n_iter),
            details={f"basis_{view.name}": v for view, v in zip(data.views, found.V, strict=True)},
        )

    def _scaled(self, data: MultiViewData, v: int) -> FilledView:
        view = FilledView.from_mask(data.views[v].matrix, data.mask[:, v])
        total = view.total
        if total <= 0:
            raise InvalidSetting(
                f"mic cannot scale view '{data.view_names[v]}': its entries are all zero; leave it out."
            )
        entries = data.n_samples * data.views[v].n_features
        return view.scaled((entries if self.scale == "mean-entry" else 1.0) / total)
