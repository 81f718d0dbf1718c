"""Contestants on corpora as two matrices, of values and of ranks, from which every comparison follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from mvarena.analysis.trial_values import POINT
from mvarena.errors import InvalidData
from mvarena.text import plural

Unfinished: TypeAlias = Literal["last", "left-out"]
SEPARATING = 0.1  # of the contestants, above the better control: fewer are so by chance
_BEHIND = 1e-9  # by how much, relative to the worst value, who did not finish lies behind it


@dataclass(frozen=True, eq=False, kw_only=True)
class Standings:
    """Ranks of contestants by one metric; each corpus has weight one.

    values : corpora x contestants, mean over the conditions of a data set, then over the data sets of the corpus (in
        the unit of the metric). Where a contestant did not finish, a value just below the worst of those who did under
        that condition stands in.
    ranks : corpora x contestants, 1 is best, ties share the mean of their ranks. Within each condition first, where
        who did not finish is last; then the means over conditions and over data sets are ranked.
    datasets : corpus -> its data sets.
    unfinished : contestant -> under how many conditions some trial of it failed, was skipped or gave no number.
    n_conditions : data set -> how many conditions (corruption and rate) are in its row.
    left_out : one sentence for each contestant or condition that is not in the matrices, with the reason.
    by_labels : the contestants some of whose values were chosen by ground truth.
    n_separating : corpora on which a tenth of the contestants or more are above the better control under some
        condition; None where no control is known. Others tell nobody from a labelling that looks at no data.
    """

    metric: str
    higher_is_better: bool
    values: pd.DataFrame
    ranks: pd.DataFrame
    datasets: Mapping[str, tuple[str, ...]]
    unfinished: Mapping[str, int]
    n_conditions: Mapping[str, int]
    left_out: tuple[str, ...] = ()
    by_labels: frozenset[str] = frozenset()
    n_separating: int | None = None

    @property
    def contestants(self) -> tuple[str, ...]:
        """From the best mean rank to the worst."""
        return tuple(self.mean_ranks.index)

    @property
    def n_corpora(self) -> int:
        """Number of corpora: of what is independent in tests."""
        return len(self.ranks)

    @property
    def n_datasets(self) -> int:
        """Number of data sets, several of which may be of one corpus."""
        return sum(map(len, self.datasets.values()))

    @property
    def over(self) -> str:
        """'12 data sets', or '9 corpora (12 data sets)' where some are of one corpus."""
        sets = plural(self.n_datasets, "data set")
        corpora = plural(self.n_corpora, "corpus", "corpora")
        return sets if self.n_corpora == self.n_datasets else f"{corpora} ({sets})"

    @property
    def mean_ranks(self) -> pd.Series:
        """Contestant -> mean rank over corpora, best first (equal ones by name)."""
        means = self.ranks.mean().rename("mean_rank")
        return means.iloc[np.lexsort((means.index.to_numpy(dtype=str), means.to_numpy().round(12)))]

    def gains(self, first: str, second: str) -> NDArray[np.float64]:
        """By how much `first` is better than `second` on each corpus, n_corpora numbers; below 0: worse."""
        difference = (self.values[first] - self.values[second]).to_numpy(float)
        return difference if self.higher_is_better else -difference


def standings(
    summary: pd.DataFrame, metric: str, *, higher_is_better: bool = True, unfinished: Unfinished = "last"
) -> Standings:
    """The standings by `metric` of the rows of a summary (`mvarena.analysis.summary.summarize`).

    unfinished : 'last' ranks a contestant last under every condition in which some trial of it did not finish;
        'left-out' takes the mean of the trials that finished, and a contestant without any as not run.

    Corpora are in the column `corpus`; where there is none, each data set is a corpus of its own.
    Contestants that were not run under the same conditions cannot be compared: until everybody left was run under
    every condition left, whatever misses the larger share (a contestant or a condition) is left out, and said.
    Raises InvalidData if fewer than two contestants or no condition is left. Cost O(rows log rows).
    """
    rows = summary[summary["metric"] == metric]
    values, known = _cells(rows, unfinished)
    left_out = _reasons(rows, known, metric)
    kept = _all_known(known)
    values = values.loc[kept.index, kept.columns]
    if values.shape[1] < 2 or values.empty:
        text = "".join(f" {sentence}" for sentence in list(left_out.values())[:1])
        raise InvalidData(
            f"nothing can be compared by {metric}: this needs two methods with results on the same data sets and "
            f"under the same conditions.{text}"
        )
    signed = values if higher_is_better else -values
    worst = signed.min(axis=1)
    filled = signed.T.fillna(worst - _BEHIND * (1.0 + worst.abs())).T
    corpus_of = _corpora(rows)
    picked = rows.loc[rows["label_picked"].astype(bool), "contestant"]
    return Standings(
        metric=metric,
        higher_is_better=higher_is_better,
        values=_by_corpus(filled if higher_is_better else -filled, corpus_of),
        ranks=_ranks(signed, corpus_of),
        datasets=_datasets(values, corpus_of),
        unfinished={str(name): int(count) for name, count in values.isna().sum().items()},
        n_conditions={str(name): int(count) for name, count in values.groupby(level="dataset").size().items()},
        left_out=tuple(sentence for name, sentence in left_out.items() if name not in _names(kept)),
        by_labels=frozenset(set(picked) & set(kept.columns)),
        n_separating=_separating(rows, kept, corpus_of) if "above" in rows.columns else None,
    )


def _cells(rows: pd.DataFrame, unfinished: Unfinished) -> tuple[pd.DataFrame, pd.DataFrame]:
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
        what = f"{metric} is not known under {missing} of {len(known)} conditions{score}"
        sentences[contestant] = f"{contestant} is left out: {what}."
    for condition, row in known.iterrows():
        dataset, corruption, rate = condition
        where = dataset if corruption == "none" else f"{dataset} with {corruption} at {rate:g}"
        missing = int((~row).sum())
        sentences[condition] = f"{where} is left out: {metric} is not known for {missing} of {len(row)} contestants."
    return sentences


def _ranks(signed: pd.DataFrame, corpus_of: Mapping[str, str]) -> pd.DataFrame:
    """Corpora x contestants, from conditions x contestants where higher is better and NaN is last."""
    within = stats.rankdata(-signed.fillna(-np.inf).to_numpy(float), axis=1)
    ranks = pd.DataFrame(within, index=signed.index, columns=signed.columns)
    means = _by_corpus(ranks, corpus_of).round(12)
    return pd.DataFrame(stats.rankdata(means.to_numpy(), axis=1), index=means.index, columns=means.columns)


def _corpora(rows: pd.DataFrame) -> dict[str, str]:
    """Data set -> its corpus."""
    column = "corpus" if "corpus" in rows.columns else "dataset"
    return dict(zip(rows["dataset"], rows[column], strict=True))


def _by_corpus(of_conditions: pd.DataFrame, corpus_of: Mapping[str, str]) -> pd.DataFrame:
    """Means over the conditions of each data set, then over the data sets of each corpus."""
    of_datasets = of_conditions.groupby(level="dataset").mean()
    return of_datasets.groupby(of_datasets.index.map(corpus_of).rename("corpus")).mean()


def _separating(rows: pd.DataFrame, kept: pd.DataFrame, corpus_of: Mapping[str, str]) -> int:
    """Number of corpora on which enough of the contestants are above the better control."""
    conditions = pd.MultiIndex.from_frame(rows[list(POINT)])
    taking_part = conditions.isin(kept.index) & rows["contestant"].isin(kept.columns).to_numpy()
    above = rows[taking_part & rows["above"].to_numpy(bool) & np.isfinite(rows["mean"].to_numpy(float))]
    counts = above["contestant"].groupby(above["dataset"].map(corpus_of)).nunique()
    return int((counts >= SEPARATING * kept.shape[1]).sum())


def _datasets(values: pd.DataFrame, corpus_of: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    result: dict[str, list[str]] = {}
    for name in values.index.unique("dataset"):
        result.setdefault(corpus_of[name], []).append(str(name))
    return {corpus: tuple(names) for corpus, names in result.items()}
