"""SMVSC: scalable multi-view subspace clustering with unified anchors (Sun et al., ACM Multimedia 2021).

    min  sum_v a_v^2 |X_v - Z A^T W_v^T|^2 + lambda |Z|^2

over projections W_v (d_v, d) and anchors A (d, m), both with orthonormal columns, one graph Z (n, m) with rows on the
simplex, and view weights a on the simplex. Every step is the exact minimiser, so the objective never rises. It matches
the authors' program from its start.

Departures. The program leaves a_v^2 out of the linear term of the step of Z and keeps it in the quadratic one: `graph`.
It allows more anchors than dimensions, where only A A^T = I can hold and its step of Z is no minimiser; here there are
as many of both. It starts from A = 0, so that its first W_v are columns of the identity, whatever the data: `start`. A
view with fewer than m features counts as one with further features that are zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

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
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.system.threads import one_linear_algebra_thread

Array = NDArray[np.float64]
GraphStep: TypeAlias = Literal["exact", "program"]


def rows_of_complete_views(
    views: IncompleteViews, products: Sequence[Array], weights: Array, ridge: float, *, graph: GraphStep
) -> Array:
    """Z (n, m) for views without missing samples: "exact", or the "program"'s, whose linear term weighs all alike."""
    linear = weights**2 if graph == "exact" else np.ones(len(views.matrices))
    total = sum(weight * product for weight, product in zip(linear, products, strict=True))
    return project_simplex_rows(np.asarray(total) / float(np.sum(weights**2) + ridge))


class SMVSC(MultiViewClusterer):
    """One graph between samples and anchors that live in a space shared by all views.

    Parameters
    ----------
    n_anchors : m, and the dimension of the space; None: as many as clusters. The paper's grid: 1, 2 and 3 times that.
    ridge : lambda, the weight of norm(Z)^2, beside views that are taken as they are; the paper standardises features.
    graph : the step of Z: "exact", or as in the authors' "program".
    start : what the first anchors are: means of the "clusters" that k-means finds in a low-rank fit of the views; the
        "first" m samples; or the "program": the first m samples, with A = 0.
    tol, max_iter : they end, from the tenth iteration on, where the objective changes by this share of itself, or after
        so many iterations.

    The embedding is all left singular vectors of Z.
    """

    canonical: ClassVar[Any] = SortedFromClusters()

    n_anchors: Count | None = None
    ridge: NonNegative = 1.0
    graph: GraphStep = "exact"
    start: Start | Literal["program"] = "clusters"
    tol: NonNegative = 1e-3
    max_iter: Count = 20

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        # what rounding leaves open decides labels, and a second thread rounds otherwise
        with one_linear_algebra_thread():
            views = IncompleteViews([view.matrix for view in data.views], data.mask)
            m = self.n_anchors or n_clusters
            Z, bases = first_graph(views, m, self.start), SharedSpace.started(views, m, m, self.start)
            stopping = Stopping(self.max_iter, self.tol, relative_to="old", earliest=10)
            rows = partial(rows_of_complete_views, graph=self.graph)
            result = anchor_graph(views, Z, bases, stopping, ridge=self.ridge, rows=rows)
            return result.represented_by(top_left_vectors(result.Z, m))
