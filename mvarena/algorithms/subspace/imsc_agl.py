"""IMSC-AGL: incomplete multi-view spectral clustering with adaptive graph learning (Wen et al., IEEE Cybernetics 2020).

    min  sum_v |Z_v|_* + l1 tr(F_v^T G_v^T L(W_v) G_v F_v) + l2 |E_v|_1 + l3 (k - tr(U^T F_v F_v^T U)),
         X_v^T = X_v^T Z_v + E_v,  Z_v = S_v = W_v,  rows of W_v on the simplex with diagonal 0,

over the observed samples of each view, which G_v places among all n; F_v and U (n, k) have orthonormal columns. By the
alternating direction method of multipliers, whose objective may rise.

Departures. In the authors' program the variable of the consensus U is overwritten by each F_v in turn: a view is pulled
towards the view before it, and the last F_v is returned. Here U is the consensus; `consensus` offers the program's
form, which matches number for number from its start. F_v starts at the smallest eigenvectors of the first graph but for
the constant one; the program drops all below 1e-6, which are the clusters themselves where the graph is in pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.mean_length import mean_length_one
from mvarena.algorithms.square import SquareClusterer
from mvarena.algorithms.subspace._imsc_agl_view import ViewGraph, spread_laplacian
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.neighbours import nearest_rows
from mvarena.numerics.scaling import unit_embedding
from mvarena.numerics.spectral import top_eigenvectors
from mvarena.system.threads import linear_algebra_threads, side_by_side_tasks

Array = NDArray[np.float64]
Consensus: TypeAlias = Literal["paper", "program"]

_MU, _GROWTH, _CAP = 0.01, 1.1, 1e8


@dataclass(frozen=True, eq=False, slots=True)
class Penalties:
    """l1, the weight of the graphs' smoothness; l2, of the errors; l3, of the agreement with the consensus."""

    smoothness: float = 0.1
    sparsity: float = 1000.0
    agreement: float = 100.0


@dataclass(frozen=True, eq=False, slots=True)
class LearnedGraphs:
    """U : (n, k). views : their variables at the end. history : the objective and the violation of the constraints."""

    U: Array
    views: list[ViewGraph]
    history: History


def imsc_agl(
    views: Sequence[ViewGraph], penalties: Penalties, stopping: Stopping, *, consensus: Consensus = "paper"
) -> LearnedGraphs:
    """IMSC-AGL from the views' first graphs and F_v, which it changes. mu is .01, grows by 1.1 per step, at most 1e8.

    consensus : "paper": U is the consensus of all F_v; "program": F_v follows the F of the view before it.

    Cost O(V (n^2 d + n^3)) per iteration, memory O(V (n^2 + n d)). Views go side by side where threads allow, unless
    one waits for the other.
    """
    k = views[0].F.shape[1]
    mu, history = _MU, History(stopping)
    U = views[0].F

    def step(view: ViewGraph) -> tuple[float, float]:
        return _step(view, U, mu, penalties)

    with side_by_side_tasks(len(views) if consensus == "paper" else 1) as each:
        while not history.ended:
            U = _consensus(views, k)
            steps = []
            for done in each(step, views):
                steps.append(done)
                if consensus == "program":
                    U = views[len(steps) - 1].F
            mu = min(_GROWTH * mu, _CAP)
            history.add(sum(objective for objective, _ in steps), violation=max(found for _, found in steps))
    return LearnedGraphs(U if consensus == "program" else _consensus(views, k), list(views), history)


def _step(view: ViewGraph, U: Array, mu: float, penalties: Penalties) -> tuple[float, float]:
    """All variables of a view, once; returns its part of the objective, and how far it violates its constraints."""
    objective = view.update_graphs(mu, penalties.smoothness)
    view.update_embedding(U, penalties.smoothness, penalties.agreement)
    violation = view.update_errors(mu, penalties.sparsity)
    objective += penalties.smoothness * view.smoothness_of(view.F)
    objective += penalties.sparsity * float(np.abs(view.E).sum())
    objective += penalties.agreement * (U.shape[1] - float(np.square(U.T @ view.F).sum()))
    return objective, violation


def _consensus(views: Sequence[ViewGraph], k: int) -> Array:
    """U (n, k): the top k eigenvectors of sum_v F_v F_v^T, the left singular vectors of all F_v side by side."""
    stacked = np.hstack([view.F for view in views])
    values, right = top_eigenvectors(stacked.T @ stacked, k, direct=True)
    return np.asarray(stacked @ (right / np.sqrt(values)))


def first_view(features: Array, rows: NDArray[np.int64], n: int, k: int, n_neighbors: int) -> ViewGraph:
    """The start: the binary graph of nearest neighbours, and the k smallest eigenvectors of its Laplacian.

    The constant one is left out, as are the samples that the view misses.
    """
    m = len(features)
    count = min(n_neighbors, m - 1)
    nearest = nearest_rows(features, features, count + 1)[0]
    others = nearest != np.arange(m)[:, None]
    others[others.all(axis=1), -1] = False
    graph = np.zeros((m, m))
    graph[np.repeat(np.arange(m), count), nearest[others]] = 1.0
    graph = np.maximum(graph, graph.T)
    laplacian = spread_laplacian(graph, rows, n)
    above_all = 2.0 * float(laplacian.diagonal().max()) + 1.0
    missing = np.setdiff1d(np.arange(n), rows)
    laplacian[missing, missing] = above_all
    laplacian[np.ix_(rows, rows)] += above_all / m
    return ViewGraph(features, rows, graph, top_eigenvectors(-laplacian, k, direct=True)[1])


class IMSCAGL(SquareClusterer):
    """A low-rank graph per view, learned with one spectral embedding of all samples.

    Parameters
    ----------
    smoothness : lambda_1, the weight of the graphs' smoothness. sparsity : lambda_2, of the errors. agreement :
        lambda_3, of the distance to the consensus. Views count as scaled by one number each, so that their rows have
        unit length on average.
    n_neighbors : of the graphs at the start.
    consensus : "paper": all views are pulled to their consensus; "program": each to the view before it, as in the
        authors' program, which returns the last.
    tol, max_iter : they end where no constraint is violated by more than `tol`, or after so many iterations.

    The embedding is the consensus, rows of unit length.
    """

    canonical: ClassVar[bool] = True

    smoothness: Positive = 0.1
    sparsity: Positive = 1000.0
    agreement: NonNegative = 100.0
    n_neighbors: Count = 5
    consensus: Consensus = "paper"
    tol: NonNegative = 1e-7
    max_iter: Count = 100

    def squares(self, n_views: int) -> int:
        # per view Z, S, W, C2, C3 and the left singular vectors; a step's own matrices, for each that is under way
        return 6 * n_views + 8 * min(n_views, linear_algebra_threads())

    def memory_needed(self, data: MultiViewData) -> int:
        """Bytes beyond the data: the n x n matrices, and seven arrays of each view's size besides a dense copy."""
        return super().memory_needed(data) + 8 * data.n_samples * 8 * sum(view.n_features for view in data.views)

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        views = []
        for X, seen in zip(mean_length_one(data), data.mask.T, strict=True):
            rows = np.flatnonzero(seen)
            observed = X[rows]
            dense = observed if isinstance(observed, np.ndarray) else observed.toarray()
            views.append(first_view(dense, rows, data.n_samples, n_clusters, self.n_neighbors))
        penalties = Penalties(self.smoothness, self.sparsity, self.agreement)
        found = imsc_agl(views, penalties, Stopping(self.max_iter, self.tol), consensus=self.consensus)
        return Representation(embedding=unit_embedding(found.U), history=found.history)
