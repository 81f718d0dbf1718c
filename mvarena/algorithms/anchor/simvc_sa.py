"""SIMVC-SA: scalable incomplete multi-view clustering with structure alignment (Wen et al., ACM Multimedia 2023).

    min  sum_v a_v^2 |X_v - diag(m_v) Z_v A_v^T|^2 + lambda sum_v |Z_v P_v^T - F|^2 + mu sum_v |Z_v|^2

over anchors A_v (d_v, m) with orthonormal columns, a graph Z_v (n, m) per view with rows on the simplex, orthogonal
P_v (m, m) that align the anchors of the views, F (n, m) with orthonormal columns, and view weights a on the simplex.
Every step is the exact minimiser, so the objective never rises. It matches the authors' program from the A and F of its
first step.

Departures. The program starts with all samples at the first anchor, so that its first A_v and F are whatever LAPACK
returns for matrices of rank one. Here all Z_v start as one graph, that of m clusters (`start`).
The program clusters the first k left singular vectors of F, which for m > k is an arbitrary part as F^T F = I; here all
m columns of F are clustered. A view with fewer than m features counts as one with further features that are zero.
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
)
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative, Positive
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.polar import completed_polar
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.scaling import unit_embedding
from mvarena.numerics.simplex import inverse_weights

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class AlignedGraphs:
    """F : (n, m) orthonormal. weights : (V,) of the views. history : the objective."""

    F: Array
    weights: Array
    history: History


def simvc_sa(
    views: IncompleteViews, A: Sequence[Array], F: Array, stopping: Stopping, *, alignment: float, ridge: float
) -> AlignedGraphs:
    """SIMVC-SA from the A_v (d_v, m) and F (n, m) of the first step, P_v = I and equal weights.

    alignment, ridge : lambda and mu. Cost O(m sum_v nnz(X_v) + n V m^2 + sum_v d_v m^2) per iteration, memory O(n V m).
    """
    A, n_views, m = list(A), len(A), F.shape[1]
    P = [np.eye(m)] * n_views
    weights = np.full(n_views, 1.0 / n_views)
    history = History(stopping)
    while True:
        products = views.times(A)
        Z = []
        for v, product in enumerate(products):
            target = weights[v] ** 2 * product + alignment * (F @ P[v])
            target /= (weights[v] ** 2 * views.mask[:, v] + alignment + ridge)[:, None]
            Z.append(project_simplex_rows(target))
        P = [completed_polar(F.T @ z, p) for z, p in zip(Z, P, strict=True)]
        residuals = views.residuals(products, Z)
        weights = inverse_weights(residuals)
        sizes = float(sum(np.square(z).sum() for z in Z))
        crossed = np.sum([z @ p.T for z, p in zip(Z, P, strict=True)], axis=0)
        # |Z_v P_v^T - F|^2 = |Z_v|^2 - 2 tr(F^T Z_v P_v^T) + m
        apart = sizes - 2.0 * float(np.vdot(F, crossed)) + n_views * m
        history.add(float(weights**2 @ residuals) + alignment * apart + ridge * sizes)
        if history.ended:
            return AlignedGraphs(F, weights, history)
        A = anchor_bases(views, Z, A)
        F = completed_polar(crossed, F)


class SIMVCSA(MultiViewClusterer):
    """An anchor graph per view, all aligned with one consensus.

    Parameters
    ----------
    n_anchors : m; None: as many as clusters. The paper's grid: 1, 2 and 5 times that.
    alignment : lambda, the weight of the distance between each aligned graph and the consensus. The grid of lambda
        and mu is 1e-4 to 1e4. Views count as scaled by one number each, so that their rows have unit length on average.
    ridge : mu, the weight of norm(Z_v)^2.
    start : what the first anchors are: means of the "clusters" that k-means finds in a low-rank fit of the views, as
        daimc starts, or the "first" m samples.
    tol, max_iter : they end, from the tenth iteration on, where the objective changes by this share of itself, or after
        so many iterations.

    The embedding is F, rows of unit length.
    """

    canonical: ClassVar[Any] = SortedFromClusters()

    n_anchors: Count | None = None
    alignment: Positive = 1.0
    ridge: NonNegative = 0.0
    start: Start = "clusters"
    tol: NonNegative = 1e-6
    max_iter: Count = 100

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        views = IncompleteViews.of(data)
        m = min(self.n_anchors or n_clusters, data.n_samples)
        Z = first_graph(views, m, self.start)
        A = anchor_bases(views, [Z] * data.n_views, views.leading_directions(m))
        F = completed_polar(Z, Z)
        stopping = Stopping(self.max_iter, self.tol, relative_to="old", earliest=10)
        result = simvc_sa(views, A, F, stopping, alignment=self.alignment, ridge=self.ridge)
        details = {"weights": result.weights}
        return Representation(embedding=unit_embedding(result.F), history=result.history, details=details)
