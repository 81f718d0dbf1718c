"""PSIMVC-PG: incomplete multi-view clustering by a prototype graph, without parameters (Li et al., IEEE TNNLS 2022).

    min  sum_v a_v^2 |X_v - diag(m_v) Z A^T W_v^T|^2

over projections W_v (d_v, d) and prototypes A (d, m), both with orthonormal columns, one graph Z (n, m) with rows on
the simplex, and view weights a on the simplex. Every step is the exact minimiser, so the objective never rises. It
matches the authors' program from its start.

Departures. The program makes a_v proportional to 1 / norm where the objective asks for 1 / norm^2: `weighting`. It
starts from A = 0, so that its first W_v are columns of the identity, whatever the data: `start`; here A starts
as the identity and W_v fits the first prototypes, the means of clusters. d > m gains nothing, as A
never leaves its first range. A view with fewer than d features counts as one with further features that are zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mvarena.algorithms.anchor._anchor_graph import (
    IncompleteViews,
    SortedFromClusters,
    Start,
    first_graph,
    graph_embedding,
    shared_rows,
    with_anchor_graph,
)
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.iteration import History, Stopping
from mvarena.numerics.polar import completed_polar
from mvarena.numerics.simplex import inverse_weights

Array = NDArray[np.float64]
Weighting: TypeAlias = Literal["squared", "norm"]


@dataclass(frozen=True, eq=False, slots=True)
class PrototypeGraph:
    """W : (d_v, d) per view. A : (d, m). Z : (n, m) rows on the simplex. weights : (V,). history : the objective."""

    W: list[Array]
    A: Array
    Z: Array
    weights: Array
    history: History


def psimvc_pg(
    views: IncompleteViews,
    W: Sequence[Array],
    A: Array,
    Z: Array,
    stopping: Stopping,
    *,
    weighting: Weighting = "squared",
) -> PrototypeGraph:
    """PSIMVC-PG from a prototype graph Z (n, m), prototypes A (d, m) and equal weights.

    W : (d_v, d) per view; it decides what the first step leaves open, all of it where A is 0.
    weighting : a_v proportional to 1 / residual^2 ("squared", the minimiser) or to 1 / residual ("norm").

    Cost O(m sum_v nnz(X_v) + n V m log m + d m sum_v d_v) per iteration, memory O(n V m).
    """
    W = list(W)
    weights = np.full(len(W), 1.0 / len(W))
    history = History(stopping)
    while True:
        W, A = fitted_spaces(views, W, A, Z, weights)
        fitted = views.times([w @ A for w in W])
        Z = shared_rows(views, fitted, weights, 0.0)
        residuals = views.residuals(fitted, [Z] * len(W))
        weights = inverse_weights(residuals if weighting == "squared" else np.sqrt(residuals))
        history.add(float(weights**2 @ residuals))
        if history.ended:
            return PrototypeGraph(W, A, Z, weights, history)


def fitted_spaces(
    views: IncompleteViews, W: Sequence[Array], A: Array, Z: Array, weights: Array
) -> tuple[list[Array], Array]:
    """W_v = polar(X_v^T Z A^T), then A = polar(sum a_v^2 W_v^T X_v^T Z); what is left open stays as it was.

    Cost O(m sum_v nnz(X_v) + d m sum_v d_v).
    """
    products = [views.transposed_times(v, Z) for v in range(len(W))]
    moved = [completed_polar(_tall(product @ A.T, w), w) for product, w in zip(products, W, strict=True)]
    crossed = sum(a**2 * w[: len(p)].T @ p for a, w, p in zip(weights, moved, products, strict=True))
    return moved, completed_polar(np.asarray(crossed), A if A.any() else np.eye(*A.shape))


def _tall(product: Array, like: Array) -> Array:
    """The product with rows of zeros below, as many as `like` has more."""
    return np.vstack([product, np.zeros((len(like) - len(product), product.shape[1]))])


class PSIMVCPG(MultiViewClusterer):
    """One prototype graph for all views, without a parameter that weighs anything.

    Parameters
    ----------
    n_anchors : m, the prototypes; None: as many as clusters.
    dimension : d, of the space in which all views meet; None: m. At least m.
    weighting : views weigh in proportion to 1 / residual^2, which minimises the objective ("squared"), or to
        1 / residual, as in the authors' program ("norm").
    start : what the first prototypes are: means of the "clusters" that k-means finds in a low-rank fit of the views, as
        daimc starts; the "first" m samples; or the "program": the first m samples, with A = 0.
    tol, max_iter : they end where the objective changes by this share of itself, or after so many iterations.

    The embedding is the k leading left singular vectors of Z, rows of unit length.
    """

    canonical: ClassVar[Any] = SortedFromClusters()

    n_anchors: Count | None = None
    dimension: Count | None = None
    weighting: Weighting = "squared"
    start: Start | Literal["program"] = "clusters"
    tol: NonNegative = 1e-3
    max_iter: Count = 50

    def check_settings(self) -> None:
        if self.n_anchors is not None and self.dimension is not None and self.dimension < self.n_anchors:
            raise InvalidSetting(
                f"psimvc-pg.dimension must be at least n_anchors, {self.n_anchors}, not {self.dimension}.",
                field="psimvc-pg.dimension",
                value=self.dimension,
            )

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        views = IncompleteViews.of(data)
        m = self.n_anchors or min(n_clusters, self.dimension or n_clusters)
        d = self.dimension or m
        published = self.start == "program"
        Z = first_graph(views, m, "clusters" if self.start == "clusters" else "first")
        A = np.zeros((d, m)) if published else np.eye(d, m)
        W = [np.eye(max(v.n_features, d), d) for v in data.views] if published else views.leading_directions(d)
        stopping = Stopping(self.max_iter, self.tol, relative_to="old")
        result = psimvc_pg(views, W, A, Z, stopping, weighting=self.weighting)
        return with_anchor_graph(graph_embedding(result.Z, n_clusters), result.Z, result.weights, result.history)
