"""From a representation to clusters: k-means restarts on an embedding, spectral clustering of an affinity.

Rows are put in a canonical order before k-means draws its centres, so a permutation of the samples permutes the
labels and nothing else, and an order sorted by class cannot leak into the starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans

from mvarena.numerics.spectral import normalized_embedding


@dataclass(frozen=True, eq=False, slots=True)
class Assignment:
    """One labelling: (n,) cluster indices from 0, and the k-means inertia that it reached."""

    labels: NDArray[np.int64]
    inertia: float


def unit_rows(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows scaled to unit length; all-zero rows stay zero."""
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix / np.where(norms > 0, norms, 1.0)


def canonical_order(matrix: NDArray[np.float64]) -> NDArray[np.int64]:
    """An order of the rows that depends on their values, not on where they stand.

    Values are compared at 8 significant digits of the column's scale, so rounding noise does not reorder rows
    except where they all but tie.
    """
    scale = np.abs(matrix).max(axis=0)
    rounded = np.round(matrix / np.where(scale > 0, scale, 1.0), 8)
    return np.lexsort(rounded.T[::-1])


def assign_embedding(
    embedding: NDArray[np.float64], n_clusters: int, seeds: Sequence[int], *, unit_length: bool = False
) -> list[Assignment]:
    """One k-means run (k-means++ start, Lloyd) per seed on the rows of `embedding` (n, p).

    Each run equals a stand-alone run with its seed. Where the rows have fewer distinct values than
    `n_clusters`, the surplus clusters stay empty. Cost O(n p k) per Lloyd step.
    """
    points = unit_rows(embedding) if unit_length else embedding
    order = canonical_order(points)
    ordered = np.ascontiguousarray(points[order])
    distinct = 1 + int((np.diff(ordered, axis=0) != 0).any(axis=1).sum())
    assignments = []
    for seed in seeds:
        model = KMeans(min(n_clusters, distinct), n_init=1, random_state=seed).fit(ordered)
        labels = np.empty(len(order), dtype=np.int64)
        labels[order] = model.labels_
        assignments.append(Assignment(labels, float(model.inertia_)))
    return assignments


def assign_affinity(affinity: Any, n_clusters: int, seeds: Sequence[int]) -> list[Assignment]:
    """Normalised spectral clustering (Ng, Jordan and Weiss 2001) of an (n, n) affinity, one k-means run per seed."""
    return assign_embedding(normalized_embedding(affinity, n_clusters), n_clusters, seeds, unit_length=True)
