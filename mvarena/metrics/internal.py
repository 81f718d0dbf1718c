"""Internal scores, which need no classes: the silhouette of clusters, and the stability of restarts.

The silhouette has two forms: on the algorithm's embedding, and as the mean over the feature views that it was given,
each with the samples that it observes. NaN where it is not defined: a single cluster, no embedding, no feature view.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.contracts.metric import Contingency, Points, Restarts, Space
from mvarena.metrics.external import ari
from mvarena.numerics.kernels import row_blocks, squared_distances


def silhouette(points: Points) -> float:
    """Mean silhouette on the embedding: (b - a) / max(a, b). Source: Rousseeuw 1987."""
    return math.nan if points.embedding is None else _in_space(points.embedding, points.labels)


def silhouette_views(points: Points) -> float:
    """Mean silhouette on the observed samples of each feature view, averaged over the views."""
    values = [_in_space(space, points.labels) for space in points.views]
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else math.nan


def _in_space(space: Space, labels: NDArray[np.int64]) -> float:
    """The silhouette with the labels of the space's samples as 0, 1, ..., every cluster having a member."""
    clusters, codes = np.unique(labels[space.samples], return_inverse=True)
    return math.nan if len(clusters) < 2 else silhouette_in(space, codes)


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
    # (k, m): times a matrix, it sums the rows of each cluster
    members = sparse.csr_array((np.ones(m), (codes, np.arange(m))), shape=(int(codes.max()) + 1, m))
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


# stability: do restarts of one trial find the same clusters?


def stability(restarts: Restarts) -> float:
    """The mean adjusted Rand index over all pairs of a trial's labellings; NaN for a single one.

    1 where every restart gives the same partition, about 0 where they share nothing. Cost O(r^2 n) for r restarts.
    """
    agreements = [ari(Contingency.from_labels(*pair)) for pair in combinations(restarts.labellings, 2)]
    return sum(agreements) / len(agreements) if agreements else math.nan
