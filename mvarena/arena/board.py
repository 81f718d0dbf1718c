"""The board: every method of a release by its rating, and who is ahead within groups of data and conditions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd

from mvarena.analysis.boards import SIZES, Board, Question, board_of, on_front, size_of
from mvarena.analysis.controls import Classes
from mvarena.analysis.picking import ALL_METHODS, picks_among
from mvarena.analysis.standings import Scores, Standings
from mvarena.analysis.trial_values import common_repeats
from mvarena.arena.suites import KERNELS, METRICS, NOISE, PLAIN, SCALING, part_of
from mvarena.errors import NothingToReport
from mvarena.report.data import ReportData
from mvarena.store.cards import Cards
from mvarena.store.database import Database
from mvarena.store.trials import done_trials

BOARD_COLUMNS = (
    "contestant", "place", "rating", "low", "high", "mean_rank", "gap", *METRICS, "seconds", "finished", "conditions",
    "place_there",
)  # fmt: skip
MAIN = METRICS[0]
BOTH = "kind and condition"
# heads of what `SuiteBoard.lines` has of each method beside its place and name
NUMBERS = ("rating", "95 %", "mean rank", "NMI", "behind the first", "ACC", "CPU s", "finished", "place there")


@dataclass(frozen=True, eq=False)
class SuiteBoard:
    """Stored scores of the methods of a suite, each prepared alike (scaling auto, filling knn).

    scores : the long form of all that was run, other scalings and fillings among it.
    samples : content -> number of samples. against : the newcomer, to be compared with each other; None: nobody.
    classes : content -> (n,) the classes, for what the controls score. incomplete : (data set, corruption, rate) that
        do not count yet, since not every method was run there (`mvarena.arena.release.incomplete_points`).
    cards : of the methods; one without a card is called by its name, and competes.
    """

    scores: pd.DataFrame
    samples: dict[str, int] = field(default_factory=dict)
    against: str | None = None
    classes: Mapping[str, Classes] = field(default_factory=dict)
    incomplete: Collection[tuple[str, str, float]] = ()
    cards: Cards = field(default_factory=lambda: Cards({}, {}))

    @cached_property
    def data(self) -> ReportData:
        """The scores under the suite's own scaling and filling."""
        return ReportData.of_scores(
            self.scores, cards=self.cards, metrics=METRICS, against=self.against, classes=self.classes
        )

    @cached_property
    def competing(self) -> pd.DataFrame:
        """Rows of the summary (`mvarena.analysis.summary`) of methods that neither are controls nor read labels."""
        rows = self.data.whole
        points = zip(rows["dataset"], rows["corruption"], rows["rate"], strict=True)
        counts = np.array([point not in self.incomplete for point in points], dtype=bool)
        return rows[rows["competes"].astype(bool) & counts]

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Data set -> the kind of its data."""
        known = self.scores.drop_duplicates("dataset")
        return dict(zip(known["dataset"], known["kind"], strict=True))

    def answer(self, metric: str) -> Board:
        """The board over all conditions by one metric. Raises NothingToReport."""
        found = board_of(Question(metric=metric), self.competing, self.data.context.directions)
        if found is None:
            raise NothingToReport("the board takes two methods on two data sets or more; run more of the suite.")
        return found

    @cached_property
    def main(self) -> Board:
        """The same by the first metric."""
        return self.answer(MAIN)

    @property
    def standings(self) -> Standings:
        """Standings over all conditions and corpora by the first metric."""
        return self.main.standings

    @cached_property
    def labels(self) -> dict[str, str]:
        """Contestant -> what tables call it."""
        return self.data.context.contestants(self.standings.contestants)

    @cached_property
    def seconds(self) -> pd.Series:
        """Contestant -> CPU seconds of a trial on the reference machine (`mvarena.system.speed`): the geometric mean
        over data sets of the median of finished trials."""
        kept = self.data.reported.kept
        done = kept[(kept["status"] == "DONE") & (kept["cpu_s"] > 0)]
        counted = done.assign(cpu_s=done["cpu_s"] * done["speed"])
        medians = counted.groupby(["contestant", "dataset"])["cpu_s"].median()
        return np.exp(np.log(medians).groupby("contestant").mean())

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per method, columns BOARD_COLUMNS, the first place first; metrics and ranks are means over corpora.

        nmi, acc, ari : in percent, NaN of a method that did not finish everything. gap : the first's score by the first
        metric less its own, over what both finished, in points. finished : under how many of the conditions all of its
        trials finished; elsewhere it is ranked last. place_there : among all methods under these conditions alone.
        """
        rows = self.main.table
        means = {metric: 100 * self.answer(metric).standings.means for metric in METRICS}
        names = rows["contestant"]
        table = rows.assign(
            gap=100 * rows["gap"],
            seconds=names.map(self.seconds),
            place_there=names.map(self._places_there()),
            **{metric: names.map(means[metric]) for metric in METRICS},
        )
        return table[list(BOARD_COLUMNS)]

    def _places_there(self) -> dict[str, int]:
        """Contestant -> its place under the conditions that it finished; without those that finished none."""
        table = self.standings
        scores = Scores.of(self.competing[self.competing["contestant"].isin(table.contestants)], MAIN)
        places = {}
        for name, count in table.finished.items():
            asked = scores.conditions.index.isin(table.cells.index[table.cells[name].notna()])
            there = table if count == len(table.cells) else scores.standings(asked) if count else None
            if there is not None:
                places[name] = int(there.places[name])
        return places

    def lines(self) -> list[tuple[str, ...]]:
        """The table in words (`board_lines`)."""
        return board_lines(self.table, self.labels)

    @property
    def claim(self) -> str:
        """The sentence on what may be claimed: of the newcomer, or of the first place."""
        return self.main.claim(self.data.context.question(self.main.question), self.labels, self.against)

    @property
    def front(self) -> pd.DataFrame:
        """Rows of the table of methods of which none other is both faster and better, the fastest first."""
        rows = self.table[self.table["seconds"].notna() & (self.table["finished"] == self.table["conditions"])]
        points = rows.assign(wall_s=rows["seconds"], mean=rows[MAIN])
        front = on_front(points, pd.Series(True, index=points.index), higher=True)
        return rows[front].sort_values("seconds", kind="stable")

    def groups(self) -> Iterator[tuple[str, str, pd.DataFrame]]:
        """(what it is grouped by, group, its rows of `competing`): kinds of data, conditions, both, sizes."""
        rows = self.competing
        sizes = {row.dataset: self.samples.get(row.content, 0) for row in self.scores.itertuples()}
        kinds = rows["dataset"].map(self.kinds)
        parts = [part_of(kind, name, "auto", "") for kind, name in zip(kinds, rows["corruption"], strict=True)]
        conditions = [
            part if part in (PLAIN, NOISE) else f"{part} {row.rate:g}"
            for part, row in zip(parts, rows.itertuples(), strict=True)
        ]
        keys = {
            "kind": kinds,
            "condition": pd.Series(conditions, index=rows.index),
            BOTH: kinds + ", " + conditions,
            "size": rows["dataset"].map(lambda name: size_of(sizes[name])),
        }
        order = {"size": [words for _, words in SIZES]}
        for by, values in keys.items():
            names = order.get(by) or sorted(values.unique(), key=lambda name: (name != PLAIN, name == NOISE, name))
            for name in names:
                if (part := rows[values == name]).size:
                    yield by, name, part

    def of_group(self, rows: pd.DataFrame) -> Standings | None:
        """Standings of some rows of `competing` by the first metric; None where nothing can be compared."""
        found = board_of(Question(metric=MAIN), rows, self.data.context.directions)
        return None if found is None else found.standings

    def nobody_above(self) -> list[str]:
        """The data sets on which no method is above the better control under all of its conditions."""
        rows = self.competing[(self.competing["metric"] == MAIN) & self.competing["control"].notna()]
        above = rows[rows["mean"].notna()].groupby(["dataset", "contestant"])["above"].all()
        any_above = above.groupby("dataset").any()
        return [str(name) for name in any_above.index[~any_above]]

    def with_newcomer(self, own: pd.DataFrame) -> Self:
        """The same under the conditions that a newcomer ran; its scores replace stored ones of that algorithm."""
        points = set(own[_PLACE].itertuples(index=False, name=None))
        there = np.array([point in points for point in self.scores[_PLACE].itertuples(index=False, name=None)], bool)
        others = self.scores[there & ~self.scores["algorithm"].isin(own["algorithm"].unique())]
        return replace(self, scores=pd.concat([others, own], ignore_index=True))


_PLACE = ["dataset", "corruption", "rate"]


def board_lines(table: pd.DataFrame, labels: Mapping[str, str]) -> list[tuple[str, ...]]:
    """A table of BOARD_COLUMNS in words: of each method its place, label and NUMBERS; '' where it has no number."""
    return [
        (
            str(row.place), labels[row.contestant], f"{row.rating:.0f}",
            "" if row.low != row.low else f"{row.low:.0f} to {row.high:.0f}", f"{row.mean_rank:.1f}",
            _number(row.nmi, ".1f"), _number(row.gap, ".1f"), _number(row.acc, ".1f"), _number(row.seconds, ".2g"),
            f"{row.finished} of {row.conditions}", _number(row.place_there, ".0f"),
        )
        for row in table.itertuples()
    ]  # fmt: skip


def _number(value: float, form: str) -> str:
    return "" if value != value else format(value, form)


# Scalings and fillings: the same methods under alternatives that all finished.

ALTERNATIVE_COLUMNS = ("alternative", "mean", "best_for", "methods", "datasets")


def alternatives(scores: pd.DataFrame, axis: str) -> pd.DataFrame:
    """One row per scaling (or filling), columns ALTERNATIVE_COLUMNS, the best mean first.

    axis : SCALING or FILLING. mean : of the first metric in percent, over the methods, data sets and conditions on
    which all alternatives finished. best_for : of how many methods it alone has the highest mean.
    """
    column = "scaling" if axis == SCALING else "filling"
    rows = scores[(scores["metric"] == MAIN) & scores["value"].notna()]
    rows = rows[rows["kind"] != KERNELS]
    rows = rows[rows["filling"].isin(["", "knn"])] if axis == SCALING else rows[rows["scaling"] == "auto"]
    rows = rows[rows["filling"] != ""] if axis != SCALING else rows
    place = ["algorithm", "params", "dataset", "corruption", "rate", "repeat"]
    rows = rows[common_repeats(rows, [name for name in place if name != "repeat"], among=column)]
    wide = rows.groupby([*place, column])["value"].mean().unstack(column)
    of_axis = scores.drop_duplicates("key")
    names = [name for name in dict.fromkeys(of_axis[column]) if name in wide.columns]
    wide = wide.reindex(columns=names).dropna()
    if len(names) < 2 or wide.empty:
        return pd.DataFrame(columns=list(ALTERNATIVE_COLUMNS))
    of_methods = wide.groupby("algorithm").mean().round(12)
    leading = of_methods.eq(of_methods.max(axis=1), axis=0)
    best = leading[leading.sum(axis=1) == 1].sum()
    n_sets = wide.index.get_level_values("dataset").nunique()
    table = [(name, 100 * of_methods[name].mean(), int(best[name]), len(of_methods), n_sets) for name in names]
    frame = pd.DataFrame(table, columns=list(ALTERNATIVE_COLUMNS))
    return frame.sort_values("mean", ascending=False, kind="stable").reset_index(drop=True)


# Loss of choices among all methods that see no labels of the data at hand.

PICKERS = ("consensus", "centrality", "random")
ELSEWHERE = "the first on other corpora"
MOST_SAMPLES = 1000  # a consensus needs the pairs of samples
CHOICE_COLUMNS = ("choice", "score", "loss", "points")
_POINT = [*_PLACE, "seed", "repeat"]


def choices(db: Database, board: SuiteBoard) -> pd.DataFrame:
    """One row per way to choose, columns CHOICE_COLUMNS, the smallest loss first.

    score, loss : the first metric of what is chosen, and by how much the best method by labels is better, in points:
    means over data sets of means over conditions and repeats. The ways are pickers (`mvarena list pickers`), which see
    the labellings of all methods, and the method that is first on all other corpora. All are over the same `points` (a
    data set under a condition and a repeat): those that each way answers. Data of more than MOST_SAMPLES samples are
    left out. The labels of all trials must be stored.
    """
    kept = board.data.reported.kept
    small = {content for content, n in board.samples.items() if n <= MOST_SAMPLES}
    taking_part = kept["content"].isin(small) & kept["contestant"].isin(board.standings.contestants)
    keys = set(kept.loc[taking_part & (kept["status"] == "DONE"), "key"])
    trials = [trial for trial in done_trials(db) if trial.key in keys]
    picked = picks_among(db, [MAIN], trials, pickers=PICKERS, across=True)
    picked = picked[picked["algorithm"] == ALL_METHODS]
    if picked.empty:
        return pd.DataFrame(columns=list(CHOICE_COLUMNS))
    scores = picked.pivot_table(index=_POINT, columns="picker", values="score").reindex(columns=list(PICKERS))
    if board.standings.n_corpora > 1:
        scores = scores.join(_first_elsewhere(board, keys))
    scores = scores.dropna()
    best = picked.groupby(_POINT)["best"].first().reindex(scores.index)
    rows = [
        (name, 100 * _over_sets(scores[name]), 100 * _over_sets(best - scores[name]), len(scores)) for name in scores
    ]
    table = pd.DataFrame(rows, columns=list(CHOICE_COLUMNS))
    return table.sort_values("loss", kind="stable").reset_index(drop=True)


def _over_sets(values: pd.Series) -> float:
    return float(values.groupby(_PLACE).mean().groupby("dataset").mean().mean())


def first_elsewhere(table: Standings) -> dict[str, str]:
    """Data set -> the method of best mean rank on all corpora but its own."""
    return {
        name: str(table.ranks.drop(index=corpus).mean().sort_index().idxmin())
        for name, corpus in table.corpus_of.items()
    }


def _first_elsewhere(board: SuiteBoard, keys: Collection[str]) -> pd.Series:
    """Point -> the score of the method of best mean rank on all corpora but the one of the data."""
    first = first_elsewhere(board.standings)
    values = board.data.reported.frame
    values = values[(values["metric"] == MAIN) & values["key"].isin(keys)]
    contestants = board.data.reported.kept.set_index("trial_id")["contestant"]
    values = values[values["trial_id"].map(contestants) == values["dataset"].map(first)]
    return values.groupby(_POINT)["value"].mean().rename(ELSEWHERE)
