"""A few steps of k-means from rows that are drawn, where anchors or an ensemble's clusterings are asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.numerics.kernels import cached_blocks, inner_products, squared_norms
from mvarena.numerics.scaling import unit_rows


def short_kmeans(
    points: Any, k: int, steps: int, rng: np.random.Generator, *, cosine: bool = False
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Labels (n,) and centres (k', d) after `steps` Lloyd steps from k distinct rows (all, where n < k) of `points`.

    Parameters
    ----------
    points : (n, d) dense or CSR. cosine : by the angle between rows and centres, for rows of unit length.

    A cluster that empties keeps its centre. Cost O(nnz k) per step, memory O(n + k d) and a block of rows.
    """
    n = points.shape[0]
    drawn = points[np.sort(rng.choice(n, min(k, n), replace=False))]
    centres = drawn.toarray() if sparse.issparse(drawn) else np.array(drawn)
    labels = nearest_centre(points, centres, cosine=cosine)
    for _ in range(steps):
        centres = _means(points, labels, centres)
        if cosine:
            centres = unit_rows(centres)
        labels = nearest_centre(points, centres, cosine=cosine)
    return labels, centres


def nearest_centre(points: Any, centres: NDArray[Any], *, cosine: bool = False) -> NDArray[np.int64]:
    """(n,) the nearest row of `centres` to each row of `points`, the first of those equally near. Cost O(nnz k)."""
    offset: Any = 0.0 if cosine else squared_norms(centres) / 2
    labels = np.empty(points.shape[0], dtype=np.int64)
    for rows in cached_blocks(len(labels), max(len(centres), 64)):
        labels[rows] = np.argmax(inner_products(points[rows], centres) - offset, axis=1)
    return labels


def _means(points: Any, labels: NDArray[np.int64], centres: NDArray[Any]) -> NDArray[Any]:
    n, k = len(labels), len(centres)
    members = sparse.csc_array((np.ones(n, dtype=centres.dtype), labels, np.arange(n + 1)), shape=(k, n))
    sums = members @ points
    counts = np.bincount(labels, minlength=k)[:, None]
    means = (sums.toarray() if sparse.issparse(sums) else sums) / np.maximum(counts, 1)
    return np.where(counts > 0, means, centres).astype(centres.dtype, copy=False)
