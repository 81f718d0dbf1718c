"""Neighbourhoods of samples, from dense matrices of their distances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def nearest_others(distances: Array, m: int) -> NDArray[np.int64]:
    """(n, m) each sample's m nearest others by `distances` (n, n), 1 <= m < n; ties go to the first. O(n^2 log n)."""
    others = distances.copy()
    np.fill_diagonal(others, np.inf)
    return np.argsort(others, axis=1, kind="stable")[:, :m]


def local_scale(distances: Array, neighbours: NDArray[np.int64]) -> Array:
    """(n, n) (mean of d(i, N_i) + mean of d(j, N_j) + d_ij) / 3 for neighbours N (n, m)."""
    means = np.take_along_axis(distances, neighbours, axis=1).mean(axis=1)
    return (means[:, None] + means + distances) / 3.0
