"""FastMICE: fast multi-view clustering via ensembles (Huang, Wang and Lai, IEEE TKDE 2023).

An ensemble of clusterings, each of some views and some of their features, drawn at random: spectral clustering of
similarities between samples and anchors, by the transfer cut. The ensemble's clusters, as a graph between samples and
clusters, go through the same cut. All is linear in the samples. Of the same anchors, groups and ensemble, affinities,
eigenvalues and embeddings are those of the authors' program.

Departures. The program adds 1e-10 to lengths before it divides by them. It fails where there are fewer anchors than
candidates for neighbours; here all are candidates then. It ends in k-means by angles, 5 starts; here the final
embedding, rows of unit length, goes to the k-means that all methods share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.algorithms.anchor._cross_affinity import GroupedAnchors, cross_affinity
from mvarena.algorithms.anchor._transfer_cut import transfer_cut
from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count
from mvarena.data import MultiViewData
from mvarena.numerics.anchors import short_kmeans
from mvarena.numerics.assignment import canonical_order
from mvarena.numerics.scaling import unit_rows
from mvarena.system.threads import side_by_side_tasks

Distance: TypeAlias = Literal["euclidean", "cosine"]

_STEPS = 5
_SAMPLED = 10  # samples drawn for each anchor
_FEWEST, _MOST = 0.2, 0.8  # shares of a view's features


def ensemble_embedding(clusterings: Sequence[NDArray[np.int64]], k: int) -> NDArray[np.float64]:
    """E (n, r), r <= k, of the graph between n samples and all clusters of M clusterings (n,). Cost O(n M^2)."""
    n, offset, columns = len(clusterings[0]), 0, []
    for labels in clusterings:
        clusters, own = np.unique(labels, return_inverse=True)
        columns.append(own + offset)
        offset += len(clusters)
    held = np.column_stack(columns)
    starts = np.arange(0, held.size + 1, held.shape[1])
    return transfer_cut(sparse.csr_array((np.ones(held.size), held.ravel(), starts), shape=(n, offset)), k)[0]


class FastMICE(MultiViewClusterer):
    """An ensemble of clusterings of random views and features, through anchors; linear in the samples.

    Parameters
    ----------
    n_base : clusterings in the ensemble.
    n_anchors : of all views of a clustering together.
    n_neighbors : anchors that a sample is similar to, of all views together.
    distance : "euclidean", or "cosine" for texts.

    Each clustering has k to 2k clusters. The embedding has rows of unit length.
    """

    n_base: Count = 20
    n_anchors: Count = 1000
    n_neighbors: Count = 5
    distance: Distance = "euclidean"

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        # draws must not hang on the order of samples or views
        views = sorted((view.matrix for view in data.views), key=lambda X: (X.shape[1], float(X.sum())))
        order = canonical_order(*views)
        place = np.argsort(order)

        def clustering(rng: np.random.Generator) -> NDArray[np.int64]:
            return self._clustering(views, order, n_clusters, rng)

        with side_by_side_tasks(self.n_base) as each:
            clusterings = list(each(clustering, np.random.default_rng(self.random_state).spawn(self.n_base)))
        return Representation(embedding=ensemble_embedding(clusterings, n_clusters)[place])

    def _clustering(
        self, views: list[Any], order: NDArray[np.int64], k: int, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """(n,) one clustering of the samples in their order."""
        n, cosine = len(order), self.distance == "cosine"
        n_own = int(rng.integers(k, 2 * k + 1))
        chosen = np.sort(rng.choice(len(views), int(rng.integers(1, len(views) + 1)), replace=False))
        parts = []
        for v in chosen:
            points = _some_features(views[v], rng)[order]
            points = unit_rows(points) if cosine else points
            anchors = self._anchors(points, -(-self.n_anchors // len(chosen)), rng)
            grouped = GroupedAnchors.of(anchors, rng)
            parts.append(cross_affinity(points, grouped, -(-self.n_neighbors // len(chosen)), cosine=cosine))
        E, _ = transfer_cut(sparse.csr_array(sparse.hstack(parts)), min(n_own, n))
        return short_kmeans(E, min(n_own, n), _STEPS, rng, cosine=True)[0]

    def _anchors(self, points: Any, p: int, rng: np.random.Generator) -> NDArray[Any]:
        n = points.shape[0]
        drawn = np.sort(rng.choice(n, min(_SAMPLED * p, n), replace=False))
        return short_kmeans(points[drawn], p, _STEPS, rng, cosine=self.distance == "cosine")[1]


def _some_features(X: Any, rng: np.random.Generator) -> Any:
    """X (n, d) with a random share of its features."""
    d = X.shape[1]
    chosen = rng.choice(d, max(1, round(rng.uniform(_FEWEST, _MOST) * d)), replace=False)
    return X[:, np.sort(chosen)]
