"""IMVC-CBG: incomplete large-scale multi-view clustering with a consensus bipartite graph (Wang et al., CVPR 2022).

    min  sum_v a_v^2 |X_v - diag(m_v) Z A^T W_v^T|^2 + lambda |Z|^2

over projections W_v (d_v, m) and anchors A (m, m), both with orthonormal columns, one graph Z (n, m) with rows on the
simplex, and view weights a on the simplex. Every step is the exact minimiser, so the objective never rises. With
lambda = 0 it is the objective of psimvc-pg.

Departures. The authors' script runs k dimensions with up to 5 k anchors, where A^T A = I cannot hold; here there are as
many of both. Their revised program, without lambda, starts with the first m samples as anchors, whatever the order of
the samples; here anchors start at the means of clusters: `start`. A view with fewer than m features counts as one with
further features that are zero.
"""

from __future__ import annotations

from typing import Any, ClassVar

from mvarena.algorithms.anchor._anchor_graph import (
    IncompleteViews,
    SharedSpace,
    SortedFromClusters,
    Start,
    anchor_graph,
    first_graph,
)
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.low_rank import top_left_vectors


def bipartite_embedding(
    data: MultiViewData, k: int, stopping: Stopping, *, n_anchors: int | None, ridge: float, start: Start
) -> Representation:
    """The k leading left singular vectors (n, k) of the graph of anchors in a shared space; None anchors: k."""
    views = IncompleteViews.of(data)
    m = n_anchors or k
    Z, bases = first_graph(views, m, start), SharedSpace.started(views, m, m, start)
    result = anchor_graph(views, Z, bases, stopping, ridge=ridge)
    return result.represented_by(top_left_vectors(result.Z, k))


class IMVCCBG(MultiViewClusterer):
    """One graph between samples and anchors of a shared space, fitted to what each view observes.

    Parameters
    ----------
    n_anchors : m, and the dimension of the space; None: as many as clusters. The authors' grid: 1, 2, 3, 5 times that.
    ridge : lambda, the weight of norm(Z)^2; the authors' grid is 0.001, 0.1, 1 and 10. Views count as scaled by one
        number each, so that their rows have unit length on average.
    start : what the first anchors are: means of the "clusters" that k-means finds in a low-rank fit of the views, or
        the "first" m samples.
    tol, max_iter : they end where the objective changes by this share of itself, or after so many iterations.

    The embedding is the k leading left singular vectors of Z, rows as they are, as in the authors' script.
    """

    canonical: ClassVar[Any] = SortedFromClusters()

    n_anchors: Count | None = None
    ridge: NonNegative = 0.1
    start: Start = "clusters"
    tol: NonNegative = 1e-3
    max_iter: Count = 50

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        stopping = Stopping(self.max_iter, self.tol, relative_to="old")
        return bipartite_embedding(
            data, n_clusters, stopping, n_anchors=self.n_anchors, ridge=self.ridge, start=self.start
        )
