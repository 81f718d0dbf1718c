"""One number for each contestant: an Elo-style rating with an interval over corpora."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mvarena.analysis.standings import Standings

MEAN_RATING = 1000.0
_POINTS = 400.0  # a lead of 400 means odds of ten to one
_DRAWS_ASSUMED = 1.0
_MAX_STEPS, _TOLERANCE, _LONGEST_STEP = 100, 1e-9, 2.0
_MOST_NUMBERS = 2_000_000  # of a matrix for each draw, at once


@lru_cache(maxsize=16)  # a table, a figure and pages ask for those of the same standings
def ratings(table: Standings, *, n_bootstrap: int = 1000, level: float = 0.95, seed: int = 0) -> pd.DataFrame:
    """Rating, low and high of every contestant, best first; the ratings' mean is 1000.

    On each corpus every contestant meets every other; the better rank wins, a tie is half a win. A lead of 400 points
    means odds of ten to one. The ratings are those of greatest likelihood (Bradley and Terry, 1952), with one drawn
    meeting added to every pair, so that who always wins has a finite rating; they do not depend on an order of
    meetings. low and high : the central `level` of `n_bootstrap` draws of the corpora, with replacement;
    NaN where all draws agree, as of a single corpus, since they then say nothing of how ratings vary.
    The frame is shared between callers: copy it before changing it.
    Cost O(n_bootstrap (N k^2 + k^3)), in memory O(N k^2).
    """
    names = list(table.contestants)
    ranks = table.ranks[names].to_numpy()
    won = (ranks[:, :, None] < ranks[:, None, :]) + 0.5 * (ranks[:, :, None] == ranks[:, None, :])
    won[:, range(len(names)), range(len(names))] = 0.0
    drawn = np.random.default_rng(seed).multinomial(len(ranks), np.full(len(ranks), 1 / len(ranks)), size=n_bootstrap)
    at_once = max(1, _MOST_NUMBERS // len(names) ** 2)
    parts = np.array_split(drawn.astype(float), -(-n_bootstrap // at_once))
    of_all = _fitted(won.sum(axis=0)[None], np.zeros((1, len(names))))  # draws of the corpora end near it
    again = np.concatenate([_fitted(np.tensordot(part, won, axes=1), of_all) for part in parts])
    tail = (1 - level) / 2
    low, high = np.quantile(_ratings(again), [tail, 1 - tail], axis=0)
    flat = high - low <= 1e-9 * MEAN_RATING
    low, high = np.where(flat, np.nan, low), np.where(flat, np.nan, high)
    frame = pd.DataFrame({"rating": _ratings(of_all)[0], "low": low, "high": high}, index=names)
    frame.index.name = "contestant"
    return frame.sort_values("rating", ascending=False, kind="stable")


def _fitted(wins: NDArray[np.float64], start: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of strengths, draws x contestants, from draws x contestants x contestants of wins, by Newton's method
    from `start` (1 x contestants): the assumed draw keeps every strength finite."""
    from scipy.special import expit  # takes long, and few tables need it

    k = wins.shape[-1]
    wins = wins + _DRAWS_ASSUMED / 2 * (1 - np.eye(k))
    met = wins + wins.transpose(0, 2, 1)
    total = wins.sum(axis=2)
    strength = np.broadcast_to(start, wins.shape[:2]).copy()
    for _ in range(_MAX_STEPS):
        chance = expit(strength[:, :, None] - strength[:, None, :])
        weight = met * chance * (1 - chance)
        # the sum of strengths is free: the constant matrix holds it where it is
        curvature = weight.sum(axis=2)[:, :, None] * np.eye(k) - weight + 1 / k
        step = np.linalg.solve(curvature, (total - (met * chance).sum(axis=2))[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, initial=0.0)
        strength += step * np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, _TOLERANCE))[:, None]
        if longest.max(initial=0.0) < _TOLERANCE:
            break
    return strength


def _ratings(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    return MEAN_RATING + _POINTS * (strength - strength.mean(axis=1, keepdims=True)) / np.log(10)
