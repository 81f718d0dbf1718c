"""Greedy k-means++ starts (Arthur and Vassilvitskii 2007) for many seeds at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvarena.numerics.kernels import squared_norms

Points = NDArray[np.float64]

# the distances of all the seeds that are drawn for together stay in the cache
_CACHED_ENTRIES = 131_072


def greedy_starts(points: Points, k: int, seeds: Sequence[int]) -> NDArray[np.int64]:
    """(len(seeds), k) rows of `points` (n, d, C order) to start from: scikit-learn's own for each seed, to the bit.

    Each centre is the best of 2 + log k rows, drawn by their squared distance to the nearest centre so far. The
    norms are computed once, and the same random numbers meet the same products and sums as in scikit-learn.
    Cost O(n d k log k) per seed; memory n (3 + log k), and a megabyte for seeds that are drawn for together.
    """
    trials = 2 + int(np.log(k))
    uniform = _uniform(seeds, 1 + (k - 1) * trials)
    first = np.cumsum(np.ones(len(points)) / len(points))
    rows = np.empty((len(seeds), k), dtype=np.int64)
    rows[:, 0] = np.searchsorted(first / first[-1], uniform[:, 0], side="right")
    norms = squared_norms(points)
    together = max(1, _CACHED_ENTRIES // (len(points) * trials))
    by_centre = uniform[:, 1:].reshape(len(seeds), k - 1, trials)
    for start in range(0, len(seeds), together):
        of = slice(start, start + together)
        _go_on(points, norms, rows[of], by_centre[of])
    return rows


def _uniform(seeds: Sequence[int], count: int) -> Points:
    """(len(seeds), count) what a generator of each seed draws. One that is seeded again costs a tenth of another."""
    generator = np.random.RandomState()
    drawn = np.empty((len(seeds), count))
    for seed, row in zip(seeds, drawn, strict=True):
        generator.seed(seed)
        row[:] = generator.random_sample(count)
    return drawn


def _go_on(points: Points, norms: Points, rows: NDArray[np.int64], uniform: Points) -> None:
    """Fill rows (R, k), of which the first column is drawn, by the uniform numbers (R, k - 1, trials)."""
    n, (restarts, k) = len(points), rows.shape
    each, ones = np.arange(restarts), np.ones((n, 1))
    nearest = _distances(points, norms, rows[:, :1], np.empty((restarts, 1, n)))
    total = (nearest @ ones)[:, :, 0]
    found = np.empty((restarts, uniform.shape[2], n))
    summed = np.empty(n)
    for c in range(1, k):
        drawn = np.empty((restarts, uniform.shape[2]), dtype=np.int64)
        for r, wanted in enumerate(uniform[:, c - 1] * total):
            drawn[r] = np.searchsorted(np.cumsum(nearest[r, 0], out=summed), wanted)
        np.minimum(drawn, n - 1, out=drawn)  # rounding may ask for more than there is
        np.minimum(nearest, _distances(points, norms, drawn, found), out=found)
        totals = (found @ ones)[:, :, 0]
        best = np.argmin(totals, axis=1)
        total, rows[:, c] = totals[each, best, None], drawn[each, best]
        nearest[:, 0] = found[each, best]


def _distances(points: Points, norms: Points, rows: NDArray[np.int64], out: Any) -> Any:
    """(R, l, n) squared distances of the points `rows` (R, l) to all, written to `out`."""
    np.matmul(-2 * points[rows], points.T, out=out)  # twice as much is exact
    out += norms[rows][:, :, None]
    out += norms
    return np.maximum(out, 0, out=out)
