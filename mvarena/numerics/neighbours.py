"""Nearest rows, and the sparse graphs made of them."""

from __future__ import annotations

from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.numerics.anchors import short_kmeans
from mvarena.numerics.assignment import canonical_order
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


_ALL_COMPARED = 20_000  # up to so many samples


def neighbour_laplacian(
    matrix: Any, seen: NDArray[np.bool_], n_neighbors: int, *, block: int | None = None
) -> sparse.csr_array:
    """L (n, n) CSR of the graph with an edge of weight 1 wherever one observed sample is among the nearest of another.

    block : how many rows are compared with all at a time; None: as many as 32 MB hold. Of more than 20,000 samples the
    nearest are looked for in a few cells (`near_rows`). Cost O(n^2 d) time, and then O(n^1.5 d), memory n m, a copy of
    the points and a block of rows.
    """
    observed = np.flatnonzero(seen)
    points = matrix[observed]
    count = min(n_neighbors, len(observed) - 1)
    if len(observed) > _ALL_COMPARED:
        nearest = near_rows(points, count + 1)
    else:
        step = len(observed) if block is None else block
        blocks = [points[first : first + step] for first in range(0, len(observed), step)]
        nearest = np.vstack([nearest_rows(rows, points, count + 1)[0] for rows in blocks])
    others = nearest != np.arange(len(observed))[:, None]
    # among equal rows a row may not be the first of its own neighbours: the last one goes instead
    others[others.all(axis=1), -1] = False
    ends = observed[nearest[others]]
    starts = np.repeat(observed, others.sum(axis=1))  # in small cells a row finds fewer than `count`
    shape = (len(seen), len(seen))
    W = sparse.csr_array((np.ones(len(ends)), (starts, ends)), shape=shape)
    W = sparse.csr_array(W.maximum(W.T))
    degrees = np.asarray(W.sum(axis=1)).ravel()
    return sparse.csr_array(sparse.dia_array((degrees[None, :], [0]), shape=shape) - W)


def mean_reach(squared: NDArray[np.float64]) -> float:
    """The mean distance to the farthest of each row's nearest ones, from the squared distances of `nearest_rows`."""
    return float(np.sqrt(squared[:, -1]).mean())


# Rows near to each row, looked for in a few cells: what is asked where the nearest ones would cost n^2.

_STEPS = 5
_SAMPLED = 20  # rows drawn for each cell
_PROBES = 2  # cells whose rows each row is compared with
_CROWDED = 4  # times as many rows as a cell has on average are searched in parts

Rows = NDArray[np.int64]


def near_rows(points: Any, m: int) -> Rows:
    """(n, m) indices of near rows of `points` (n, d), dense or CSR, nearest first, itself among them; n >= m.

    Rows lie in about sqrt(n) cells, those nearest to k-means centres of a sample; each is compared with the rows of the
    two cells nearest to it, of a crowded one with a part of them. For less than 4 m^2 rows they are the nearest ones.
    Fixed seeds; where the rows stand changes nothing. Time O(n^1.5 d), memory a copy of the points, n m and a block of
    rows.
    """
    n = points.shape[0]
    if n < 4 * m * m:
        return nearest_rows(points, points, m)[0]
    order = canonical_order(points)
    ordered = points[order]
    result = np.empty((n, m), dtype=np.int64)
    result[order] = order[_in_cells(ordered, m)]
    return result


def _in_cells(points: Any, m: int) -> Rows:
    n, rng = points.shape[0], np.random.default_rng(0)
    drawn = np.sort(rng.choice(n, min(n, _SAMPLED * isqrt(n)), replace=False))
    centres = short_kmeans(points[drawn], isqrt(n), _STEPS, rng)[1]
    cells = nearest_rows(points, centres, _PROBES)[0]
    members = _by_cell(cells[:, 0], len(centres))
    indices = np.tile(np.arange(n)[:, None], (1, m * cells.shape[1]))
    squared = np.full(indices.shape, np.inf)
    for probe, requested in enumerate(cells.T):
        own = slice(probe * m, (probe + 1) * m)
        for rows, others in zip(_by_cell(requested, len(centres)), members, strict=True):
            for part, there in _parts(rows, others, _CROWDED * isqrt(n)):
                near, distances = nearest_rows(points[part], points[there], m)
                columns = np.arange(own.start, own.start + near.shape[1])
                indices[part[:, None], columns], squared[part[:, None], columns] = there[near], distances
    best = np.argsort(squared, axis=1, kind="stable")[:, :m]
    return np.take_along_axis(indices, best, axis=1)


def _by_cell(labels: Rows, n_cells: int) -> list[Rows]:
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.cumsum(np.bincount(labels, minlength=n_cells))[:-1])


def _parts(rows: Rows, others: Rows, largest: int) -> list[tuple[Rows, Rows]]:
    """The rows and those that they are compared with, in as many parts as keep the latter below `largest`."""
    count = -(-len(others) // largest)
    pairs = zip(np.array_split(rows, max(count, 1)), np.array_split(others, max(count, 1)), strict=True)
    return [(part, there) for part, there in pairs if len(part) and len(there)]


# The nearest other row of each row, in blocks: no n x n matrix.

_BLOCK = 256


def nearest_other_row(points: Any) -> NDArray[np.int64]:
    """Index (n,) of the row nearest to each row of `points` (n, d), dense or CSR, itself excluded.

    Of rows equally near, the first. A single row is its own neighbour. Time O(n nnz), memory 256 n.
    """
    n = points.shape[0]
    # distances stay the same and keep more digits; a sparse matrix would fill
    moved = points if sparse.issparse(points) else points - points.mean(axis=0)
    halves = squared_norms(moved) / 2
    nearest = np.zeros(n, dtype=np.int64)
    for start in range(0, n, _BLOCK):
        rows = np.arange(start, min(start + _BLOCK, n))
        # |x - y|^2 / 2 less |x|^2 / 2, which does not matter for the choice of y
        scores = halves - inner_products(moved[rows], moved)
        if n > 1:
            scores[np.arange(len(rows)), rows] = np.inf
        nearest[rows] = scores.argmin(axis=1)
    return nearest


# The smallest entries of each row of a matrix, in order, without sorting whole rows.

_ROWS = 256


def smallest_in_rows(matrix: NDArray[np.float64], m: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(n, m) indices of the smallest entries of each row of `matrix` (n, l), l >= m, ascending, and these entries.

    Of equal ones the first. Time O(n l), memory a block of rows beside the results.
    """
    n = len(matrix)
    columns, values = np.empty((n, m), dtype=np.int64), np.empty((n, m))
    for start in range(0, n, _ROWS):
        block = matrix[start : start + _ROWS]
        bound = np.partition(block, m - 1, axis=1)[:, m - 1, None]
        rows, among = np.nonzero(block <= bound)
        small = block[rows, among]
        order = np.lexsort((small, rows))
        first = np.searchsorted(rows, np.arange(len(block)))
        chosen = order[first[:, None] + np.arange(m)]
        columns[start : start + _ROWS], values[start : start + _ROWS] = among[chosen], small[chosen]
    return columns, values
