"""Boards: who is ahead over all that is stored, under each condition, on each kind and size of data, and what may be
claimed of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mvarena.analysis.claims import claim
from mvarena.analysis.naming import natural_order
from mvarena.analysis.rankings import cliques
from mvarena.analysis.ratings import ratings
from mvarena.analysis.significance import compared_pairs
from mvarena.analysis.standings import Scores, Standings
from mvarena.errors import InvalidData

BOARD_COLUMNS = (
    "contestant", "place", "mean_rank", "rating", "low", "high", "gap", "shared", "finished", "conditions", "corpora",
)  # fmt: skip
# of data sets: the most samples, and what the group is called
SIZES = ((700, "up to 700 samples"), (4000, "701 to 4,000 samples"), (math.inf, "more than 4,000 samples"))


def size_of(n_samples: int) -> str:
    """The group of sizes that n samples belong to."""
    return next(words for most, words in SIZES if n_samples <= most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A metric, and the results that are asked about: all, or those of one condition, kind of data or size.

    corruption, rate : the condition; None: all. kind : of data, as the summary has it; size : as of `size_of`; '': all.
    """

    metric: str
    corruption: str | None = None
    rate: float | None = None
    kind: str = ""
    size: str = ""

    def among(self, conditions: pd.DataFrame) -> NDArray[np.bool_]:
        """Row by row of a frame with conditions, kinds and sizes, whether it is asked about."""
        wanted = np.ones(len(conditions), dtype=bool)
        for name in ("corruption", "rate", "kind", "size"):
            value = getattr(self, name)
            if value not in (None, ""):
                wanted &= conditions[name].to_numpy() == value
        return wanted


@dataclass(frozen=True, eq=False)
class Board:
    """The answer to a question: standings of all methods that are stored, whatever a report shows of them."""

    question: Question
    standings: Standings

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per method, columns BOARD_COLUMNS, the first place first.

        place : `Standings.places`. rating, low, high : `mvarena.analysis.ratings.ratings`. gap : mean distance to the
        first on what both finished, in the unit of the metric, below 0 where it is ahead there; NaN where that is
        nothing. shared : of how many conditions that is. finished : under how many of the conditions all of its trials
        finished: elsewhere it ranks last and has no score.
        """
        table = self.standings
        of_method = pd.concat([table.mean_ranks, table.places, ratings(table), table.distances], axis=1)
        rows = of_method.assign(finished=pd.Series(table.finished)).reset_index(names="contestant")
        return rows.assign(conditions=table.n_conditions, corpora=table.n_corpora)[list(BOARD_COLUMNS)]

    @cached_property
    def cliques(self) -> list[tuple[str, ...]]:
        """Groups of methods that cannot be told apart (`mvarena.analysis.rankings.cliques`)."""
        return cliques(self.standings)

    @property
    def pairs(self) -> pd.DataFrame:
        """Every pair of methods (`mvarena.analysis.significance.compared_pairs`)."""
        return compared_pairs(self.standings)

    def claim(self, words: str, labels: Mapping[str, str] | None = None, against: str | None = None) -> str:
        """Sentences on what may be claimed (`mvarena.analysis.claims.claim`). words : the question. against : a method
        that was chosen beforehand; it is left aside where it takes no part."""
        chosen = against if against in self.standings.contestants else None
        return claim(self.standings, words, labels=labels, against=chosen)


def questions(summary: pd.DataFrame, metrics: Iterable[str]) -> Iterator[Question]:
    """All questions on a summary: of each metric the whole, each condition, kind and size where there are several,
    and each kind under each condition; complete data come before others."""
    for metric in metrics:
        rows = competing(summary, metric)
        yield Question(metric=metric)
        conditions, kinds = conditions_in(rows), _several(rows, "kind")
        if len(conditions) > 1:
            yield from (Question(metric=metric, corruption=name, rate=rate) for name, rate in conditions)
        yield from (Question(metric=metric, kind=kind) for kind in kinds)
        sizes = _several(rows, "size")
        yield from (Question(metric=metric, size=words) for _, words in SIZES if words in sizes)
        if len(conditions) > 1:
            for kind in kinds:
                yield from (Question(metric=metric, kind=kind, corruption=name, rate=rate) for name, rate in conditions)


def conditions_in(rows: pd.DataFrame) -> list[tuple[str, float]]:
    """Corruptions with their rates, complete data first."""
    pairs = set(zip(rows["corruption"].astype(str), rows["rate"].astype(float), strict=True))
    return sorted(pairs, key=lambda pair: (pair[0] != "none", natural_order(pair[0]), pair[1]))


def _several(rows: pd.DataFrame, column: str) -> list[str]:
    values = sorted(set(rows[column].dropna()) - {""}) if column in rows else []
    return values if len(values) > 1 else []


def competing(summary: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Rows of a summary by one metric that compete."""
    return summary[summary["competes"].astype(bool) & (summary["metric"] == metric)]


def board_of(question: Question, summary: pd.DataFrame, directions: Mapping[str, bool]) -> Board | None:
    """The answer to a question; None where it takes two methods on two data sets that can be compared."""
    return board_among(question, Scores.of(competing(summary, question.metric), question.metric), directions)


def board_among(question: Question, scores: Scores, directions: Mapping[str, bool]) -> Board | None:
    """The same from all scores by the metric: where many questions are asked, these are laid out once."""
    asked = question.among(scores.conditions)
    try:
        table = scores.standings(asked, higher_is_better=directions.get(question.metric, True))
    except InvalidData:
        return None
    return Board(question, table) if table.n_datasets > 1 else None


def on_front(rows: pd.DataFrame, competing: pd.Series, *, higher: bool) -> pd.Series:
    """Row by row, whether it competes and no other that does is as fast and as good, and better in one.

    rows : with the columns wall_s and mean.
    """
    fair = rows[competing]
    seconds = fair["wall_s"].to_numpy(dtype=float)
    quality = fair["mean"].to_numpy(dtype=float) * (1 if higher else -1)
    as_good = (seconds[:, None] <= seconds) & (quality[:, None] >= quality)
    better = as_good & ((seconds[:, None] < seconds) | (quality[:, None] > quality))
    result = pd.Series(False, index=rows.index)
    result[fair.index] = ~better.any(axis=0)
    return result
