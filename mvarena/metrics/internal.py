"""Internal scores: how well clusters are separated in a space, without any classes.

Each comes in two forms: on the algorithm's embedding, and as the mean over the feature views that it was given, each
with the samples that it observes. NaN where it is not defined: a single cluster, no embedding, no feature view.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.metric import Contingency, Points, Restarts, Space
from mvarena.metrics.external import ari
from mvarena.numerics.kernels import row_blocks, squared_distances

Score = Callable[[Space, NDArray[np.int64]], float]


def silhouette(points: Points) -> float:
    """Mean silhouette on the embedding: (b - a) / max(a, b). Source: Rousseeuw 1987."""
    return _on_embedding(silhouette_in, points)


def silhouette_views(points: Points) -> float:
    """Mean silhouette on the observed samples of each feature view, averaged over the views."""
    return _on_views(silhouette_in, points)


def davies_bouldin(points: Points) -> float:
    """Davies-Bouldin index on the embedding; lower is better. Source: Davies and Bouldin, IEEE TPAMI 1979."""
    return _on_embedding(davies_bouldin_in, points)


def davies_bouldin_views(points: Points) -> float:
    """Davies-Bouldin index on the observed samples of each feature view, averaged over the views."""
    return _on_views(davies_bouldin_in, points)


def calinski_harabasz(points: Points) -> float:
    """Calinski-Harabasz index on the embedding. Source: Calinski and Harabasz, Communications in Statistics 1974."""
    return _on_embedding(calinski_harabasz_in, points)


def calinski_harabasz_views(points: Points) -> float:
    """Calinski-Harabasz index on the observed samples of each feature view, averaged over the views."""
    return _on_views(calinski_harabasz_in, points)


def _on_embedding(score: Score, points: Points) -> float:
    return math.nan if points.embedding is None else _in_space(score, points.embedding, points.labels)


def _on_views(score: Score, points: Points) -> float:
    values = [_in_space(score, space, points.labels) for space in points.views]
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else math.nan


def _in_space(score: Score, space: Space, labels: NDArray[np.int64]) -> float:
    """The score with the labels of the space's samples as 0, 1, ..., every cluster having a member."""
    clusters, codes = np.unique(labels[space.samples], return_inverse=True)
    return math.nan if len(clusters) < 2 else score(space, codes)


# Davies-Bouldin and Calinski-Harabasz: spread within clusters against distance between their centroids.


def davies_bouldin_in(space: Space, codes: NDArray[np.int64]) -> float:
    """Mean over clusters i of the largest (S_i + S_j) / M_ij; lower is better, 0 is best.

    S is a cluster's mean distance to its centroid, M the distance between centroids. Infinite where two centroids
    coincide: such clusters are not apart at all.

    Parameters
    ----------
    space : m samples. codes : (m,) cluster indices from 0, two clusters at least.

    Cost O(m p k). Source: Davies and Bouldin, IEEE TPAMI 1979.
    """
    centroids, to_own = _centroids(space, codes)
    spread = np.bincount(codes, weights=np.sqrt(to_own)) / np.bincount(codes)
    apart = np.sqrt(squared_distances(centroids))
    np.fill_diagonal(apart, np.nan)
    both = spread[:, None] + spread[None, :]
    ratios = np.divide(both, apart, out=np.full_like(both, np.inf), where=apart != 0)
    return float(np.nanmax(ratios, axis=1).mean())


def calinski_harabasz_in(space: Space, codes: NDArray[np.int64]) -> float:
    """(between / (k - 1)) / (within / (m - k)): the ratio of the two sums of squares, each per degree of freedom.

    NaN where every sample is a cluster of its own, infinite where clusters are single points.

    Parameters
    ----------
    space : m samples. codes : (m,) cluster indices from 0, two clusters at least.

    Cost O(m p k). Source: Calinski and Harabasz, Communications in Statistics 1974.
    """
    sizes = np.bincount(codes)
    m, k = len(codes), len(sizes)
    if m == k:
        return math.nan
    centroids, to_own = _centroids(space, codes)
    within = float(to_own.sum())
    mean = sizes @ centroids / m
    between = float(sizes @ ((centroids - mean) ** 2).sum(axis=1))
    if within == 0:
        return math.inf if between > 0 else math.nan
    return (between / (k - 1)) / (within / (m - k))


def memberships(codes: NDArray[np.int64]) -> Any:
    """(k, m) CSR with a 1 for each sample in the row of its cluster: times a matrix, it sums rows by cluster."""
    m = len(codes)
    return sparse.csr_array((np.ones(m), (codes, np.arange(m))), shape=(int(codes.max()) + 1, m))


def _centroids(space: Space, codes: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(k, p) the clusters' means, and (m,) each sample's squared distance to its own."""
    sums = memberships(codes) @ space.matrix
    centroids = np.asarray(sums.toarray() if sparse.issparse(sums) else sums) / np.bincount(codes)[:, None]
    to_own = np.empty(len(codes))
    for rows in row_blocks(len(codes), max(centroids.shape)):
        block = squared_distances(space.matrix[rows], centroids)
        to_own[rows] = block[np.arange(len(block)), codes[rows]]
    return centroids, to_own


# The silhouette: is a sample nearer to its own cluster than to the next one?

_ALL_UP_TO = 3_000


def silhouette_in(space: Space, codes: NDArray[np.int64]) -> float:
    """The mean of (b - a) / max(a, b) over samples: a the mean distance to the own cluster, b to the nearest other.

    Parameters
    ----------
    space : m samples; its distances are kept with it up to 3,000 samples (72 MB). With more, the mean is taken over
        3,000 of them, drawn with a fixed seed, each against all m.
    codes : (m,) cluster indices from 0, two clusters at least.

    A cluster's only member counts 0, as does a sample with a = b = 0. Cost O(min(m, 3000) m p); up to 3,000 samples
    O(m^2) for each further labelling of the same space.
    Source: Rousseeuw 1987.
    """
    m = len(codes)
    members = memberships(codes)
    sizes = np.bincount(codes)
    if m <= _ALL_UP_TO:
        if "distances" not in space.kept:
            space.kept["distances"] = np.sqrt(squared_distances(space.matrix))
        return float(_silhouettes((members @ space.kept["distances"]).T, codes, sizes).mean())
    drawn = np.sort(np.random.default_rng(0).choice(m, _ALL_UP_TO, replace=False))
    total = 0.0
    for block in row_blocks(_ALL_UP_TO, m):
        rows = drawn[block]
        distances = np.sqrt(squared_distances(space.matrix, space.matrix[rows]))
        distances[rows, np.arange(len(rows))] = 0.0
        total += float(_silhouettes((members @ distances).T, codes[rows], sizes).sum())
    return total / _ALL_UP_TO


def _silhouettes(sums: NDArray[np.float64], codes: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """One silhouette per row of `sums`, the total distance of a sample to each cluster."""
    rows = np.arange(len(codes))
    own = sums[rows, codes] / np.maximum(sizes[codes] - 1, 1)
    others = sums / sizes
    others[rows, codes] = np.inf
    nearest = others.min(axis=1)
    larger = np.maximum(own, nearest)
    values = np.divide(nearest - own, larger, out=np.zeros_like(own), where=larger > 0)
    return np.where(sizes[codes] > 1, values, 0.0)


# stability: do restarts of one trial find the same clusters?.


def stability(restarts: Restarts) -> float:
    """The mean adjusted Rand index over all pairs of a trial's labellings; NaN for a single one.

    1 where every restart gives the same partition, about 0 where they share nothing. Cost O(r^2 n) for r restarts.
    """
    agreements = [ari(Contingency.from_labels(*pair)) for pair in combinations(restarts.labellings, 2)]
    return sum(agreements) / len(agreements) if agreements else math.nan
