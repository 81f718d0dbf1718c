"""Paired tests of contestants: Wilcoxon's signed-rank test and Holm's correction."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import special

from mvarena.analysis.standings import ROUNDING, Standings

ALPHA = 0.05
LEAST_CORPORA = 6  # of a claim
_EXACT_UP_TO = 200  # beyond, the normal approximation is within some percent of p


def signed_rank_p(differences: ArrayLike) -> float:
    """The two-sided p-value that N paired differences are symmetric about 0; 1 where all are 0.

    Zeros are ranked and then left out (Pratt), ties share the mean of their ranks. Given which differences are 0, each
    sign pattern of the others is equally likely, and all are counted up to N = 200; beyond, the normal approximation.
    Differences that rounding alone tells from 0 or from each other count as equal. Cost O(N^3) at most.
    Source: Wilcoxon (1945); Pratt (1959).
    """
    return float(_signed_rank_tests(np.asarray(differences, float)[None])[1][0])


def _signed_rank_tests(differences: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The side of each row of (tests, N) whose ranks weigh more, 1 or -1, and `signed_rank_p`; NaN: no difference."""
    known = ~np.isnan(differences)
    sizes = np.where(known, np.abs(differences), 0.0)
    scale = sizes.max(axis=1, initial=0.0, keepdims=True)
    values = np.where(known & (sizes > 1e-12 * scale), differences, 0.0)
    relative = np.round(np.abs(values) / np.where(scale > 0, scale, 1.0), 12)
    ranks = pd.DataFrame(np.where(known, relative, np.inf)).rank(axis=1).to_numpy()  # what is not known is behind
    rising = (ranks * (values > 0)).sum(axis=1)
    signed = ranks * (values != 0)
    return np.sign(2 * rising - signed.sum(axis=1)), _two_sided(rising, signed)


def _two_sided(rising: NDArray[np.float64], ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(|R - E R| is at least as large), R the sum of the ranks whose coin shows heads, of each row of (tests, N).

    Ranks are halves, 0 for what is left out. Cost: one distribution for all rows of equal ranks.
    """
    doubled, which = np.unique(np.sort(np.rint(2 * ranks).astype(int), axis=1), axis=0, return_inverse=True)
    result = np.ones(len(ranks))
    for index, row in enumerate(doubled):
        own, tests = row[row > 0], which == index
        if len(own) > _EXACT_UP_TO:
            deviation = np.sqrt((own**2).sum()) / 4
            result[tests] = 2 * special.ndtr(-(np.abs(rising[tests] - own.sum() / 4) - 0.5) / deviation)
        elif len(own):
            result[tests] = _tails(tuple(own.tolist()))[np.rint(np.abs(4 * rising[tests] - own.sum())).astype(int)]
    return np.minimum(result, 1.0)


@lru_cache(maxsize=1_000)  # gains without ties on equally many corpora have the same ranks
def _tails(doubled: tuple[int, ...]) -> NDArray[np.float64]:
    """P(2 |S - E S| >= i) for i = 0, 1, ..., S the sum of the numbers whose coin shows heads."""
    total = sum(doubled)
    chances = np.zeros(total + 1)
    chances[0] = 1.0
    for rank in doubled:
        chances[rank:] += chances[: len(chances) - rank].copy()
        chances /= 2
    distances = np.abs(2 * np.arange(total + 1) - total)
    of_distance = np.bincount(distances, weights=chances, minlength=total + 1)
    return np.minimum(np.cumsum(of_distance[::-1])[::-1], 1.0)


def least_p(n: int) -> float:
    """The smallest p-value that n differences can give: all of one sign."""
    return min(1.0, 2.0 ** (1 - n))


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """The p-values of tests made at once, corrected by Holm's step-down rule (1979); the order is kept."""
    given = np.asarray(p_values, float)
    order = np.argsort(given, kind="stable")
    stepped = np.maximum.accumulate(given[order] * (len(given) - np.arange(len(given))))
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected


# Contestants against each other: mean gain, wins, ties and losses on what both finished, Wilcoxon's p-value.

PAIR_COLUMNS = ("first", "second", "gain", "wins", "ties", "losses", "ahead", "p", "p_holm")


@lru_cache(maxsize=64)  # a claim, cliques and a matrix ask for those of one table
def compared_pairs(table: Standings) -> pd.DataFrame:
    """One row per pair of contestants, the better mean rank first, columns PAIR_COLUMNS.

    gain : by how much the first is better, a mean over the corpora on which both finished something
    (`Standings.gains_over`), in the unit of the metric; NaN where there is none.
    wins, ties, losses : on how many of these corpora the gain is above, at and below 0.
    ahead : 1 where the test finds the first ahead, -1 the second (the sign of the mean gain may be another's).
    p, p_holm : Wilcoxon's signed-rank test of the same gains, alone and corrected by Holm over all pairs; 1 where
    there is no gain.
    The frame is shared between callers: copy it before changing it.
    Cost O(k^2 N^3) for k contestants on N <= 200 corpora. Source: Ismail-Fawaz et al. (2023), whose matrix this is.
    """
    return _compared(table, *np.triu_indices(len(table.contestants), 1))


def compared_with(table: Standings, name: str) -> pd.DataFrame:
    """One row for each other contestant, columns PAIR_COLUMNS with `name` as the first, by mean rank.

    p_holm : corrected over these k - 1 tests, which holds for a contestant that was chosen before looking at the
    results.
    """
    first = table.contestants.index(name)
    others = np.delete(np.arange(len(table.contestants)), first)
    return _compared(table, np.full(len(others), first), others)


def _compared(table: Standings, firsts: NDArray[np.int64], seconds: NDArray[np.int64]) -> pd.DataFrame:
    """One row per pair, columns PAIR_COLUMNS. firsts, seconds : places among the contestants."""
    names = np.array(table.contestants, dtype=object)
    columns_of = table.cells.columns.get_indexer(names)
    gains = table.gains_of(columns_of[firsts], columns_of[seconds]).to_numpy().T
    gains = np.where(np.abs(gains) <= ROUNDING, 0.0, gains)  # differences by rounding are ties
    known = ~np.isnan(gains)
    counts, sums = known.sum(axis=1), np.where(known, gains, 0.0).sum(axis=1)
    sides, p_values = _signed_rank_tests(gains)
    columns = {
        "first": names[firsts],
        "second": names[seconds],
        "gain": np.divide(sums, counts, out=np.full(len(gains), np.nan), where=counts > 0),
        "wins": (gains > 0).sum(axis=1),
        "ties": (gains == 0).sum(axis=1),
        "losses": (gains < 0).sum(axis=1),
        "ahead": sides.astype(int),
        "p": p_values,
        "p_holm": holm(p_values),
    }
    return pd.DataFrame(columns)[list(PAIR_COLUMNS)]
