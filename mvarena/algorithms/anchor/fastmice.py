"""FastMICE: fast multi-view clustering via ensembles (Huang, Wang and Lai, IEEE TKDE 2023).

    (D - W) f = gamma D f,   W = [[0, B], [B^T, 0]]

for the similarities B (n, p) of samples to anchors, and then of samples to the clusters of the ensemble.

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
from dataclasses import dataclass
from math import isqrt
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.algorithm import MultiViewClusterer, Representation
from mvarena.contracts.parameters import Count
from mvarena.data import MultiViewData
from mvarena.numerics.anchors import nearest_centre, short_kmeans
from mvarena.numerics.assignment import canonical_order
from mvarena.numerics.kernels import common_offset, inner_products, moved, squared_norms
from mvarena.numerics.neighbours import nearest_rows
from mvarena.numerics.scaling import scale_rows, unit_rows
from mvarena.numerics.spectral import NO_RANK, inverse_square_root, top_eigenvectors
from mvarena.system.threads import side_by_side_tasks

Distance: TypeAlias = Literal["euclidean", "cosine"]

_STEPS = 5
_SAMPLED = 10  # samples drawn for each anchor
_TEXT_FILL, _LINKS = 0.25, 5  # entries in the mean row that are not 0: as a share of all, and their number for links
_FEW_NEGATIVE = 0.01
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
    distance : "by-view": "cosine" for views of texts, the authors' advice, and "euclidean" for others; or one of them
        for all. A view holds texts where it is not negative and at most a quarter of its distinct rows is not 0, but
        for links (at most 5 entries in the mean row).

    Each clustering has k to 2k clusters. The embedding has rows of unit length.
    """

    n_base: Count = 20
    n_anchors: Count = 1000
    n_neighbors: Count = 5
    distance: Distance | Literal["by-view"] = "by-view"

    def solve(self, data: MultiViewData, n_clusters: int) -> Representation:
        # draws must not hang on the order of samples or views
        views = sorted((view.matrix for view in data.views), key=lambda X: (X.shape[1], float(X.sum())))
        order = canonical_order(*views)
        position = np.argsort(order)
        cosine = [holds_texts(X) if self.distance == "by-view" else self.distance == "cosine" for X in views]

        def clustering(rng: np.random.Generator) -> NDArray[np.int64]:
            return self._clustering(views, cosine, order, n_clusters, rng)

        with side_by_side_tasks(self.n_base) as each:
            clusterings = list(each(clustering, np.random.default_rng(self.random_state).spawn(self.n_base)))
        return Representation(embedding=ensemble_embedding(clusterings, n_clusters)[position])

    def _clustering(
        self, views: list[Any], cosine: list[bool], order: NDArray[np.int64], k: int, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """(n,) one clustering of the samples in their order; cosine : per view, whether that is its distance."""
        n = len(order)
        n_own = int(rng.integers(k, 2 * k + 1))
        chosen = np.sort(rng.choice(len(views), int(rng.integers(1, len(views) + 1)), replace=False))
        parts = []
        for v in chosen:
            points = _some_features(views[v], rng)[order]
            points = unit_rows(points) if cosine[v] else points
            anchors = self._anchors(points, -(-self.n_anchors // len(chosen)), rng, cosine=cosine[v])
            grouped = GroupedAnchors.of(anchors, rng)
            parts.append(cross_affinity(points, grouped, -(-self.n_neighbors // len(chosen)), cosine=cosine[v]))
        E, _ = transfer_cut(sparse.csr_array(sparse.hstack(parts)), min(n_own, n))
        return short_kmeans(E, min(n_own, n), _STEPS, rng, cosine=True)[0]

    def _anchors(self, points: Any, p: int, rng: np.random.Generator, *, cosine: bool) -> NDArray[Any]:
        n = points.shape[0]
        drawn = np.sort(rng.choice(n, min(_SAMPLED * p, n), replace=False))
        return short_kmeans(points[drawn], p, _STEPS, rng, cosine=cosine)[1]


def holds_texts(X: Any) -> bool:
    """True if the rows of X (n, d), dense or CSR, look like texts: not negative, mostly zeros, more than links.

    Equal rows count once: those filled with the mean of a view are full. Cost O(entries) and a sort of n.
    """
    entries = np.diff(X.indptr) if sparse.issparse(X) else np.count_nonzero(X, axis=1)
    values = X.data if sparse.issparse(X) else X
    distinct = np.unique(np.column_stack([entries, np.asarray(X.sum(axis=1)).ravel()]), axis=0)[:, 0]
    negative = np.count_nonzero(values < 0) > _FEW_NEGATIVE * max(1, entries.sum())
    return bool(not negative and _LINKS < distinct.mean() <= _TEXT_FILL * X.shape[1])


def distances_by_view(data: MultiViewData) -> dict[str, str]:
    """View -> 'cosine distance' or 'Euclidean distance', as "by-view" takes it."""
    return {view.name: f"{'cosine' if holds_texts(view.matrix) else 'Euclidean'} distance" for view in data.views}


def _some_features(X: Any, rng: np.random.Generator) -> Any:
    """X (n, d) with a random share of its features."""
    d = X.shape[1]
    chosen = rng.choice(d, max(1, round(rng.uniform(_FEWEST, _MOST) * d)), replace=False)
    return X[:, np.sort(chosen)]


# Similarities of samples to their nearest anchors, looked for in groups of anchors: linear in the samples.

# how many candidates there are for each neighbour asked for
_CANDIDATES = 10
# up to so many products of sparse rows and anchors all of them at once take less time than cutting out small parts
_TABLE_ENTRIES = 4_000_000


@dataclass(frozen=True, eq=False, slots=True)
class GroupedAnchors:
    """anchors : (p, d). groups : (p,) of each. centres : (q, d) of the groups. Source: Huang et al., TKDE 2020."""

    anchors: NDArray[Any]
    groups: NDArray[np.int64]
    centres: NDArray[Any]

    @classmethod
    def of(cls, anchors: NDArray[Any], rng: np.random.Generator) -> GroupedAnchors:
        """About sqrt(p) groups, by k-means."""
        groups, centres = short_kmeans(anchors, isqrt(len(anchors)), _STEPS, rng)
        return cls(anchors, groups, centres)

    def nearest(self, points: Any, m: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """(n, m) anchors near to each row of `points` (n, d), dense or CSR, and their squared distances.

        They are the nearest ones of 10 m + 1 candidates, the neighbours of the nearest anchor in the group whose centre
        is nearest. Fewer where there are fewer anchors. Cost O(n (sqrt(p) + m) d + p^2 d), memory a copy of the points.
        """
        offset = common_offset(points, self.anchors)
        anchors, centres = moved(self.anchors, offset), moved(self.centres, offset)
        m = min(m, len(anchors))
        candidates = nearest_rows(anchors, anchors, _CANDIDATES * m + 1)[0]
        points = moved(points, offset)
        if sparse.issparse(points) and points.shape[0] * len(anchors) <= _TABLE_ENTRIES:
            return self._by_table(points, anchors, centres, candidates, m)
        first = self._first(points, anchors, centres)
        indices, squared = np.empty((len(first), m), dtype=np.int64), np.empty((len(first), m))
        for anchor, rows in _members(first):
            own = candidates[anchor]
            chosen, squared[rows] = _smallest_distances(points[rows], anchors[own], m)
            indices[rows] = own[chosen]
        return indices, squared

    def _by_table(
        self, points: Any, anchors: NDArray[Any], centres: NDArray[Any], candidates: NDArray[np.int64], m: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The same, to the last bit for sparse rows, from the products of all points with all anchors."""
        products, norms = inner_products(points, anchors), squared_norms(anchors)
        kept, groups = np.unique(self.groups, return_inverse=True)
        inside = nearest_centre(points, centres[kept])[:, None] == groups
        own = candidates[np.where(inside, products - norms / 2, -np.inf).argmax(axis=1)]
        near = np.take_along_axis(products, own, axis=1)
        squared = np.maximum(squared_norms(points)[:, None] + norms[own] - 2.0 * near, 0.0)
        chosen = np.argsort(squared, axis=1, kind="stable")[:, :m]
        return np.take_along_axis(own, chosen, axis=1), np.take_along_axis(squared, chosen, axis=1)

    def _first(self, points: Any, anchors: NDArray[Any], centres: NDArray[Any]) -> NDArray[np.int64]:
        """(n,) the nearest anchor in the nearest group that has any."""
        kept, groups = np.unique(self.groups, return_inverse=True)
        result = np.empty(points.shape[0], dtype=np.int64)
        for group, rows in _members(nearest_centre(points, centres[kept])):
            own = np.flatnonzero(groups == group)
            result[rows] = own[nearest_centre(points[rows], anchors[own])]
        return result


def _members(labels: NDArray[np.int64]) -> list[tuple[int, NDArray[np.int64]]]:
    """Each label that occurs, with the rows that have it."""
    order = np.argsort(labels, kind="stable")
    occurring, firsts = np.unique(labels[order], return_index=True)
    return list(zip(occurring.tolist(), np.split(order, firsts[1:]), strict=True))


def _smallest_distances(points: Any, others: NDArray[Any], m: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(r, m) the nearest of the `others` (c, d) to each row of `points` (r, d), and the squared distances."""
    products = inner_products(points, others)
    squared = np.maximum(squared_norms(points)[:, None] + squared_norms(others) - 2.0 * products, 0.0)
    chosen = np.argsort(squared, axis=1, kind="stable")[:, :m]
    return chosen, np.take_along_axis(squared, chosen, axis=1)


def cross_affinity(points: Any, grouped: GroupedAnchors, m: int, *, cosine: bool = False) -> sparse.csr_array:
    """B (n, p) CSR: exp(-d^2 / (2 s^2)) to the m nearest anchors, s the mean of their distances, rows of unit length.

    cosine : cos = 1 - d^2 / 2 instead, at least 0, for points and anchors of unit length. A row without any similarity
    has equal ones. Cost as of `GroupedAnchors.nearest`.
    """
    indices, squared = grouped.nearest(points, m)
    if cosine:
        weights = np.maximum(1.0 - squared / 2.0, 0.0)
    else:
        scale = float(np.sqrt(squared).mean())
        squared -= squared.min(axis=1, keepdims=True)  # a factor of the row, which keeps it from vanishing
        weights = np.exp(-squared / (2.0 * scale**2)) if scale > 0 else np.ones_like(squared)
    weights[weights.max(axis=1) <= 0] = 1.0
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    n, m = weights.shape
    starts = np.arange(0, n * m + 1, m)
    return sparse.csr_array((weights.ravel(), indices.ravel(), starts), shape=(n, len(grouped.anchors)))


# The transfer cut: spectral embedding of a bipartite graph through its smaller side (Li, Wu and Chang, CVPR 2012).


def transfer_cut(B: sparse.csr_array, k: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """E (n, r), rows of unit length, and the r <= k largest eigenvalues, for a graph B (n, p) CSR, nonnegative.

    E = D_x^-1 B D_y^-1/2 V for the leading eigenvectors V of D_y^-1/2 B^T D_x^-1 B D_y^-1/2, with D_x the row sums of B
    and D_y those of B^T D_x^-1 B. Directions of eigenvalue 0 are left out. Cost O(n m^2) for m entries per row and that
    of k eigenvectors of a p x p matrix.
    """
    degrees = np.asarray(B.sum(axis=1)).ravel()
    walk = scale_rows(B, np.divide(1.0, degrees, out=np.zeros_like(degrees), where=degrees > 0))
    small = np.asarray((B.T @ walk).toarray())
    scale = inverse_square_root(small.sum(axis=1))
    small *= scale[:, None]
    small *= scale
    values, vectors = top_eigenvectors((small + small.T) / 2, k)
    kept = values > NO_RANK
    return unit_rows(np.asarray(walk @ (scale[:, None] * vectors[:, kept]))), values[kept]
