"""One number for each contestant: an Elo-style rating with an interval over data sets."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mvarena.analysis.standings import Standings

MEAN_RATING = 1000.0
_POINTS = 400.0  # a lead of 400 means odds of ten to one
_DRAWS_ASSUMED = 1.0
_MAX_STEPS, _TOLERANCE = 10_000, 1e-8


def ratings(table: Standings, *, n_bootstrap: int = 1000, level: float = 0.95, seed: int = 0) -> pd.DataFrame:
    """Rating, low and high of every contestant, best first; the ratings' mean is 1000.

    On each data set every contestant meets every other; the better rank wins, a tie is half a win. A lead of 400 points
    means odds of ten to one. The ratings are those of greatest likelihood (Bradley and Terry, 1952), with one drawn
    meeting added to every pair, so that who always wins has a finite rating; they do not depend on an order of
    meetings. low and high : the central `level` of `n_bootstrap` draws of the data sets, with replacement.
    Cost O(n_bootstrap k^2) a step. With one data set the interval has no width and says nothing.
    """
    names = list(table.contestants)
    ranks = table.ranks[names].to_numpy()
    won = (ranks[:, :, None] < ranks[:, None, :]) + 0.5 * (ranks[:, :, None] == ranks[:, None, :])
    won[:, range(len(names)), range(len(names))] = 0.0
    drawn = np.random.default_rng(seed).multinomial(len(ranks), np.full(len(ranks), 1 / len(ranks)), size=n_bootstrap)
    again = _fitted(np.tensordot(drawn.astype(float), won, axes=1))
    tail = (1 - level) / 2
    low, high = np.quantile(again, [tail, 1 - tail], axis=0)
    frame = pd.DataFrame({"rating": _fitted(won.sum(axis=0)[None])[0], "low": low, "high": high}, index=names)
    frame.index.name = "contestant"
    return frame.sort_values("rating", ascending=False, kind="stable")


def _fitted(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Draws x contestants, from draws x contestants x contestants of wins: the minorisation of Hunter (2004)."""
    k = wins.shape[-1]
    wins = wins + _DRAWS_ASSUMED / 2 * (1 - np.eye(k))
    met = wins + wins.transpose(0, 2, 1)
    total = wins.sum(axis=2)
    strength = np.ones(wins.shape[:2])
    for _ in range(_MAX_STEPS):
        renewed = total / (met / (strength[:, :, None] + strength[:, None, :])).sum(axis=2)
        renewed /= np.exp(np.log(renewed).mean(axis=1, keepdims=True))
        change = np.abs(np.log(renewed / strength)).max(initial=0.0)
        strength = renewed
        if change < _TOLERANCE:
            break
    return MEAN_RATING + _POINTS * np.log10(strength)
