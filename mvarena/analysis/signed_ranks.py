"""Wilcoxon's signed-rank test, exact with ties and zeros, and Holm's correction for many tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

_EXACT_UP_TO = 200  # beyond, the normal approximation is within some percent of p


def signed_rank_p(differences: ArrayLike) -> float:
    """The two-sided p-value that N paired differences are symmetric about 0; 1 where all are 0.

    Zeros are ranked and then left out (Pratt), ties share the mean of their ranks. Given which differences are 0, each
    sign pattern of the others is equally likely, and all are counted up to N = 200; beyond, the normal approximation.
    Differences that rounding alone tells from 0 or from each other count as equal. Cost O(N^3) at most.
    Source: Wilcoxon (1945); Pratt (1959).
    """
    values = np.asarray(differences, float)
    scale = np.abs(values).max(initial=0.0)
    values = np.where(np.abs(values) <= 1e-12 * scale, 0.0, values)
    if not values.any():
        return 1.0
    ranks = stats.rankdata(np.round(np.abs(values) / scale, 12))
    signed = values != 0
    rising, ranks = float(ranks[values > 0].sum()), ranks[signed]
    if len(ranks) <= _EXACT_UP_TO:
        return _exact(rising, ranks)
    deviation = np.sqrt((ranks**2).sum() / 4)
    return float(min(1.0, 2 * stats.norm.sf((abs(rising - ranks.sum() / 2) - 0.5) / deviation)))


def _exact(rising: float, ranks: NDArray[np.float64]) -> float:
    """P(|R - E R| is at least as large), R the sum of the ranks whose coin shows heads. Ranks are halves."""
    doubled = np.rint(2 * ranks).astype(int)
    chances = np.zeros(doubled.sum() + 1)
    chances[0] = 1.0
    for rank in doubled:
        chances[rank:] += chances[: len(chances) - rank].copy()
        chances /= 2
    centre = doubled.sum() / 2
    distance = abs(2 * rising - centre)
    return float(min(1.0, chances[np.abs(np.arange(len(chances)) - centre) >= distance - 1e-9].sum()))


def least_p(n: int) -> float:
    """The smallest p-value that n differences can give: all of one sign."""
    return min(1.0, 2.0 ** (1 - n))


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """The p-values of m tests made at once, corrected by Holm's step-down rule (1979); the order is kept."""
    given = np.asarray(p_values, float)
    order = np.argsort(given, kind="stable")
    stepped = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected
