"""Tables as data: which number stands where, which is best, what is said below. Renderers only set type."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from mvarena.analysis.significance import LEAST_CORPORA, LEAST_REPEATS, Worse
from mvarena.report.formatting import BELOW_MARK, NOT_RUN, PICKED_MARK, WORSE_MARK


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One point of one contestant.

    text : the mean as shown ('74.21'), or the word for what became of it ('timeout'). deviation : the standard
    deviation as shown, '' for a single value. share : '3/5' where only 3 of 5 repeats gave a value.
    rank : 1 best of its column, 2 second, 0 otherwise. worse : whether a test finds it worse than the best.
    below : whether it is not above the better control.
    mean, std : unrounded, in the metric's own unit.
    counts : n_trials, n_stored, n_nan, unscored, failed, skipped. status : as in the summary, or 'NOT_RUN'.
    """

    text: str
    deviation: str = ""
    share: str = ""
    rank: int = 0
    worse: bool = False
    below: bool = False
    mean: float = math.nan
    std: float = math.nan
    status: str = "NOT_RUN"
    label_picked: bool = False
    choice: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)

    def shown(self, mean: str, plus_minus: str = " ± ", mark: str = WORSE_MARK, below: str = BELOW_MARK) -> str:
        """The cell with its mean set as `mean` (bold, underlined, or as it is), and its marks.

        mark : where it is worse than the best; below : where it is not above the better control.
        """
        spread = plus_minus + self.deviation if self.deviation else ""
        marks = f"{mark if self.worse else ''}{below if self.below else ''}"
        return f"{mean}{marks}{spread}{f' ({self.share})' if self.share else ''}"


NO_NUMBER = Cell(text=NOT_RUN)


def number_cell(text: str, value: float) -> Cell:
    """The cell of a number; `NO_NUMBER` for NaN."""
    return NO_NUMBER if math.isnan(value) else Cell(text=text, mean=value, status="DONE")


@dataclass(frozen=True, slots=True)
class Column:
    """One column: a metric at a rate, on the table's data set and corruption unless it says others.

    group : what stands above neighbours of one group, once; '' for none.
    """

    head: str
    metric: str
    rate: float
    dataset: str = ""
    corruption: str = ""
    group: str = ""

    @property
    def full_head(self) -> str:
        """The head where no group stands above it."""
        return " ".join(filter(None, (self.group, self.head)))


@dataclass(frozen=True, slots=True)
class Row:
    """One contestant: its name, and what the table calls it."""

    name: str
    label: str
    label_picked: bool
    cells: tuple[Cell, ...]

    @property
    def head(self) -> str:
        """The label, with a mark if ground truth picked any of the row's numbers."""
        return f"{self.label} {PICKED_MARK}" if self.label_picked else self.label


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table: contestants down (or whatever head says); across, what heading says.

    kind : of `mvarena.report.kinds`. dataset, corruption : '' where there are several. metric : None where the
    columns are metrics. rate : of all columns, where a kind has a table for each.
    measured, setting : the sentences under it, on its numbers and on how they came about; caption is both.
    tested : which test the marks of cells stand for, or why nothing could be tested, as a sentence; '' where no marks
        were asked for or there is nothing to compare.
    baselines : the sentence on the trivial baselines, which have no rows; '' where there are none.
    notes : what must be known of single cells. warnings : what must be said wherever the table is shown.
    """

    kind: str = "results"
    head: str = "method"
    dataset: str = ""
    corruption: str = ""
    metric: str | None = None
    rate: float | None = None
    title: str
    heading: str = ""
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    measured: str
    setting: str
    tested: str = ""
    baselines: str = ""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def spans(self) -> list[tuple[str, int]]:
        """Words above the columns' heads, and above how many: their groups, or the heading above all."""
        if not any(column.group for column in self.columns):
            return [(self.heading, len(self.columns))]
        return [(group, len(list(members))) for group, members in groupby(column.group for column in self.columns)]

    @property
    def brief(self) -> str:
        """Meaning of its numbers and marks, in one line."""
        cells = [cell for row in self.rows for cell in row.cells]
        spread = "± one standard deviation" if any(cell.deviation for cell in cells) else ""
        worse = f"{WORSE_MARK} worse than the best" if any(cell.worse for cell in cells) else ""
        below = f"{BELOW_MARK} no better than a trivial baseline" if any(cell.below for cell in cells) else ""
        picked = f"{PICKED_MARK} uses labels" if any(cell.label_picked for cell in cells) else ""
        return f"{'; '.join(filter(None, (self.measured, spread, worse, below, picked)))}."

    @property
    def name(self) -> str:
        """Stem of the table's file name."""
        corruption = "" if self.corruption == "none" else self.corruption
        rate = "" if self.rate is None or not corruption else f"{self.rate:g}"
        return " ".join(part for part in (self.kind, self.dataset, corruption, rate, self.metric) if part)

    @property
    def caption(self) -> str:
        """All that is said under it but the notes; '' where its title says all (`with_short_caption`)."""
        if not self.measured:
            return ""
        return " ".join(filter(None, (f"{self.measured}.", self.setting, self.tested, self.controlled, self.baselines)))

    @property
    def controlled(self) -> str:
        """Meaning of the mark of cells below a control; '' where there is none."""
        marked = any(cell.below for row in self.rows for cell in row.cells)
        return BELOW_CONTROL if marked else ""


def with_short_caption(table: Table) -> Table:
    """The table with a title that says in one line what its numbers and marks mean, and nothing below."""
    ranked = any(cell.rank for row in table.rows for cell in row.cells)
    best = "; best of a column in bold, second underlined" if ranked else ""
    title = f"{table.title} ({table.brief.rstrip('.')}{best})"
    return replace(table, title=title, measured="", setting="", tested="", baselines="", notes=(), warnings=())


# The marks of a table's cells: the best, the second, and who is worse than the best.


_WORSE = f"{WORSE_MARK} worse than the best of its column, significantly and (metrics in percent) by more than 1 point"
TESTED = (
    f"{_WORSE} (two-sided paired t-test over the repeats that both finished, {LEAST_REPEATS} at least, Holm's "
    f"correction over all pairs, 5 %; of results on {LEAST_CORPORA} corpora or more)."
)
UNTESTED = (
    f"Nothing is marked ({WORSE_MARK}) as worse than the best: that takes results on {LEAST_CORPORA} corpora or more, "
    f"a method above the better baseline, and {LEAST_REPEATS} repeats in common with the best."
)
BELOW_CONTROL = (
    f"{BELOW_MARK} no better than the better trivial baseline (one cluster for all, or random labels), by the 95 % "
    "interval of the difference."
)


def ranked_rows(rows: list[Row], columns: tuple[Column, ...], directions: Mapping[str, bool]) -> tuple[Row, ...]:
    """`rows` with the best and the second of each column marked, on the numbers as shown.

    What ground truth picked is neither.
    """
    if len(rows) < 2:
        return tuple(rows)
    ranks = []
    for index, column in enumerate(columns):
        shown = [_competing(row.cells[index]) for row in rows]
        values = sorted({value for value in shown if value is not None}, reverse=directions.get(column.metric, True))
        rank_of = {value: rank for rank, value in enumerate(values[:2], start=1)}
        ranks.append([0 if value is None else rank_of.get(value, 0) for value in shown])
    return tuple(
        replace(row, cells=tuple(_with(cell, rank=ranks[j][i]) for j, cell in enumerate(row.cells)))
        for i, row in enumerate(rows)
    )


def marked_rows(rows: tuple[Row, ...], columns: tuple[Column, ...], worse: Worse | None) -> tuple[tuple[Row, ...], str]:
    """`rows` with those cells marked that are worse than the best, and the sentence on what was tested, or why not.

    worse : by data set, corruption, rate, metric and contestant; None where no marks are asked for.
    """
    if worse is None or sum(_competes(row) for row in rows) < 2:
        return rows, ""

    def place(row: Row, column: Column) -> tuple[object, ...]:
        return (column.dataset, column.corruption, column.rate, column.metric, row.name)

    def marked(row: Row) -> Row:
        pairs = zip(row.cells, columns, strict=True)
        return replace(row, cells=tuple(_with(cell, worse=place(row, one) in worse.worse) for cell, one in pairs))

    if not any(place(row, column) in worse.tested for row in rows for column in columns):
        return rows, UNTESTED
    return tuple(map(marked, rows)), TESTED


def _with(cell: Cell, **marks: Any) -> Cell:
    """The cell with these marks; itself where it has them, as most cells of a large table do."""
    return cell if all(getattr(cell, name) == value for name, value in marks.items()) else replace(cell, **marks)


def _competes(row: Row) -> bool:
    return any(_competing(cell) is not None for cell in row.cells)


def _competing(cell: Cell) -> float | None:
    """The number as shown if it may be best or second; None if not."""
    return float(cell.text) if cell.status == "DONE" and not cell.label_picked else None
