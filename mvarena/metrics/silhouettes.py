"""The silhouette: is a sample nearer to its own cluster than to the next one?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mvarena.contracts.metric import Space
from mvarena.metrics.separation import memberships
from mvarena.numerics.kernels import row_blocks, squared_distances

_ALL_UP_TO = 3_000


def silhouette_in(space: Space, codes: NDArray[np.int64]) -> float:
    """The mean of (b - a) / max(a, b) over samples: a the mean distance to the own cluster, b to the nearest other.

    Parameters
    ----------
    space : m samples; its distances are kept with it up to 3,000 samples (72 MB). With more, the mean is taken over
        3,000 of them, drawn with a fixed seed, each against all m.
    codes : (m,) cluster indices from 0, two clusters at least.

    A cluster's only member counts 0, as does a sample with a = b = 0. Cost O(min(m, 3000) m p); up to 3,000 samples
    O(m^2) for each further labelling of the same space.
    Source: Rousseeuw 1987.
    """
    m = len(codes)
    members = memberships(codes)
    sizes = np.bincount(codes)
    if m <= _ALL_UP_TO:
        if "distances" not in space.kept:
            space.kept["distances"] = np.sqrt(squared_distances(space.matrix))
        return float(_silhouettes((members @ space.kept["distances"]).T, codes, sizes).mean())
    drawn = np.sort(np.random.default_rng(0).choice(m, _ALL_UP_TO, replace=False))
    total = 0.0
    for block in row_blocks(_ALL_UP_TO, m):
        rows = drawn[block]
        distances = np.sqrt(squared_distances(space.matrix, space.matrix[rows]))
        distances[rows, np.arange(len(rows))] = 0.0
        total += float(_silhouettes((members @ distances).T, codes[rows], sizes).sum())
    return total / _ALL_UP_TO


def _silhouettes(sums: NDArray[np.float64], codes: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """One silhouette per row of `sums`, the total distance of a sample to each cluster."""
    rows = np.arange(len(codes))
    own = sums[rows, codes] / np.maximum(sizes[codes] - 1, 1)
    others = sums / sizes
    others[rows, codes] = np.inf
    nearest = others.min(axis=1)
    larger = np.maximum(own, nearest)
    values = np.divide(nearest - own, larger, out=np.zeros_like(own), where=larger > 0)
    return np.where(sizes[codes] > 1, values, 0.0)
