"""k-means from k-means++ starts, one run per seed: the labels of scikit-learn's Lloyd from the same starts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from threadpoolctl import ThreadpoolController

from mvarena.numerics.kernels import squared_norms
from mvarena.numerics.kmeans_restarts import lloyd
from mvarena.numerics.kmeans_starts import greedy_starts
from mvarena.numerics.labelling import Labelling

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
    """scikit-learn's own, which also finds new centres for clusters that empty."""
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
