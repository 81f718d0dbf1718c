"""Lloyd's k-means from many starts at once: one product for all of them, and none goes a way that another has gone."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mvarena.numerics.kernels import squared_norms

Points = NDArray[np.float64]
Labels = NDArray[np.int64]

_STEPS = 300
# the distances of some restarts to a block of rows stay in the cache from one pass to the next
_CACHED_ENTRIES = 131_072
_ROWS = 256
_EVEN = 64
_MEMBERS = 4_000_000


@dataclass(eq=False, slots=True)
class Ends:
    """Where restarts end: labels (R, n), centres (R, k, d), and which ended at all.

    Those did not in which a cluster emptied, and those that took 300 steps.
    """

    labels: Labels
    centres: Points
    ended: NDArray[np.bool_]


@dataclass(eq=False, slots=True)
class _Ways:
    """What has been seen: digest of centres -> (restart, its order of them), and who follows whom by which names.

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
    """Whether no restart has been at these centres (k, d) yet; otherwise this one follows it from here."""
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
    found, smallest = values.reshape(-1, step), np.empty((restarts, step), dtype=labels.dtype)
    tied = False
    for start in range(0, len(points), step):
        block = points[start : start + step]
        here = len(block)
        if here < step:
            block = np.concatenate([block, np.zeros((step - here, d))])
        np.matmul(turned, block.T, out=found)
        found += norms
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
