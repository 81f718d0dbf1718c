"""Similarities of samples to their nearest anchors, looked for in groups of anchors: linear in the samples."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.numerics.anchors import nearest_centre, short_kmeans
from mvarena.numerics.kernels import common_offset, inner_products, moved, squared_norms
from mvarena.numerics.neighbours import nearest_rows

# how many candidates there are for each neighbour asked for
_CANDIDATES = 10
_STEPS = 5
# up to so many products of sparse rows and anchors all of them at once take less time than cutting out small parts
_TABLE_ENTRIES = 1_000_000


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
        found = np.empty(points.shape[0], dtype=np.int64)
        for group, rows in _members(nearest_centre(points, centres[kept])):
            own = np.flatnonzero(groups == group)
            found[rows] = own[nearest_centre(points[rows], anchors[own])]
        return found


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
