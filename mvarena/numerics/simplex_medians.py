"""The proximal map of a sum of absolute deviations over the simplex: each row's best compromise between several."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]
_SUM_TOL = 1e-12
_MAX_STEPS = 200


def sorted_across(matrices: Sequence[Rows], *, overwrite: bool = False, block: int = 64) -> list[Rows]:
    """As many matrices, the smallest entry of each place in the first, the largest in the last.

    overwrite : into the given ones; else memory for as many new ones.
    """
    ordered = list(matrices) if overwrite else [np.empty_like(matrix) for matrix in matrices]
    for start in range(0, len(matrices[0]), block):
        rows = slice(start, start + block)
        for target, values in zip(ordered, np.sort([matrix[rows] for matrix in matrices], axis=0), strict=True):
            target[rows] = values
    return ordered


def simplex_median_rows(ordered: Sequence[Rows], G: Rows, tau: float, shift: NDArray[np.float64]) -> Rows:
    """argmin over P, rows on the simplex, of tau sum_v norm1(T_v - P) + norm(P - G)^2 / 2.

    Parameters
    ----------
    ordered : V matrices (b, n), sorted at each place (`sorted_across`). G : (b, n). tau : at least 0.
    shift : (b,) where to begin, overwritten with the multiplier nu of each row's sum; that of a problem nearby
        saves time and changes the result by no more than rounding.

    Without the sum to 1, entry by entry, the minimiser of tau sum_v |t_v - p| + (p - g)^2 / 2 is the median of
    t_1 .. t_V and g + tau (V - 2 i), i = 0 .. V (Li and Osher 2009), and with p >= 0 its positive part. With the
    multiplier g becomes g - nu. The row's sum falls in nu and is piecewise linear: Newton's method on it, within
    bounds that are halved where it leaves them, ends at the root.
    Time O(V n) per row and step, of which a good start needs about three; memory: the result and two blocks.
    """
    V = len(ordered)
    P = np.empty_like(G)
    peak = G.max(axis=1)
    # at lower the largest entry alone exceeds 1, at upper none is positive
    lower, upper = peak - tau * V - 1.0, peak + tau * V
    nu = np.clip(shift, lower, upper)
    open_rows = np.arange(len(G))
    for _ in range(_MAX_STEPS):
        if not len(open_rows):
            break
        whole = len(open_rows) == len(G)
        T = ordered if whole else [T_v[open_rows] for T_v in ordered]
        candidate, free = _medians(T, (G if whole else G[open_rows]) - nu[open_rows, None], tau)
        sums = candidate.sum(axis=1)
        P[open_rows] = candidate
        excess = sums - 1.0
        at = nu[open_rows]
        lower[open_rows] = np.where(excess > 0, at, lower[open_rows])
        upper[open_rows] = np.where(excess < 0, at, upper[open_rows])
        newton = at + excess / np.maximum(free, 1)
        low, high = lower[open_rows], upper[open_rows]
        inside = (free > 0) & (newton > low) & (newton < high)
        following = np.where(inside, newton, (low + high) / 2)
        # done as well where the bounds have met: the sum cannot be told from 1 any better
        going = (np.abs(excess) > _SUM_TOL) & (following != at)
        nu[open_rows[going]] = following[going]
        open_rows = open_rows[going]
    shift[:] = nu
    P /= P.sum(axis=1, keepdims=True)
    return P


def _medians(ordered: Sequence[Rows], g: Rows, tau: float) -> tuple[Rows, NDArray[np.intp]]:
    """(positive parts of the medians, how many entries of each row are positive and move with g)."""
    V = len(ordered)
    # the largest over i of min(g + tau (V - 2 i), t_(i + 1)), t_(V + 1) infinite: both lists are sorted
    median = np.minimum(g + tau * V, ordered[0])
    step = np.empty_like(g)
    for i in range(1, V):
        np.add(g, tau * (V - 2 * i), out=step)
        np.minimum(step, ordered[i], out=step)
        np.maximum(median, step, out=median)
    np.add(g, -tau * V, out=step)
    np.maximum(median, step, out=median)
    np.maximum(median, 0.0, out=median)
    free = median > 0
    for T_v in ordered:
        free &= median != T_v
    return median, np.count_nonzero(free, axis=1)
