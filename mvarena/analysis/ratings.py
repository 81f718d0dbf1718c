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
_LEVEL = 0.95  # of intervals
_MAX_STEPS, _LONGEST_STEP = 100, 2.0
_TOLERANCE, _OF_DRAWS = 1e-9, 1e-3  # the longest last step; one of 1e-3 leaves an error of some 1e-5 points
_MOST_PRODUCTS, _RESIDUAL = 50, 1e-2  # of an inexact Newton step
_NUMBERS_AT_ONCE = 2**17  # of matrices of contestants x contestants: they stay in the cache
_TINY = 1e-300  # instead of 0 in a denominator


@lru_cache(maxsize=64)  # a table, a figure and pages ask for those of the same standings
def ratings(table: Standings, *, n_bootstrap: int = 1000, seed: int = 0) -> pd.DataFrame:
    """Rating, low and high of every contestant, in the order of mean ranks; the ratings' mean is 1000.

    On each corpus every contestant meets every other; the better rank wins, a tie is half a win. A lead of 400 points
    means odds of ten to one. The ratings are those of greatest likelihood (Bradley and Terry, 1952), with one drawn
    meeting added to every pair, so that who always wins has a finite rating; they do not depend on an order of
    meetings, and their order is that of mean ranks. low and high : the central 95 % of `n_bootstrap` draws of the
    corpora, with replacement; NaN where all draws agree, as of a single corpus, since they then say nothing of how
    ratings vary.
    The frame is shared between callers: copy it before changing it.
    Cost O(n_bootstrap k^2) for each of some 20 products, in memory O(n_bootstrap k + k^2).
    """
    names = pd.Index(table.contestants, name="contestant")
    wins = len(names) - table.ranks[names].to_numpy()  # corpora x contestants: all others but those ranked ahead
    n = len(wins)
    drawn = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=n_bootstrap)
    once, which = np.unique(drawn, axis=0, return_inverse=True)  # of few corpora many draws are alike
    of_all = _fitted(wins.sum(axis=0)[None], n, np.zeros(len(names)), _TOLERANCE)
    again = _fitted(once @ wins, n, of_all[0], _OF_DRAWS)[which]  # draws of the corpora end near it
    low, high = np.quantile(_ratings(again), [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2], axis=0)
    frame = pd.DataFrame({"rating": _ratings(of_all)[0], "low": low, "high": high}, index=names)
    frame.loc[high - low <= 1e-9 * MEAN_RATING, ["low", "high"]] = np.nan
    return frame


def _fitted(
    wins: NDArray[np.float64], n_corpora: int, start: NDArray[np.float64], tolerance: float
) -> NDArray[np.float64]:
    """Logarithms of strengths, draws x contestants, from the wins of each in each draw, by Newton's method.

    All pairs meet equally often, so that the number of wins is all that counts of them; the assumed draw keeps every
    strength finite. start : k logarithms. tolerance : the longest step, in logarithms, that is the last. Each step is
    solved by conjugate gradients up to _RESIDUAL. They are preconditioned by the curvature at `start`, scaled to the
    diagonal of the draw's own.
    """
    k = len(start)
    total, met = wins + _DRAWS_ASSUMED / 2 * (k - 1), n_corpora + _DRAWS_ASSUMED
    strength = np.exp(start)
    weight = met * np.outer(strength, strength) / (strength[:, None] + strength) ** 2
    np.fill_diagonal(weight, 0.0)
    # the sum of strengths is free: the constant matrix holds it where it is
    known = np.linalg.inv(np.diag(weight.sum(axis=1)) - weight + 1 / k)
    parts = np.array_split(total, -(-len(total) // max(1, _NUMBERS_AT_ONCE // k**2)))
    return np.concatenate([_climbed(part, met, start, known, weight.sum(axis=1), tolerance) for part in parts])


def _climbed(
    total: NDArray[np.float64],
    met: float,
    start: NDArray[np.float64],
    known: NDArray[np.float64],
    diagonal: NDArray[np.float64],
    tolerance: float,
) -> NDArray[np.float64]:
    """Strengths of some draws at once. known, diagonal : the inverse of the curvature at `start`, and its diagonal."""
    result = np.tile(start, (len(total), 1))
    shares = np.empty((*result.shape, len(start)))
    for _ in range(_MAX_STEPS):
        strength = np.exp(result)
        np.divide(1, np.add(strength[:, :, None], strength[:, None, :], out=shares), out=shares)
        slope = total - met * (strength * shares.sum(axis=2) - 0.5)
        step = _newton_step(slope, strength, np.square(shares, out=shares), met, known, diagonal)
        longest = np.abs(step).max(axis=1)
        result += step * np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, _TOLERANCE))[:, None]
        if longest.max() < tolerance:
            break
    return result


def _newton_step(
    slope: NDArray[np.float64],
    strength: NDArray[np.float64],
    squares: NDArray[np.float64],
    met: float,
    known: NDArray[np.float64],
    diagonal: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Curvature^-1 slope, draws x contestants, inexactly. squares : of 1 / (the sum of two strengths)."""

    def spread(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
        product: NDArray[np.float64] = met * strength * (squares @ (strength * vectors)[:, :, None])[:, :, 0]
        return product

    own = spread(np.ones_like(slope))
    scale = np.sqrt(diagonal / (own - met / 4))  # who meets whom leaves out oneself, of chance 1/2
    step, rest = np.zeros_like(slope), slope
    tilted = scale * ((rest * scale) @ known)
    along, height = tilted, (rest * tilted).sum(axis=1)
    largest = np.abs(slope).max(axis=1)
    enough = np.maximum(_RESIDUAL * largest * np.minimum(1.0, largest), 1e-2 * _TOLERANCE)
    for _ in range(_MOST_PRODUCTS):
        if (np.abs(rest).max(axis=1) <= enough).all():
            break
        bent = own * along - spread(along) + along.mean(axis=1, keepdims=True)
        length = (height / np.maximum((along * bent).sum(axis=1), _TINY))[:, None]
        step, rest = step + length * along, rest - length * bent
        tilted = scale * ((rest * scale) @ known)
        height, before = (rest * tilted).sum(axis=1), height
        along = tilted + (height / np.maximum(before, _TINY))[:, None] * along
    return step


def _ratings(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    return MEAN_RATING + _POINTS * (strength - strength.mean(axis=1, keepdims=True)) / np.log(10)
