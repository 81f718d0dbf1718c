"""Contestants on data sets as two matrices, of values and of ranks, from which every comparison follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from mvarena.analysis.values import POINT
from mvarena.errors import InvalidData, InvalidSetting

UNFINISHED = ("last", "left-out")


@dataclass(frozen=True, eq=False, kw_only=True)
class Standings:
    """Ranks of contestants by one metric; each data set has weight one.

    values : data sets x contestants, mean over the conditions of the data set (in the unit of the metric). Where a
        contestant did not finish, the worst value of those who did under that condition stands in.
    ranks : data sets x contestants, 1 is best, ties share the mean of their ranks. Within each condition first, where
        who did not finish is last; then the means over the conditions are ranked.
    unfinished : contestant -> under how many conditions some trial of it failed, was skipped or gave no number.
    n_conditions : data set -> how many conditions (corruption and rate) are in its row.
    left_out : one sentence for each contestant or condition that is not in the matrices, with the reason.
    by_labels : the contestants some of whose values were picked by ground truth.
    """

    metric: str
    higher_is_better: bool
    values: pd.DataFrame
    ranks: pd.DataFrame
    unfinished: Mapping[str, int]
    n_conditions: Mapping[str, int]
    left_out: tuple[str, ...] = ()
    by_labels: frozenset[str] = frozenset()

    @property
    def contestants(self) -> tuple[str, ...]:
        """From the best mean rank to the worst."""
        return tuple(self.mean_ranks.index)

    @property
    def n_datasets(self) -> int:
        """Number of data sets that count."""
        return len(self.ranks)

    @property
    def mean_ranks(self) -> pd.Series:
        """Contestant -> mean rank over data sets, best first (equal ones by name)."""
        means = self.ranks.mean().rename("mean_rank")
        return means.iloc[np.lexsort((means.index.to_numpy(dtype=str), means.to_numpy().round(12)))]

    def gains(self, first: str, second: str) -> NDArray[np.float64]:
        """By how much `first` is better than `second` on each data set, n_datasets numbers; below 0: worse."""
        difference = (self.values[first] - self.values[second]).to_numpy(float)
        return difference if self.higher_is_better else -difference


def standings(
    summary: pd.DataFrame, metric: str, *, higher_is_better: bool = True, unfinished: str = "last"
) -> Standings:
    """The standings by `metric` of the rows of a summary (`mvarena.analysis.summary.summarize`).

    unfinished : 'last' ranks a contestant last under every condition in which some trial of it did not finish;
        'left-out' takes the mean of the trials that finished, and a contestant without any as not run.

    Contestants that were not run under the same conditions cannot be compared: until everybody left was run under
    every condition left, whatever misses the larger share (a contestant or a condition) is left out, and said.
    Raises InvalidData if fewer than two contestants or no condition is left. Cost O(rows log rows).
    """
    if unfinished not in UNFINISHED:
        raise InvalidSetting(
            f"unfinished contestants are {' or '.join(UNFINISHED)}, not {unfinished!r}.", field="unfinished"
        )
    rows = summary[summary["metric"] == metric]
    values, known = _cells(rows, unfinished)
    left_out = _reasons(rows, known, metric)
    kept = _all_known(known)
    values = values.loc[kept.index, kept.columns]
    if values.shape[1] < 2 or values.empty:
        text = "".join(f" {sentence}" for sentence in list(left_out.values())[:1])
        raise InvalidData(
            f"nothing can be compared by {metric}: that takes two contestants with results on the same data sets and "
            f"under the same conditions.{text}"
        )
    worst = values.min(axis=1) if higher_is_better else values.max(axis=1)
    filled = values.T.fillna(worst).T
    picked = rows.loc[rows["label_picked"].astype(bool), "contestant"]
    return Standings(
        metric=metric,
        higher_is_better=higher_is_better,
        values=filled.groupby(level="dataset").mean(),
        ranks=_ranks(values if higher_is_better else -values),
        unfinished={str(name): int(count) for name, count in values.isna().sum().items()},
        n_conditions={str(name): int(count) for name, count in values.groupby(level="dataset").size().items()},
        left_out=tuple(sentence for name, sentence in left_out.items() if name not in _names(kept)),
        by_labels=frozenset(set(picked) & set(kept.columns)),
    )


def _cells(rows: pd.DataFrame, unfinished: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Conditions x contestants: the values (NaN where unfinished), and whether anything is known at all."""
    rows = rows.astype({"mean": float})
    full = (rows["failed"] + rows["skipped"] + rows["n_nan"] == 0) & np.isfinite(rows["mean"])
    counts = np.isfinite(rows["mean"]) if unfinished == "left-out" else full
    known = counts if unfinished == "left-out" else rows["unscored"] == 0
    cells = rows.assign(value=rows["mean"].where(counts), known=known)
    index = [cells[name] for name in (*POINT, "contestant")]
    values = cells.set_index(index)["value"].unstack("contestant")
    certain = cells.set_index(index)["known"].unstack("contestant", fill_value=False).astype(bool)
    answered = values.notna().any(axis=1)
    return values, certain & answered.to_numpy()[:, None]


def _all_known(known: pd.DataFrame) -> pd.DataFrame:
    """The part of a table that is True everywhere: the emptiest row or column goes at a time, two columns stay."""
    while known.size and not known.to_numpy().all():
        gaps = ~known.to_numpy()
        by_row, by_column = gaps.mean(axis=1), gaps.mean(axis=0)
        if known.shape[1] == 2 or by_row.max() >= by_column.max():
            known = known.drop(index=known.index[by_row.argmax()])
        else:
            known = known.drop(columns=known.columns[by_column.argmax()])
    return known


def _names(table: pd.DataFrame) -> set[object]:
    return {*table.index, *table.columns}


def _reasons(rows: pd.DataFrame, known: pd.DataFrame, metric: str) -> dict[object, str]:
    """Contestant or condition -> why it is left out, should it be."""
    unscored = set(rows.loc[rows["unscored"] > 0, "contestant"])
    sentences: dict[object, str] = {}
    for contestant in known.columns:
        missing = int((~known[contestant]).sum())
        score = f"; 'mvarena score' adds {metric} to what is stored" if contestant in unscored else ""
        what = f"without a known {metric} under {missing} of {len(known)} conditions{score}"
        sentences[contestant] = f"{contestant} is left out: {what}."
    for condition, row in known.iterrows():
        dataset, corruption, rate = condition
        where = dataset if corruption == "none" else f"{dataset} with {corruption} at {rate:g}"
        missing = int((~row).sum())
        sentences[condition] = (
            f"{where} is left out: {metric} is not known there for {missing} of {len(row)} contestants."
        )
    return sentences


def _ranks(signed: pd.DataFrame) -> pd.DataFrame:
    """Data sets x contestants, from conditions x contestants where higher is better and NaN is last."""
    within = stats.rankdata(-signed.fillna(-np.inf).to_numpy(float), axis=1)
    means = pd.DataFrame(within, index=signed.index, columns=signed.columns).groupby(level="dataset").mean().round(12)
    return pd.DataFrame(stats.rankdata(means.to_numpy(), axis=1), index=means.index, columns=means.columns)
