"""k-means from k-means++ starts, one run per seed: the labels of scikit-learn's Lloyd from the same starts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from threadpoolctl import ThreadpoolController

from mvarena.numerics.kernels import squared_norms

# multiplications in one Lloyd step, from which threads gain more than they cost
_WORTH_THREADS = 50_000_000
_CENTRES = 1_000_000  # entries of the centres of runs that go together
_TOLERANCE = 1e-4  # of the mean variance of a column, by which the centres still move


def kmeans_runs(points: Any, k: int, seeds: Sequence[int]) -> list[Labelling]:
    """One run per seed on `points` (n, d), dense or CSR with 32-bit indices, of at least k rows that differ.

    Labels are those of scikit-learn's `KMeans(k, n_init=1, random_state=seed)`, and to rounding its inertia; where a
    point is equally near to two centres to the last bit, rounding decides, there and here. Runs on dense points go
    their steps together; where a step is long, each goes its own on all threads.
    Cost O(n d k) per step and run; memory: the points, the labels and some 50 MB.
    """
    if sparse.issparse(points) or points.dtype == np.float32:
        return [_one_run(points, k, "k-means++", seed) for seed in seeds]
    points = np.ascontiguousarray(points, dtype=np.float64)
    centred = points - points.mean(axis=0)
    if not np.isfinite(squared_norms(centred)).all():
        return [_one_run(points, k, "k-means++", seed) for seed in seeds]  # which says what is wrong
    if points.size * k > _WORTH_THREADS:
        return [_one_run(points, k, points[rows]) for rows in greedy_starts(centred, k, seeds)]
    tolerance = _TOLERANCE * float(np.mean(np.var(points, axis=0)))
    together = max(1, _CENTRES // (points.shape[1] * k))
    runs: list[Labelling] = []
    for start in range(0, len(seeds), together):
        with _one_thread():
            rows = greedy_starts(centred, k, seeds[start : start + together])
            ends = lloyd(centred, centred[rows], tolerance)
        runs += [
            Labelling(labels, _inertia(centred, labels, centres)) if ended else _one_run(points, k, points[first])
            for labels, centres, ended, first in zip(ends.labels, ends.centres, ends.ended, rows, strict=True)
        ]
    return runs


def _inertia(points: NDArray[np.float64], labels: NDArray[np.int64], centres: NDArray[np.float64]) -> float:
    return float(squared_norms(points - centres[labels]).sum())


def _one_run(points: Any, k: int, start: Any, seed: int = 0) -> Labelling:
    """Run of scikit-learn's k-means, which also finds new centres for emptied clusters."""
    from sklearn.cluster import KMeans  # takes long, and most runs need none

    with nullcontext() if points.shape[0] * points.shape[1] * k > _WORTH_THREADS else _one_thread():
        model = KMeans(k, init=start, n_init=1, random_state=seed).fit(points)
    return Labelling(model.labels_.astype(np.int64), float(model.inertia_))


def _one_thread() -> AbstractContextManager[Any]:
    """One thread meanwhile, of BLAS and of OpenMP, for short steps.

    There threads spend more time waiting for each other than working, and on a busy machine, where they wait
    spinning for a thread that has no core, a hundred times more.
    """
    return _thread_pools("sklearn.cluster" in sys.modules).limit(limits=1)


@cache
def _thread_pools(with_openmp: bool) -> ThreadpoolController:
    loaded = ThreadpoolController()  # by then: OpenMP comes with scikit-learn
    return loaded if with_openmp else loaded.select(user_api="blas")


# Greedy k-means++ starts (Arthur and Vassilvitskii 2007) for many seeds at once.

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
    result = np.empty((restarts, uniform.shape[2], n))
    summed = np.empty(n)
    for c in range(1, k):
        drawn = np.empty((restarts, uniform.shape[2]), dtype=np.int64)
        for r, wanted in enumerate(uniform[:, c - 1] * total):
            drawn[r] = np.searchsorted(np.cumsum(nearest[r, 0], out=summed), wanted)
        np.minimum(drawn, n - 1, out=drawn)  # rounding may ask for more than there is
        np.minimum(nearest, _distances(points, norms, drawn, result), out=result)
        totals = (result @ ones)[:, :, 0]
        best = np.argmin(totals, axis=1)
        total, rows[:, c] = totals[each, best, None], drawn[each, best]
        nearest[:, 0] = result[each, best]


def _distances(points: Points, norms: Points, rows: NDArray[np.int64], out: Any) -> Any:
    """(R, l, n) squared distances of the points `rows` (R, l) to all, written to `out`."""
    np.matmul(-2 * points[rows], points.T, out=out)  # twice as much is exact
    out += norms[rows][:, :, None]
    out += norms
    return np.maximum(out, 0, out=out)


# Lloyd's k-means from many starts at once: one product for all of them, and none goes a way that another has gone.

Labels = NDArray[np.int64]

_STEPS = 300
# the distances of some restarts to a block of rows stay in the cache from one pass to the next
_ROWS = 256
_EVEN = 64
_MEMBERS = 4_000_000


@dataclass(eq=False, slots=True)
class Ends:
    """Results of the restarts: labels (R, n), centres (R, k, d), and which of them finished.

    Those did not in which a cluster emptied, and those that took 300 steps.
    """

    labels: Labels
    centres: Points
    ended: NDArray[np.bool_]


@dataclass(eq=False, slots=True)
class _Ways:
    """Centres seen so far: digest of centres -> (restart, its order of them), and merged restarts with their renamings.

    Where a point is equally near to two centres, their order decides: there nobody is followed.
    """

    tied: bool = False
    seen: dict[bytes, tuple[int, Labels]] = field(default_factory=dict)
    followers: list[tuple[int, int, Labels]] = field(default_factory=list)


def lloyd(points: Points, starts: Points, tolerance: float) -> Ends:
    """Lloyd's steps on points (n, d) from each of the centres `starts` (R, k, d).

    A restart ends where no label changes, or, with one more assignment, where the centres move by no more than
    `tolerance` in squared length. One that reaches the centres of another, in whatever order, ends as that one does.
    Cost O(n d k) per step and restart; memory: the labels, 12 n to 50 MB for who is in which cluster, and 2 MB.
    """
    restarts, k, _ = starts.shape
    ends = Ends(np.zeros((restarts, len(points)), dtype=np.int64), starts.copy(), np.zeros(restarts, dtype=bool))
    together = max(1, min(_CACHED_ENTRIES // (k * _ROWS), _MEMBERS // len(points)))
    ways = _Ways()
    for first in range(0, restarts, together):
        _walk(points, np.arange(first, min(first + together, restarts)), ends, ways, tolerance)
    for follower, leader, names in reversed(ways.followers):
        if not ends.ended[leader]:
            continue
        ends.labels[follower] = names[ends.labels[leader]]
        ends.centres[follower, names] = ends.centres[leader]
        ends.ended[follower] = True
    return ends


def _walk(points: Points, going: Labels, ends: Ends, ways: _Ways, tolerance: float) -> None:
    """Take the restarts `going` to where they end."""
    centres, before = ends.centres[going], None
    for step in range(_STEPS):
        labels, tied = nearest(points, centres, look_for_ties=step == 0)
        ways.tied |= tied
        moved, counts = _means(points, labels, centres.shape[1])
        same = np.zeros(len(going), dtype=bool) if before is None else (labels == before).all(axis=1)
        still = (np.sqrt(((moved - centres) ** 2).sum(axis=2)) ** 2).sum(axis=1) <= tolerance
        ended, lost = same | still, (counts == 0).any(axis=1)
        if (still & ~same).any():
            labels[still & ~same] = nearest(points, moved[still & ~same])[0]
        ended &= ~lost
        ends.labels[going[ended]], ends.centres[going[ended]] = labels[ended], moved[ended]
        ends.ended[going[ended]] = True
        stays = ~(ended | lost)
        stays[stays] = [_is_first(ways, restart, at) for restart, at in zip(going[stays], moved[stays], strict=True)]
        if not stays.any():
            return
        going, centres, before = going[stays], moved[stays], labels[stays]


def _is_first(ways: _Ways, restart: int, centres: Points) -> bool:
    """True if no restart has been at these centres (k, d) yet; otherwise this one follows it from here."""
    order = np.argsort(centres[:, 0])
    leader, its = ways.seen.setdefault(blake2b(centres[order].tobytes(), digest_size=16).digest(), (restart, order))
    if leader == restart or ways.tied:
        return True
    names = np.empty_like(order)
    names[its] = order
    ways.followers.append((restart, leader, names))
    return False


def nearest(points: Points, centres: Points, *, look_for_ties: bool = False) -> tuple[Any, bool]:
    """(R, n) the nearest of the centres (R, k, d) of each restart to each point, the first of those equally near.

    And whether points are seen that are equally near to two, where they are looked for, among centres that are
    neighbours in their order: enough to tell points on a lattice.
    """
    restarts, k, d = centres.shape
    by_cluster = np.ascontiguousarray(centres.swapaxes(0, 1)).reshape(-1, d)
    norms, turned = squared_norms(by_cluster)[:, None], -2 * by_cluster
    labels = np.empty((restarts, len(points)), dtype=np.min_scalar_type(k))
    step = min(_padded(len(points)), _padded(max(_ROWS, _CACHED_ENTRIES // len(by_cluster))))
    values, flags = np.empty((k, restarts, step)), np.empty((k, restarts, step), dtype=bool)
    result, smallest = values.reshape(-1, step), np.empty((restarts, step), dtype=labels.dtype)
    tied = False
    for start in range(0, len(points), step):
        block = points[start : start + step]
        here = len(block)
        if here < step:
            block = np.concatenate([block, np.zeros((step - here, d))])
        np.matmul(turned, block.T, out=result)
        result += norms
        tied = tied or (look_for_ties and bool((values[1:, :, :here] == values[:-1, :, :here]).any()))
        _first_smallest(values, flags, smallest)
        labels[:, start : start + step] = smallest[:, :here]
    return labels, tied


def _padded(rows: int) -> int:
    """So many rows that BLAS has no odd ones, whose products it may round in another way than those of the others."""
    return -(-rows // _EVEN) * _EVEN


def _first_smallest(values: Any, flags: Any, out: Any) -> None:
    """Write to `out` (R, b) where the smallest of values (k, R, b) stands first: so many smallest so far are larger."""
    for j in range(1, len(values)):
        np.minimum(values[j - 1], values[j], out=values[j])
    np.greater(values, values[-1], out=flags)
    np.add.reduce(flags.view(np.uint8), axis=0, dtype=out.dtype, out=out)


def _means(points: Points, labels: Labels, k: int) -> tuple[Points, Any]:
    """The mean (R, k, d) of the points of each cluster of each restart, and how many they are (R, k).

    Rows are added in their order, so that the same rows have the same mean to the bit, whatever their cluster's number.
    """
    restarts, n = labels.shape
    index = np.ascontiguousarray(labels.T, dtype=np.int32)
    index += k * np.arange(restarts, dtype=np.int32)
    index = index.ravel()
    counts = np.bincount(index, minlength=restarts * k)
    ends = np.arange(0, len(index) + 1, restarts, dtype=np.int32)
    members = sparse.csc_array((np.ones(len(index)), index, ends), shape=(restarts * k, n))
    means = (members @ points) * (1.0 / np.maximum(counts, 1))[:, None]
    return means.reshape(restarts, k, -1), counts.reshape(restarts, k)


# A labelling: what one way of assigning clusters found.


@dataclass(frozen=True, eq=False, slots=True)
class Labelling:
    """(n,) cluster indices from 0, and the k-means inertia that they reached."""

    labels: NDArray[np.int64]
    inertia: float
