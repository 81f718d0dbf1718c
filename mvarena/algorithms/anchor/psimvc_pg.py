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

from typing import Any, ClassVar, Literal

from mvarena.algorithms.anchor._anchor_graph import (
    IncompleteViews,
    SharedSpace,
    SortedFromClusters,
    Start,
    Weighting,
    anchor_graph,
    first_graph,
)
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.low_rank import top_left_vectors
from mvarena.numerics.scaling import unit_embedding


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
        bases = SharedSpace.started(views, self.dimension or m, m, self.start)
        stopping = Stopping(self.max_iter, self.tol, relative_to="old")
        Z = first_graph(views, m, self.start)
        result = anchor_graph(views, Z, bases, stopping, weighting=self.weighting)
        return result.represented_by(unit_embedding(top_left_vectors(result.Z, n_clusters)))
