"""FPMVS-CAG: fast parameter-free subspace clustering with consensus anchor guidance (Wang et al., IEEE TIP 2022).

    min  sum_v a_v^2 |X_v - Z A^T W_v^T|^2

over projections W_v (d_v, m) and anchors A (m, m), both with orthonormal columns, one graph Z (n, m) with rows on the
simplex, and view weights a on the simplex. It is imvc-cbg with all views observed and lambda = 0, and solved by that;
psimvc-pg, and smvsc with lambda = 0, have the same objective where all views are observed.

Each row of Z is a quadratic programme; as W_v and A have orthonormal columns, one projection onto the simplex solves
it.

Departures. The start is not known from the publication: anchors start at the means of clusters, as in the other
methods with orthonormal anchors. Features are standardised as for smvsc. A view with fewer than m features counts as
one with further features that are zero.
"""

from __future__ import annotations

from typing import ClassVar

from mvarena.algorithms.anchor._anchor_graph import Start
from mvarena.algorithms.anchor.imvc_cbg import bipartite_embedding
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count, NonNegative
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import Stopping


class FPMVSCAG(MultiViewClusterer):
    """One graph between samples and anchors of a shared space, without a parameter that weighs anything.

    Parameters
    ----------
    n_anchors : m, and the dimension of the space; None: as many as clusters, as in the authors' script.
    start : what the first anchors are: means of the "clusters" that k-means finds in a low-rank fit of the views, or
        the "first" m samples.
    tol, max_iter : they end where the objective changes by this share of itself, or after so many iterations.

    Views count as scaled by one number each, so that their rows have unit length on average. The embedding is the k
    leading left singular vectors of Z, rows as they are.
    """

    canonical: ClassVar[bool] = True

    n_anchors: Count | None = None
    start: Start = "clusters"
    tol: NonNegative = 1e-3
    max_iter: Count = 50

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        stopping = Stopping(self.max_iter, self.tol, relative_to="old")
        return bipartite_embedding(data, n_clusters, stopping, n_anchors=self.n_anchors, ridge=0.0, start=self.start)
