"""Where the time of k-means restarts goes, and whether running R of them together would save any.

R fits of `KMeans(n_init=1)`, which is what `assign_embedding` runs; their k-means++ starts; their fits from given
starts; what a fit of a few points costs; and R restarts together, in two parts. These draw, update and stop as
scikit-learn's do, run by run, with all runs' distances from one stacked product and one pass for all runs' sums.
scikit-learn is to stay in use unless the whole is at least twice as fast together.

Conclusion: it stays. At n = 2,000, 10 dimensions and k = 10, half of the time goes into the starts, a third into
Lloyd steps and a sixth into fixed costs (about 1 ms per fit); together is 1.4 times as fast, and at n = 10,000 slower
(0.75), because scikit-learn's compiled steps stay in the cache. It gains (5 times) only at a few hundred samples,
where 50 restarts take 0.2 s as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from benchmarks.harness import case
from benchmarks.watch import Watch

_MAX_ITER = 300
_TOL = 1e-4


@case(
    "kmeans-restarts", group="solvers", threads=1, version="2", measures=("CPU",),
    grid={"shape": ["165x15x15", "2000x10x10", "10000x10x10"]}, quick={"shape": ["2000x10x10"], "restarts": [10]},
)  # fmt: skip
def kmeans_restarts(watch: Watch, shape: str, restarts: int = 50, times: int = 3) -> dict[str, Any]:
    """R k-means restarts, part by part, and all R together, on overlapping groups of unit rows (n x d x k)."""
    from sklearn.cluster import KMeans, kmeans_plusplus

    from mvarena.numerics.assignment import assign_embedding

    n, d, k = (int(part) for part in shape.split("x"))
    points, seeds = groups(n, d, k), range(restarts)
    centred = points - points.mean(axis=0)
    starts = greedy_starts(centred, k, seeds)
    few = points[:20]
    watch.best("assign_embedding", lambda: assign_embedding(points, k, seeds), times)
    alone = watch.best("R fits", lambda: [KMeans(k, n_init=1, random_state=s).fit(points) for s in seeds], times)
    watch.best("their starts", lambda: [kmeans_plusplus(centred, k, random_state=s) for s in seeds], times)
    watch.best("R fits from given starts", lambda: [KMeans(k, init=c, n_init=1).fit(centred) for c in starts], times)
    fixed = KMeans(2, init=few[:2], n_init=1, max_iter=1)
    watch.best("R fits of 20 points", lambda: [fixed.fit(few) for _ in seeds], times)
    watch.best("together: starts", lambda: greedy_starts(centred, k, seeds), times)
    labels, inertia = watch.best("together: Lloyd", lambda: lloyd(centred, starts), times)
    cpu = {name: step["CPU"] for name, step in watch.steps.items()}
    return {
        "together, times as fast": cpu["R fits"] / (cpu["together: starts"] + cpu["together: Lloyd"]),
        "Lloyd steps a restart": float(np.mean([model.n_iter_ for model in alone])),
        "same labels": sum(np.array_equal(own, one.labels_) for own, one in zip(labels, alone, strict=True)),
        "largest gap of inertia": float(np.abs(inertia / [model.inertia_ for model in alone] - 1).max()),
    }


def groups(n: int, d: int, k: int) -> NDArray[np.float64]:
    """Rows of unit length in overlapping groups, as an embedding's rows are, in the order in which they are used."""
    from mvarena.numerics.assignment import canonical_order

    rng = np.random.default_rng(0)
    points = rng.standard_normal((n, d)) + 1.5 * rng.standard_normal((k, d))[rng.integers(k, size=n)]
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return points[canonical_order(points)]


def greedy_starts(points: NDArray[np.float64], n_clusters: int, seeds: Sequence[int]) -> NDArray[np.float64]:
    """(R, k, d) centres by greedy k-means++: of 2 + log k candidates each time the one that lowers the potential most.

    Cost O(n d k log k) per run.
    """
    n, d = points.shape
    n_trials = 2 + int(np.log(n_clusters))
    draws = [np.random.RandomState(seed) for seed in seeds]
    lengths = np.einsum("ij,ij->i", points, points)
    centres = np.empty((len(seeds), n_clusters, d))
    chosen = np.array([draw.choice(n, p=np.full(n, 1 / n)) for draw in draws])
    centres[:, 0] = points[chosen]
    closest = distances(points, lengths, chosen[:, None])[:, 0]
    potential = closest.sum(axis=1)
    for c in range(1, n_clusters):
        cumulated = closest.cumsum(axis=1)
        candidates = np.stack(
            [
                np.searchsorted(row, draw.uniform(size=n_trials) * total)
                for draw, row, total in zip(draws, cumulated, potential, strict=True)
            ]
        )
        np.minimum(candidates, n - 1, out=candidates)
        reached = distances(points, lengths, candidates)
        np.minimum(reached, closest[:, None], out=reached)
        potentials = reached.sum(axis=2)
        best = potentials.argmin(axis=1)
        rows = np.arange(len(seeds))
        closest, potential = reached[rows, best], potentials[rows, best]
        centres[:, c] = points[candidates[rows, best]]
    return centres


def distances(
    points: NDArray[np.float64], lengths: NDArray[np.float64], chosen: NDArray[np.int64]
) -> NDArray[np.float64]:
    """(R, t, n) squared distances from the points `chosen` (R, t) to all; `lengths` (n,) are squared."""
    # a product per run, so that its rounding does not depend on how many runs there are
    found = np.matmul(-2 * points[chosen], points.T)
    found += lengths[chosen][:, :, None]
    found += lengths
    return np.maximum(found, 0, out=found)


def lloyd(points: NDArray[np.float64], starts: NDArray[np.float64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Lloyd's algorithm on centred points (n, d) from each of the centres `starts` (R, k, d): labels, inertias.

    A run ends when its labels stay, when its centres move by less than 1e-4 of the mean variance of the columns
    (squared lengths, summed), or after 300 steps. Cost O(n d k) per run and step. Raises ValueError where a cluster
    becomes empty: scikit-learn moves such a centre, which is not done here.
    """
    n, k = len(points), starts.shape[1]
    threshold = _TOL * float(points.var(axis=0).mean())
    centres = starts.copy()
    labels = np.full((len(starts), n), -1, dtype=np.int32)
    active = np.arange(len(starts))
    for _ in range(_MAX_ITER):
        found = nearest(points, centres[active])
        settled = (found == labels[active]).all(axis=1)
        labels[active] = found
        counts, sums = cluster_sums(points, found, k)
        if not counts.all():
            raise ValueError("a cluster became empty; measure on other data.")
        moved = sums / counts[:, :, None]
        shift = ((moved - centres[active]) ** 2).sum(axis=(1, 2))
        centres[active] = moved
        ended = active[~settled & (shift <= threshold)]
        if ended.size:
            labels[ended] = nearest(points, centres[ended])
        active = active[~settled & (shift > threshold)]
        if not active.size:
            break
    else:
        labels[active] = nearest(points, centres[active])
    inertia = np.array([((points - own[run]) ** 2).sum() for own, run in zip(centres, labels, strict=True)])
    return labels, inertia


def nearest(points: NDArray[np.float64], centres: NDArray[np.float64]) -> NDArray[np.int32]:
    """(R, n) the nearest of the centres (R, k, d), the first of equally near ones. Cost O(R n d k)."""
    scores = np.matmul(-2 * centres, points.T)
    scores += np.einsum("rkd,rkd->rk", centres, centres)[:, :, None]
    least = scores[:, 0].copy()
    labels = np.zeros(least.shape, dtype=np.int32)
    for c in range(1, centres.shape[1]):
        score = scores[:, c]
        np.copyto(labels, c, where=score < least)
        np.minimum(least, score, out=least)
    return labels


def cluster_sums(
    points: NDArray[np.float64], labels: NDArray[np.int32], k: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(R, k) cluster sizes and (R, k, d) sums of their points, each run's added up in the order of the points."""
    runs, n = labels.shape
    rows = labels + k * np.arange(runs, dtype=np.int32)[:, None]
    counts = np.bincount(rows.ravel(), minlength=runs * k).reshape(runs, k)
    indptr = np.arange(0, runs * n + 1, runs, dtype=np.int32)
    members = sparse.csc_array((np.ones(runs * n), rows.T.ravel(), indptr), shape=(runs * k, n))
    return counts, np.asarray(members @ points).reshape(runs, k, -1)
