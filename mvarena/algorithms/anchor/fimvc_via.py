"""FIMVC-VIA: fast incomplete multi-view clustering with view-independent anchors (Liu et al., IEEE TNNLS 2022).

    min  sum_v a_v^2 |X_v - diag(m_v) Z A_v^T|^2 + lambda |Z|^2

over anchors A_v (d_v, m) with orthonormal columns, one graph Z (n, m) with rows on the simplex, and view weights a on
the simplex. Every step is the exact minimiser, so the objective never rises. It matches the authors' program from the
anchors of its first step.

Departures. The program starts from Z = [I 0]: the first m samples are the anchors, and where one of them misses a view
the first A_v is whatever LAPACK returns for a matrix without full rank. Here anchors start at the means of
clusters (`start`), and directions that stay open are the view's leading ones. A view with fewer than m features counts
as one with further features that are zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.anchor._anchor_graph import (
    IncompleteViews,
    SortedFromClusters,
    Start,
    anchor_bases,
    first_graph,
    graph_embedding,
    shared_rows,
    with_anchor_graph,
)
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.simplex import inverse_weights

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class AnchorGraph:
    """A : (d_v, m) per view. Z : (n, m) rows on the simplex. weights : (V,) a. history : the objective."""

    A: list[Array]
    Z: Array
    weights: Array
    history: History


def fimvc_via(views: IncompleteViews, A: Sequence[Array], stopping: Stopping, *, ridge: float) -> AnchorGraph:
    """FIMVC-VIA from the anchors of the first step, A_v (d_v, m) with orthonormal columns, and equal weights.

    ridge : lambda. Cost O(m sum_v nnz(X_v) + n V m log m + sum_v d_v m^2) per iteration, memory O(n V m).
    """
    A = list(A)
    weights = np.full(len(A), 1.0 / len(A))
    history = History(stopping)
    while True:
        products = views.times(A)
        Z = shared_rows(views, products, weights, ridge)
        residuals = views.residuals(products, [Z] * len(A))
        weights = inverse_weights(residuals)
        history.add(float(weights**2 @ residuals) + ridge * float(np.square(Z).sum()))
        if history.ended:
            return AnchorGraph(A, Z, weights, history)
        A = anchor_bases(views, [Z] * len(A), A)


class FIMVCVIA(MultiViewClusterer):
    """One graph between samples and anchors, with anchors of each view's own.

    Parameters
    ----------
    n_anchors : m; None: as many as clusters. The paper's grid: 1, 2, 3, 5 and 7 times that.
    ridge : lambda, the weight of norm(Z)^2; the paper's grid is 0.001 to 1000. Views count as scaled by one number
        each, so that their rows have unit length on average.
    start : what the first anchors are: means of the "clusters" that k-means finds in a low-rank fit of the views, as
        daimc starts, or the "first" m samples.
    tol, max_iter : they end where the objective changes by this share of itself, or after so many iterations.

    The embedding is the k leading left singular vectors of Z, rows of unit length.
    """

    canonical: ClassVar[Any] = SortedFromClusters()

    n_anchors: Count | None = None
    ridge: NonNegative = 1.0
    start: Start = "clusters"
    tol: NonNegative = 1e-3
    max_iter: Count = 50

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        views = IncompleteViews.of(data)
        m = self.n_anchors or n_clusters
        Z = first_graph(views, m, self.start)
        A = anchor_bases(views, [Z] * data.n_views, views.leading_directions(m))
        result = fimvc_via(views, A, Stopping(self.max_iter, self.tol, relative_to="old"), ridge=self.ridge)
        return with_anchor_graph(graph_embedding(result.Z, n_clusters), result.Z, result.weights, result.history)
