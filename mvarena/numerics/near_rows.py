"""Rows near to each row, looked for in a few cells: what is asked where the nearest ones would cost n^2."""

from __future__ import annotations

from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.numerics.assignment import canonical_order
from mvarena.numerics.graphs import nearest_rows
from mvarena.numerics.short_kmeans import short_kmeans

_STEPS = 5
_SAMPLED = 20  # rows drawn for each cell
_CROWDED = 4  # times as many rows as a cell has on average are searched in parts

Rows = NDArray[np.int64]


def near_rows(points: Any, m: int, *, probes: int = 2) -> Rows:
    """(n, m) indices of near rows of `points` (n, d), dense or CSR, nearest first, itself among them; n >= m.

    Rows lie in about sqrt(n) cells, those nearest to k-means centres of a sample; each is compared with the rows of the
    `probes` cells nearest to it, of a crowded one with a part of them. With all cells probed and none crowded, and for
    less than 4 m^2 rows, they are the nearest ones. Fixed seeds; where the rows stand changes nothing. Time
    O(n^1.5 d), memory a copy of the points, n m and a block of rows.
    """
    n = points.shape[0]
    if n < 4 * m * m:
        return nearest_rows(points, points, m)[0]
    order = canonical_order(points)
    ordered = points[order]
    found = np.empty((n, m), dtype=np.int64)
    found[order] = order[_in_cells(ordered, m, probes)]
    return found


def _in_cells(points: Any, m: int, probes: int) -> Rows:
    n, rng = points.shape[0], np.random.default_rng(0)
    drawn = np.sort(rng.choice(n, min(n, _SAMPLED * isqrt(n)), replace=False))
    centres = short_kmeans(points[drawn], isqrt(n), _STEPS, rng)[1]
    cells = nearest_rows(points, centres, probes)[0]
    members = _by_cell(cells[:, 0], len(centres))
    indices = np.tile(np.arange(n)[:, None], (1, m * cells.shape[1]))
    squared = np.full(indices.shape, np.inf)
    for probe, asked in enumerate(cells.T):
        own = slice(probe * m, (probe + 1) * m)
        for rows, others in zip(_by_cell(asked, len(centres)), members, strict=True):
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
