"""Contestants on corpora: their scores under each condition, and the ranks from which every comparison follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mvarena.analysis.trial_values import POINT
from mvarena.errors import InvalidData
from mvarena.text import plural

SEPARATING = 0.1  # of the contestants, above the better baseline: fewer are so by chance
ROUNDING = 1e-12  # differences up to this, relative to the larger number where that is above 1, are ties
_DIGITS = 12  # decimals to which mean ranks are compared


@dataclass(frozen=True, eq=False, kw_only=True)
class Standings:
    """Ranks of contestants by one metric; each corpus has weight one.

    cells : conditions (data set, corruption, rate) x contestants, the mean over the repeats that all of them have, in
        the unit of the metric; NaN where some of its trials there did not finish: that has no score.
    ranks : corpora x contestants, 1 is best, ties share the mean of their ranks. Within each condition first, where
        who did not finish is last; then the means over conditions and over data sets are ranked.
    corpus_of : data set -> its corpus, of those in `cells`.
    left_out : one sentence for each contestant or condition that is not in the matrices, with the reason.
    n_separating : corpora on which a tenth of the contestants or more are above the better baseline under some
        condition; all where no baseline is known. Others tell nobody from a labelling that looks at no data.
    """

    metric: str
    higher_is_better: bool
    cells: pd.DataFrame
    ranks: pd.DataFrame
    corpus_of: Mapping[str, str]
    n_separating: int
    left_out: tuple[str, ...] = ()

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
        return len(self.corpus_of)

    @property
    def n_conditions(self) -> int:
        """Number of conditions: pairs of a data set and a corruption at a rate."""
        return len(self.cells)

    @property
    def over(self) -> str:
        """'12 data sets', or '9 corpora (12 data sets)' where some are of one corpus."""
        sets = plural(self.n_datasets, "data set")
        corpora = plural(self.n_corpora, "corpus", "corpora")
        return sets if self.n_corpora == self.n_datasets else f"{corpora} ({sets})"

    @cached_property
    def mean_ranks(self) -> pd.Series:
        """Contestant -> mean rank over corpora, best first (equal ones by name)."""
        means = self.ranks.mean().rename("mean_rank")
        return means.iloc[np.lexsort((means.index.to_numpy(dtype=str), means.to_numpy().round(_DIGITS)))]

    @cached_property
    def places(self) -> pd.Series:
        """Contestant -> 1 and how many are strictly better by mean rank: equal ones share a place; best first."""
        return self.mean_ranks.round(_DIGITS).rank(method="min").astype(int).rename("place")

    @cached_property
    def finished(self) -> dict[str, int]:
        """Contestant -> under how many conditions all of its trials finished."""
        return {str(name): int(count) for name, count in self.cells.notna().sum().items()}

    @cached_property
    def means(self) -> pd.Series:
        """Contestant -> mean over corpora; NaN where it did not finish everything."""
        whole = self.cells.notna().all()
        return by_corpus(self.cells, self.corpus_of).mean().where(whole)

    def gains_over(self, first: str) -> pd.DataFrame:
        """Corpora x contestants: by how much `first` is better than each; below 0: worse. Means over the conditions
        that both finished of each data set, then over the data sets of the corpus; NaN where there are none."""
        every = np.arange(len(self.cells.columns))
        return self.gains_of(np.full(len(every), self.cells.columns.get_loc(first)), every).set_axis(
            self.cells.columns, axis=1
        )

    def gains_of(self, firsts: NDArray[np.int64], seconds: NDArray[np.int64]) -> pd.DataFrame:
        """Corpora x pairs: gains of the contestants in some columns of `cells` over those in others, pair by pair."""
        cells = self.cells.to_numpy(float) * (1.0 if self.higher_is_better else -1.0)
        gains = pd.DataFrame(cells[:, firsts] - cells[:, seconds], index=self.cells.index)
        return by_corpus(gains, self.corpus_of)

    @cached_property
    def distances(self) -> pd.DataFrame:
        """One row per contestant, best first: gap, how far it is behind the first by mean rank, a mean over corpora of
        what both finished (below 0: ahead; NaN where there is nothing), and shared, of how many conditions that is."""
        first = self.contestants[0]
        gaps = self.gains_over(first).mean()
        shared = self.cells.notna().mul(self.cells[first].notna(), axis=0).sum()
        return pd.DataFrame({"gap": gaps + 0.0, "shared": shared}).loc[list(self.contestants)]


@dataclass(frozen=True, eq=False, kw_only=True)
class Scores:
    """Everything that is known by one metric, from which the standings under any of the conditions are made.

    conditions : one row per data set, corruption and rate, which are its index, with these columns, corpus and, as far
        as the summary has them, kind and size. contestants : by name.
    values : (conditions, contestants) means over the repeats that all have, NaN where some did not finish. Of the same
        shape: tried, whether there is a row; known, whether anything is known at all; unscored and unpaired, whether
        finished trials lack the metric, or a common repeat is missing; above, whether the mean is above the better
        baseline (None where no baseline is known).
    """

    metric: str
    conditions: pd.DataFrame
    contestants: NDArray[np.object_]
    values: NDArray[np.float64]
    tried: NDArray[np.bool_]
    known: NDArray[np.bool_]
    unscored: NDArray[np.bool_]
    unpaired: NDArray[np.bool_]
    above: NDArray[np.bool_] | None

    @classmethod
    def of(cls, summary: pd.DataFrame, metric: str) -> Self:
        """Lay out the rows of a summary by `metric`. Cost O(rows log rows)."""
        rows = summary[summary["metric"] == metric]
        row, index = pd.MultiIndex.from_frame(rows[list(POINT)]).factorize(sort=True)
        column, names = pd.factorize(rows["contestant"], sort=True)
        about = [name for name in (*POINT, "corpus", "kind", "size") if name in rows.columns]
        conditions = rows.iloc[np.unique(row, return_index=True)[1]][about].astype({"corpus": str}).astype(object)

        def table(values: NDArray[Any], nothing: Any = False) -> NDArray[Any]:
            full = np.full((len(index), len(names)), nothing)
            full[row, column] = values
            return full

        paired, unscored = rows["paired"].to_numpy(float), rows["unscored"].to_numpy() > 0
        unpaired = rows["n_paired"].to_numpy() == 0
        values = table(np.where(np.isfinite(paired), paired, np.nan), np.nan)
        above = rows["above"].to_numpy(bool) & np.isfinite(rows["mean"].to_numpy(float)) if "above" in rows else None
        return cls(
            metric=metric,
            conditions=conditions.set_axis(index.set_names(list(POINT))),
            contestants=np.asarray(names, dtype=object),
            values=values,
            tried=table(np.ones(len(rows), dtype=bool)),
            known=table(~unpaired & ~unscored) & ~np.isnan(values).all(axis=1, keepdims=True),
            unscored=table(unscored),
            unpaired=table(unpaired),
            above=None if above is None else table(above),
        )

    def standings(self, asked: NDArray[np.bool_] | None = None, *, higher_is_better: bool = True) -> Standings:
        """The standings under some of the conditions, (conditions,); None: all.

        Contestants that were not run under the same conditions cannot be compared: until everybody left was run under
        every condition left, whatever misses the larger share (a contestant or a condition) is left out, and said.
        Raises InvalidData if fewer than two contestants or no condition is left.
        """
        rows = np.arange(len(self.values)) if asked is None else np.flatnonzero(asked)
        columns = np.flatnonzero(self.tried[rows].any(axis=0))
        known = self.known[np.ix_(rows, columns)]
        kept_rows, kept_columns = _all_known(known)
        left_out = {} if known.all() else self._reasons(rows, columns)
        taking_part = np.ix_(rows[kept_rows], columns[kept_columns])
        index, names = self.conditions.index[rows[kept_rows]], self.contestants[columns[kept_columns]]
        if len(names) < 2 or not len(index):
            text = "".join(f" {sentence}" for sentence in list(left_out.values())[:1])
            raise InvalidData(
                f"nothing can be compared by {self.metric}: this needs two methods with results on the same data sets, "
                f"under the same conditions and in the same repeats.{text}"
            )
        datasets, corpora = (self.conditions[name].to_numpy()[rows[kept_rows]] for name in ("dataset", "corpus"))
        corpus_of = dict(zip(datasets, corpora, strict=True))
        cells = pd.DataFrame(self.values[taking_part], index=index, columns=pd.Index(names, name="contestant"))
        staying = {*index, *names}
        return Standings(
            metric=self.metric,
            higher_is_better=higher_is_better,
            cells=cells,
            ranks=_ranks(cells if higher_is_better else -cells, corpus_of),
            corpus_of=corpus_of,
            left_out=tuple(sentence for name, sentence in left_out.items() if name not in staying),
            n_separating=len(set(corpora)) if self.above is None else _separating(self.above[taking_part], corpora),
        )

    def _reasons(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> dict[object, str]:
        """Contestant or condition -> why it is left out, should it be."""
        asked = np.ix_(rows, columns)
        gaps = ~self.known[asked]
        unscored, unpaired = np.any(self.unscored[asked], axis=0), np.any(self.unpaired[asked], axis=1)
        sentences: dict[object, str] = {}
        for contestant, missing, lacks in zip(self.contestants[columns], gaps.sum(axis=0), unscored, strict=True):
            score = f"; 'mvarena score' adds {self.metric} to what is stored" if lacks else ""
            what = f"{self.metric} is not known under {missing} of {len(rows)} conditions{score}"
            sentences[contestant] = f"{contestant} is left out: {what}."
        for condition, missing, alone in zip(self.conditions.index[rows], gaps.sum(axis=1), unpaired, strict=True):
            dataset, corruption, rate = condition
            where = dataset if corruption == "none" else f"{dataset} with {corruption} at {rate:g}"
            why = f"{self.metric} is not known for {missing} of {len(columns)} contestants"
            if alone:
                why = "there is no repeat that all contestants have"
            sentences[condition] = f"{where} is left out: {why}."
        return sentences


def standings(summary: pd.DataFrame, metric: str, *, higher_is_better: bool = True) -> Standings:
    """The standings by `metric` of the rows of a summary (`Scores.standings`)."""
    return Scores.of(summary, metric).standings(higher_is_better=higher_is_better)


def _all_known(known: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns between which a table is True: the emptiest of all goes at a time, two columns stay."""
    rows, columns = np.arange(known.shape[0]), np.arange(known.shape[1])
    while (part := known[np.ix_(rows, columns)]).size and not part.all():
        by_row, by_column = (~part).mean(axis=1), (~part).mean(axis=0)
        if len(columns) == 2 or by_row.max() >= by_column.max():
            rows = np.delete(rows, by_row.argmax())
        else:
            columns = np.delete(columns, by_column.argmax())
    return rows, columns


def _separating(above: NDArray[np.bool_], corpora: NDArray[np.object_]) -> int:
    """Number of corpora on which enough of the contestants are above the better baseline.

    above : (conditions, contestants). corpora : of each condition.
    """
    counts = [above[corpora == name].any(axis=0).sum() for name in set(corpora)]
    return sum(bool(count >= SEPARATING * above.shape[1]) for count in counts)


def tied_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks within each row, 1 for the lowest; numbers that differ by rounding alone share the mean of their ranks.

    values : (rows, columns), without NaN; infinite ones are equal. Equal are those with the same twelve decimals,
    relative to the largest of the row where that is above 1. Cost O(n log n) for each row.
    """
    size = np.abs(np.where(np.isfinite(values), values, 0.0)).max(axis=1, initial=1.0, keepdims=True)
    return pd.DataFrame(np.round(values / size, 12)).rank(axis=1).to_numpy()


def _ranks(signed: pd.DataFrame, corpus_of: Mapping[str, str]) -> pd.DataFrame:
    """Corpora x contestants, from conditions x contestants where higher is better and NaN is last."""
    within = tied_ranks(-signed.fillna(-np.inf).to_numpy(float))
    means = by_corpus(pd.DataFrame(within, index=signed.index, columns=signed.columns), corpus_of)
    return pd.DataFrame(tied_ranks(means.to_numpy()), index=means.index, columns=means.columns)


def by_corpus(of_conditions: pd.DataFrame, corpus_of: Mapping[str, str]) -> pd.DataFrame:
    """Means over the known conditions of each data set, then over the data sets of each corpus."""
    of_datasets = of_conditions.groupby(of_conditions.index.get_level_values("dataset").to_numpy()).mean()
    of_corpora = of_datasets.groupby([corpus_of[dataset] for dataset in of_datasets.index]).mean()
    return of_corpora.rename_axis(index="corpus")
