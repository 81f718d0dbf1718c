"""Who is not significantly worse than the best: a paired test over the repeats, under the same masks and draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from mvarena.analysis.pairs import compared_pairs
from mvarena.analysis.signed_ranks import holm
from mvarena.analysis.standings import Standings

ALPHA = 0.05
_REPEAT = ["seed", "repeat"]


@dataclass(frozen=True, slots=True)
class Level:
    """The contestants that were tested against the best of their column, and those that the test does not set apart.

    Both hold tuples: the column, then the contestant.
    """

    tested: frozenset[tuple[Any, ...]] = frozenset()
    alike: frozenset[tuple[Any, ...]] = frozenset()


def level_with_best(
    values: pd.DataFrame, columns: Sequence[str], directions: Mapping[str, bool], alpha: float = ALPHA
) -> Level:
    """Of each column, the contestants whose mean is not significantly below the best.

    values : one row per column, contestant, seed and repeat: those columns, metric, label_picked and value.
    columns : the names of what makes a column, as data set, corruption, rate and metric.
    directions : metric -> True where higher is better.

    Two-sided paired t-tests of the gains of the best over each other contestant, on the repeats that both finished,
    with Holm's correction over the column; who has fewer than two repeats in common with the best is not tested. What
    ground truth picked is neither best nor tested. Cost O(rows log rows).
    """
    fair = values[~values["label_picked"].astype(bool) & np.isfinite(values["value"].astype(float))]
    tested: set[tuple[Any, ...]] = set()
    alike: set[tuple[Any, ...]] = set()
    for column, part in fair.groupby(list(columns), sort=False):
        table = _by_repeat(part)
        higher = directions.get(str(part["metric"].iloc[0]), True)
        names, p_values = _against_best(table if higher else -table)
        if not len(names):
            continue
        tested |= {(*column, name) for name in names}
        alike |= {(*column, name) for name, p in zip(names, holm(p_values), strict=True) if p > alpha}
    return Level(frozenset(tested), frozenset(alike))


def _by_repeat(part: pd.DataFrame) -> pd.DataFrame:
    """Repeats x contestants: the mean of the values of each, NaN where there is none."""
    repeats, row = np.unique(part[_REPEAT].to_numpy(), axis=0, return_inverse=True)
    column, names = pd.factorize(part["contestant"], sort=True)
    cell, shape = row * len(names) + column, (len(repeats), len(names))
    sums, counts = (
        np.bincount(cell, weights, minlength=shape[0] * shape[1]) for weights in (part["value"].to_numpy(float), None)
    )
    means = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
    return pd.DataFrame(means.reshape(shape), columns=names)


def level_by_rank(table: Standings, alpha: float = ALPHA) -> Level:
    """The contestants that Wilcoxon's test over data sets, corrected over all pairs, does not set apart from the first
    by mean rank: tuples of the metric and the contestant."""
    pairs = compared_pairs(table)
    rivals = pairs[pairs["first"] == table.contestants[0]]
    return Level(
        frozenset((table.metric, name) for name in rivals["second"]),
        frozenset((table.metric, name) for name in rivals.loc[rivals["p_holm"] > alpha, "second"]),
    )


def joined(levels: Iterable[Level]) -> Level:
    """All of them as one."""
    found = list(levels)
    return Level(frozenset().union(*(one.tested for one in found)), frozenset().union(*(one.alike for one in found)))


def _against_best(table: pd.DataFrame) -> tuple[list[str], NDArray[np.float64]]:
    """The contestants that can be tested against the one of highest mean, and the p-values. table : repeats x them."""
    best = table.mean().idxmax()
    gains = table[[best]].to_numpy(float) - table.drop(columns=best).to_numpy(float)
    common = np.isfinite(gains)
    counts = common.sum(axis=0)
    names = [name for name, count in zip(table.columns.drop(best), counts, strict=True) if count > 1]
    if not names:
        return [], np.empty(0)
    gains, common, counts = gains[:, counts > 1], common[:, counts > 1], counts[counts > 1]
    means = np.where(common, gains, 0.0).sum(axis=0) / counts
    variances = np.square(np.where(common, gains - means, 0.0)).sum(axis=0) / (counts - 1)
    return names, paired_p(means, variances, counts)


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
