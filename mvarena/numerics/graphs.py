"""Nearest rows, and the sparse graphs made of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.numerics.kernels import ROUNDING, common_offset, inner_products, moved, row_blocks, squared_norms


def nearest_rows(points: Any, anchors: Any, m: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The m nearest rows of `anchors` to each row of `points`, nearest first, and their squared distances.

    Parameters
    ----------
    points : (n, d) dense or CSR. anchors : (l, d) dense or CSR. m : how many; all of them where l < m.

    Returns indices (n, min(m, l)) into `anchors` and squared Euclidean distances of the same shape. Of anchors
    that are equally far, up to rounding, the first ones are taken: the choice does not hang on the last bit.
    Time O(n l d); memory n m and one block of rows.
    """
    n, n_anchors = points.shape[0], anchors.shape[0]
    m = min(m, n_anchors)
    offset = common_offset(points, anchors)
    anchors = moved(anchors, offset)
    anchor_norms = squared_norms(anchors)
    indices = np.empty((n, m), dtype=np.int64)
    squared = np.empty((n, m))
    for rows in row_blocks(n, n_anchors):
        block = moved(points[rows], offset)
        norms = squared_norms(block)
        # |x|^2 is the same for all anchors of a row: it is added to the chosen ones only
        scores = inner_products(block, anchors)
        scores *= -2.0
        scores += anchor_norms
        noise = ROUNDING * (norms + anchor_norms.max())
        chosen = _smallest(scores, m, noise)
        nearest = np.take_along_axis(scores, chosen, axis=1) + norms[:, None]
        nearest[nearest <= noise[:, None]] = 0.0
        order = np.argsort(nearest, axis=1, kind="stable")
        indices[rows] = np.take_along_axis(chosen, order, axis=1)
        squared[rows] = np.take_along_axis(nearest, order, axis=1)
    return indices, squared


def _smallest(scores: NDArray[np.float64], m: int, noise: NDArray[np.float64]) -> NDArray[np.int64]:
    """(n, m) columns of the m smallest entries per row; the lower column wins where entries differ by noise."""
    n, n_columns = scores.shape
    if m == n_columns:
        return np.tile(np.arange(n_columns), (n, 1))
    part = np.argpartition(scores, m, axis=1)
    chosen = part[:, :m]
    last = np.take_along_axis(scores, chosen, axis=1).max(axis=1)
    next_one = np.take_along_axis(scores, part[:, m : m + 1], axis=1).ravel()
    tied = np.flatnonzero(next_one - last <= noise)
    if tied.size:
        row_scores, bound, width = scores[tied], last[tied, None], noise[tied, None]
        certain = row_scores < bound - width
        doubtful = ~certain & (row_scores <= bound + width)
        room = m - certain.sum(axis=1, keepdims=True)
        taken = certain | (doubtful & (np.cumsum(doubtful, axis=1) <= room))
        chosen[tied] = np.nonzero(taken)[1].reshape(-1, m)
    return np.sort(chosen, axis=1)


def neighbour_graph(
    indices: NDArray[np.int64], weights: NDArray[np.float64], n_columns: int, rows: NDArray[np.int64], n_rows: int
) -> sparse.csr_array:
    """CSR matrix (n_rows, n_columns) with `weights` (r, m) at columns `indices` (r, m) of the given `rows` (r,).

    `rows` ascend; the rows that they leave out are empty. Cost O(r m).
    """
    lengths = np.zeros(n_rows + 1, dtype=np.int64)
    lengths[rows + 1] = indices.shape[1]
    graph = sparse.csr_array((weights.ravel(), indices.ravel(), np.cumsum(lengths)), shape=(n_rows, n_columns))
    graph.sort_indices()
    return graph


def mean_reach(squared: NDArray[np.float64]) -> float:
    """The mean distance to the farthest of each row's nearest ones, from the squared distances of `nearest_rows`."""
    return float(np.sqrt(squared[:, -1]).mean())
