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
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.anchor._anchor_graph import (
    IncompleteViews,
    SortedFromClusters,
    Start,
    anchor_bases,
    anchor_graph,
    first_graph,
)
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.low_rank import top_left_vectors
from mvarena.numerics.scaling import unit_embedding

Array = NDArray[np.float64]


class OwnAnchors:
    """Bases of each view's own: A_v (d_v, m) with orthonormal columns that fit best; what is left open stays."""

    def __init__(self, views: IncompleteViews, A: Sequence[Array]) -> None:
        self.views, self.A = views, list(A)

    def __call__(self, Z: Array, weights: Array) -> list[Array]:
        del weights
        self.A = anchor_bases(self.views, [Z] * len(self.A), self.A)
        return self.A


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
        bases = OwnAnchors(views, views.leading_directions(m))
        stopping = Stopping(self.max_iter, self.tol, relative_to="old")
        result = anchor_graph(views, first_graph(views, m, self.start), bases, stopping, ridge=self.ridge)
        return result.represented_by(unit_embedding(top_left_vectors(result.Z, n_clusters)))
