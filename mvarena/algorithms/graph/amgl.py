"""Auto-weighted multiple graph learning (Nie, Li and Li 2016).

    min  sum_v sqrt(tr(F^T L_v F))

over F (n, k) with orthonormal columns, for the Laplacian L_v (n, n) of each view's graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.graph.view_graphs import (
    Square,
    adaptive_graph,
    gaussian_similarity,
    nearest_graph,
    observed_graphs,
    squared_distances,
    symmetric_normalized,
)
from mvarena.algorithms.square_memory import SquareClusterer
from mvarena.contracts.algorithm import Representation
from mvarena.contracts.parameters import Count, Positive
from mvarena.data import MultiViewData, View
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.spectral import top_eigenvectors
from mvarena.system.threads import linear_algebra_threads


@dataclass(frozen=True, eq=False, slots=True)
class AMGLResult:
    """F : (n, k) orthonormal. weights : (V,) 1 / (2 sqrt(tr)). history : of sum_v sqrt(tr(F^T L_v F))."""

    F: NDArray[np.float64]
    weights: NDArray[np.float64]
    history: History


def amgl(L: Sequence[Square], k: int, stopping: Stopping) -> AMGLResult:
    """min over orthonormal F (n, k) of sum_v sqrt(tr(F^T L_v F)) for V Laplacians L_v (n, n), positive semidefinite.

    Weights start at 1 / V. A view whose trace is 0 (k components of its own) gets the weight of a trace of 1e-12.
    Cost O(V n^2 + n^3) per iteration, 3 n^2. Source: the paper, equations 4 and 6.
    """
    weights = np.full(len(L), 1.0 / len(L))
    history = History(stopping)
    while not history.ended:
        # Eq. 6: the k smallest eigenvectors of sum_v w_v L_v; scaled, so that a large weight does not rule the solver
        combined = np.zeros_like(L[0])
        for weight, L_v in zip(weights / weights.sum(), L, strict=True):
            combined -= weight * L_v
        F = top_eigenvectors(combined, k, direct=True)[1]
        traces = np.maximum([float(np.einsum("ij,ij->", F, L_v @ F)) for L_v in L], 1e-12)
        weights = 0.5 / np.sqrt(traces)  # Eq. 4
        history.add(float(np.sqrt(traces).sum()))
    return AMGLResult(F, weights, history)


class AMGL(SquareClusterer):
    """One embedding for all graphs, each weighted by how well the embedding fits it.

    Parameters
    ----------
    graph : each view's graph. "gaussian" has edges exp(-d^2 / (2 sigma^2)) to the nearest neighbours. "adaptive" is the
        published one: edges to neighbour j in proportion to d_(i, m+1)^2 - d_ij^2 for m neighbours, without sigma. It
        isolates a sample whose nearest ones are all equally near, as among documents that share no word.
    n_neighbors : neighbours per sample in each view's graph (the published experiments: 5).
    sigma : of the gaussian edges; None: each view's median distance.
    max_iter : at most so many iterations; they end where the objective changes by 1e-8 of its value.

    No parameter weighs the views, and their order does not matter. A sample that a view misses is isolated in its
    graph. Its row of F is that much shorter, and is divided by the share that its views have of all weights: then it is
    the weighted mean of its neighbours' rows over the views that observe it.
    """

    graph: Literal["gaussian", "adaptive"] = "gaussian"
    n_neighbors: Count = 5
    sigma: Positive | None = None
    max_iter: Count = 50

    def squares(self, n_views: int) -> int:
        # the solver's, or one more for each view whose graph is being built
        return n_views + max(4, min(n_views, linear_algebra_threads()))

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        L = observed_graphs(data, self._normalized)
        for L_v in L:
            np.negative(L_v, out=L_v)
            L_v[np.diag_indices_from(L_v)] += 1.0
        result = amgl(L, n_clusters, Stopping(self.max_iter, 1e-8))
        embedding = result.F
        if not data.is_complete:
            embedding = embedding / (data.mask @ (result.weights / result.weights.sum()))[:, None]
        return Representation(embedding=embedding, history=result.history, details={"weights": result.weights})

    def _normalized(self, view: View) -> Square:
        if self.graph == "adaptive":
            return symmetric_normalized(adaptive_graph(squared_distances(view), self.n_neighbors))
        return symmetric_normalized(nearest_graph(gaussian_similarity(view, self.sigma), self.n_neighbors))
