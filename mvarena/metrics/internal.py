"""Internal scores: how well clusters are separated in a space, without any classes.

Each comes in two forms: on the algorithm's embedding, and as the mean over the feature views that it was given, each
with the samples that it observes. NaN where it is not defined: a single cluster, no embedding, no feature view.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.metric import Points, Space
from mvarena.metrics.separation import calinski_harabasz_in, davies_bouldin_in
from mvarena.metrics.silhouettes import silhouette_in

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
    found = [_in_space(score, space, points.labels) for space in points.views]
    defined = [value for value in found if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else math.nan


def _in_space(score: Score, space: Space, labels: NDArray[np.int64]) -> float:
    """The score with the labels of the space's samples as 0, 1, ..., every cluster having a member."""
    clusters, codes = np.unique(labels[space.samples], return_inverse=True)
    return math.nan if len(clusters) < 2 else score(space, codes)
