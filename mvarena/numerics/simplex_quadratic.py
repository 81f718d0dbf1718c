"""A small quadratic programme over the probability simplex, exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_NOISE, _RIDGE = 1e-12, 1e-10


def simplex_quadratic(Q: Array, f: Array) -> Array:
    """The minimiser w (V,) of w^T Q w / 2 - f^T w over w >= 0 with sum 1.

    Q : (V, V), symmetric, positive semidefinite; a ridge of 1e-10 of its largest entry makes it definite, so that of
    several minimisers the shortest is meant. The active set method from the best corner, which ends where no weight
    would gain. Cost O(V^3) per step, in practice some V steps.
    """
    n = len(f)
    Q = Q + _RIDGE * max(float(np.abs(Q).max()), float(np.abs(f).max()), np.finfo(float).tiny) * np.eye(n)
    w = np.zeros(n)
    w[int(np.argmin(np.diagonal(Q) / 2 - f))] = 1.0
    scale = max(float(np.abs(Q).max()), float(np.abs(f).max()), np.finfo(float).tiny)
    free = w > 0
    for _ in range(50 * n + 50):
        target = _on_the_face(Q, f, free)
        shrinking = free & (target < w) & (target < 0)
        if shrinking.any():
            shares = w[shrinking] / (w[shrinking] - target[shrinking])
            w += float(shares.min()) * (target - w)
            w[np.flatnonzero(shrinking)[np.argmin(shares)]] = 0.0
            w = np.maximum(w, 0.0)
            free = free & (w > 0)
            continue
        w = target
        slopes = Q @ w - f
        gain = np.where(free, np.inf, slopes - float(slopes[free].mean()))
        if gain.min(initial=np.inf) >= -_NOISE * scale:
            break
        free = free.copy()
        free[int(np.argmin(gain))] = True
    return np.asarray(np.maximum(w, 0.0) / np.maximum(w, 0.0).sum())


def _on_the_face(Q: Array, f: Array, free: NDArray[np.bool_]) -> Array:
    """The minimiser (V,) over the weights that are free, with sum 1 but of any sign."""
    count = int(free.sum())
    system = np.zeros((count + 1, count + 1))
    system[:count, :count] = Q[np.ix_(free, free)]
    # the row of the constraint has the size of the others, which keeps the system well conditioned
    size = max(float(np.abs(system).max()), np.finfo(float).tiny)
    system[count, :count] = system[:count, count] = size
    found = np.linalg.solve(system, np.append(f[free], size))
    target = np.zeros(len(f))
    target[free] = found[:count]
    return target
