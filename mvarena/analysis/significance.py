"""Paired tests of contestants: Wilcoxon's signed-rank test, Holm's correction, the Bayesian signed-rank test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import special

from mvarena.analysis.standings import ROUNDING, Standings, shared_ranks

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
    relative = np.where(known, relative, np.inf)  # what is not known ranks behind all others
    order = np.argsort(relative, axis=1, kind="stable")
    ordered, ranks = np.take_along_axis(relative, order, axis=1), np.empty(relative.shape)
    np.put_along_axis(ranks, order, shared_ranks(ordered[:, 1:] > ordered[:, :-1]), axis=1)
    rising = (ranks * (values > 0)).sum(axis=1)
    p_values = np.array([
        _two_sided(float(one), own[signed]) for one, own, signed in zip(rising, ranks, values != 0, strict=True)
    ])  # fmt: skip
    return np.sign(2 * rising - (ranks * (values != 0)).sum(axis=1)), p_values


def _two_sided(rising: float, ranks: NDArray[np.float64]) -> float:
    """P(|R - E R| is at least as large), R the sum of the ranks whose coin shows heads. Ranks are halves."""
    if not len(ranks):
        return 1.0
    if len(ranks) > _EXACT_UP_TO:
        deviation = np.sqrt((ranks**2).sum() / 4)
        return float(min(1.0, 2 * special.ndtr(-(abs(rising - ranks.sum() / 2) - 0.5) / deviation)))
    doubled = np.sort(np.rint(2 * ranks).astype(int))
    return float(_tails(tuple(doubled.tolist()))[round(abs(4 * rising - doubled.sum()))])


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


def holm(p_values: ArrayLike, tests: int | None = None) -> NDArray[np.float64]:
    """The p-values of tests made at once, corrected by Holm's step-down rule (1979); the order is kept.

    tests : how many there are in all, where only some of their p-values are given: these count as the smallest.
    """
    given = np.asarray(p_values, float)
    order = np.argsort(given, kind="stable")
    stepped = np.maximum.accumulate(given[order] * ((tests or len(given)) - np.arange(len(given))))
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected


# Contestants against each other: mean gain, wins, ties and losses on what both finished, Wilcoxon's p-value.

PAIR_COLUMNS = ("first", "second", "gain", "wins", "ties", "losses", "ahead", "p", "p_holm")


@lru_cache(maxsize=64)  # a claim, cliques, a matrix and marks ask for those of one table
def compared_pairs(table: Standings) -> pd.DataFrame:
    """One row per pair of contestants, the better mean rank first, columns PAIR_COLUMNS.

    gain : by how much the first is better, a mean over the corpora on which both finished something
    (`Standings.gains`), in the unit of the metric; NaN where there is none.
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
    gains = table.gains_of(columns_of[firsts], columns_of[seconds]).T
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


# Contestants that are worse than the best: by a paired test over the repeats, under the same masks and draws, and by
# an amount that matters.

ALPHA = 0.05
MARGIN = 0.01  # of metrics up to 1: one point
LEAST_REPEATS = 10  # of one data set, below which nothing is tested
LEAST_CORPORA = 6
_REPEAT = ["seed", "repeat"]


@dataclass(frozen=True, slots=True)
class Worse:
    """The contestants that were tested against the best of their column, and those that are worse.

    Both hold tuples: the column, then the contestant.
    """

    tested: frozenset[tuple[Any, ...]] = frozenset()
    worse: frozenset[tuple[Any, ...]] = frozenset()


def worse_than_best(
    values: pd.DataFrame,
    columns: Sequence[str],
    directions: Mapping[str, bool],
    margins: Mapping[str, float] | None = None,
    alpha: float = ALPHA,
) -> Worse:
    """Of each column, the contestants whose mean is below the best, significantly and by more than a margin.

    values : one row per column, contestant, seed and repeat: those columns, metric, label_picked and value.
    columns : the names of what makes a column, as data set, corruption, rate and metric.
    directions : metric -> True where higher is better. margins : metric -> the smallest mean gain of the best that
        matters; none for a metric that is not named.

    Two-sided paired t-tests of the gains of the best over each other contestant, on the repeats that both finished,
    with Holm's correction over all pairs of the column, since the results say who is best (over the pairs with the best
    alone, 30 % of columns of 54 equal contestants would have a mark); who has fewer than LEAST_REPEATS in common with
    the best is not tested. What ground truth picked is neither best nor tested. Cost O(rows log rows).
    """
    fair = values[~values["label_picked"].astype(bool) & np.isfinite(values["value"].astype(float))]
    read = dict.fromkeys([*columns, "metric", "run", "contestant", "value"])
    fair = fair.assign(run=fair.groupby(_REPEAT).ngroup())[list(read)]
    fair = fair[fair.groupby(list(columns))["run"].transform("nunique") >= LEAST_REPEATS]
    tested: set[tuple[Any, ...]] = set()
    worse: set[tuple[Any, ...]] = set()
    for column, part in fair.groupby(list(columns), sort=False):
        metric = str(part["metric"].iloc[0])
        means, contestants = _by_repeat(part)
        places, gains, p_values = _against_best(means if directions.get(metric, True) else -means)
        if not len(places):
            continue
        names = [str(name) for name in contestants[places]]
        margin = (margins or {}).get(metric, 0.0)
        tested |= {(*column, name) for name in names}
        n_pairs = len(names) * (len(names) + 1) // 2
        rows = zip(names, gains, holm(p_values, n_pairs), strict=True)
        worse |= {(*column, name) for name, gain, p in rows if p <= alpha and gain > margin}
    return Worse(frozenset(tested), frozenset(worse))


def _by_repeat(part: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.object_]]:
    """Repeats x contestants: the mean of the values of each, NaN where there is none; and the contestants.

    part : rows with the columns run (a number per repeat), contestant and value.
    """
    repeats, row = np.unique(part["run"].to_numpy(), return_inverse=True)
    names, column = np.unique(part["contestant"].to_numpy(dtype=object), return_inverse=True)
    cell, shape = row * len(names) + column, (len(repeats), len(names))
    sums, counts = (
        np.bincount(cell, weights, minlength=shape[0] * shape[1]) for weights in (part["value"].to_numpy(float), None)
    )
    means = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
    return means.reshape(shape), names


def _against_best(
    values: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """The columns that can be tested against the one of highest mean, its mean gains, and the p-values.

    values : repeats x contestants, each of which has one at least.
    """
    best = int(np.nanmean(values, axis=0).argmax())
    gains = values[:, [best]] - values
    common = np.isfinite(gains)
    counts = common.sum(axis=0)
    enough = counts >= LEAST_REPEATS
    enough[best] = False
    gains, common, counts = gains[:, enough], common[:, enough], counts[enough]
    means = np.where(common, gains, 0.0).sum(axis=0) / counts
    variances = np.square(np.where(common, gains - means, 0.0)).sum(axis=0) / (counts - 1)
    return np.flatnonzero(enough), means, paired_p(means, variances, counts)


def paired_p(
    means: NDArray[np.float64], variances: NDArray[np.float64], counts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Two-sided p-values of paired t-tests from the mean, variance (n - 1) and number of gains.

    Gains that are all one number have no variance: 1 where that is 0, else 0. Differences by rounding are none.
    """
    constant = variances <= 1e-24 * np.maximum(means**2, 1e-12)
    spread = np.sqrt(np.where(constant, 1.0, variances) / counts)
    p_values = 2 * special.stdtr(counts - 1, -np.abs(means) / spread)  # Student's t, as scipy.stats has it
    return np.where(constant, np.where(np.abs(means) <= 1e-12, 1.0, 0.0), p_values)


# How likely is one contestant better than another by an amount that matters? The Bayesian signed-rank test.

_SAMPLES = 50_000
_PRIOR_STRENGTH = 0.5


class Practical(NamedTuple):
    """The probabilities that the first is better, that both are equivalent in practice, that the second is better."""

    better: float
    equivalent: float
    worse: float


def practical_difference(gains: ArrayLike, rope: float, *, seed: int = 0) -> Practical:
    """The posterior of the Bayesian signed-rank test for N gains of the first over the second.

    rope : half the width of the region of practical equivalence, in the unit of the gains (0.01 for one point of ACC).

    A Dirichlet process puts weights on the gains and on one pseudo-gain of 0 with strength 0.5; a pair of gains counts
    for 'better' if its mean is above `rope`. Each probability is the share of 50,000 draws in which that region has the
    most weight (equal ones share the draw). Cost O(50,000 N^2).
    Source: Benavoli, Corani, Demsar and Zaffalon (2017), section 4.2.
    """
    values = np.concatenate([[0.0], np.asarray(gains, float)])
    means = (values[:, None] + values[None, :]) / 2
    regions = np.stack([means > rope, np.abs(means) <= rope, means < -rope]).astype(float)
    concentration = np.ones(len(values))
    concentration[0] = _PRIOR_STRENGTH
    weights = np.random.default_rng(seed).dirichlet(concentration, size=_SAMPLES)
    mass = np.stack([((weights @ region) * weights).sum(axis=1) for region in regions], axis=1)
    leading = mass >= mass.max(axis=1, keepdims=True) - 1e-12
    return Practical(*(float(share) for share in (leading / leading.sum(axis=1, keepdims=True)).mean(axis=0)))
