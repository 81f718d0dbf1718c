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
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.anchor._anchor_graph import (
    IncompleteViews,
    SortedFromClusters,
    Start,
    first_graph,
    with_anchor_graph,
)
from mvarena.algorithms.anchor.psimvc_pg import PrototypeGraph, fitted_spaces
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.low_rank import top_left_vectors
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.simplex import inverse_weights
from mvarena.system.threads import one_linear_algebra_thread

Array = NDArray[np.float64]
GraphStep: TypeAlias = Literal["exact", "program"]


def smvsc(
    views: IncompleteViews,
    W: Sequence[Array],
    A: Array,
    Z: Array,
    stopping: Stopping,
    *,
    ridge: float,
    graph: GraphStep = "exact",
) -> PrototypeGraph:
    """SMVSC from a graph Z (n, m), anchors A (d, m) and equal weights.

    W : (d_v, d) per view; it decides what the first step leaves open, all of it where A is 0. ridge : lambda.
    graph : the "exact" step of Z, or the "program"'s, which weighs all views alike in its linear term.

    Cost O(m sum_v nnz(X_v) + n V m log m + d m sum_v d_v) per iteration, memory O(n V m).
    """
    weights = np.full(len(W), 1.0 / len(W))
    history = History(stopping)
    while True:
        W, A = fitted_spaces(views, W, A, Z, weights)
        fitted = views.times([w @ A for w in W])
        linear = weights**2 if graph == "exact" else np.ones(len(W))
        total = sum(weight * product for weight, product in zip(linear, fitted, strict=True))
        Z = project_simplex_rows(np.asarray(total) / float(np.sum(weights**2) + ridge))
        residuals = views.residuals(fitted, [Z] * len(W))
        weights = inverse_weights(residuals)
        history.add(float(weights**2 @ residuals) + ridge * float(np.square(Z).sum()))
        if history.ended:
            return PrototypeGraph(list(W), A, Z, weights, history)


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
            published = self.start == "program"
            Z = first_graph(views, m, "clusters" if self.start == "clusters" else "first")
            A = np.zeros((m, m)) if published else np.eye(m)
            W = [np.eye(max(v.n_features, m), m) for v in data.views] if published else views.leading_directions(m)
            stopping = Stopping(self.max_iter, self.tol, relative_to="old", earliest=10)
            result = smvsc(views, W, A, Z, stopping, ridge=self.ridge, graph=self.graph)
            return with_anchor_graph(top_left_vectors(result.Z, m), result.Z, result.weights, result.history)
