"""Tables as data: which number stands where, which is best, what is said below. Renderers only set type."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby

from mvarena.report.formatting import BELOW_MARK, NOT_RUN, PICKED_MARK


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One point of one contestant.

    text : the mean as shown ('74.21'), or the word for what became of it ('timeout'). deviation : the standard
    deviation as shown, '' for a single value. share : '3/5' where only 3 of 5 repeats gave a value.
    rank : 1 best of its column, 2 second, 0 otherwise. below : whether it is not above the better control.
    mean, std : unrounded, in the metric's own unit.
    counts : n_trials, n_stored, n_nan, unscored, failed, skipped. status : as in the summary, or 'NOT_RUN'.
    """

    text: str
    deviation: str = ""
    share: str = ""
    rank: int = 0
    below: bool = False
    mean: float = math.nan
    std: float = math.nan
    status: str = "NOT_RUN"
    label_picked: bool = False
    choice: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)

    def shown(self, mean: str, plus_minus: str = " ± ", below: str = BELOW_MARK) -> str:
        """The cell with its mean set as `mean` (bold, underlined, or as it is), marked where it is `below`."""
        spread = plus_minus + self.deviation if self.deviation else ""
        return f"{mean}{below if self.below else ''}{spread}{f' ({self.share})' if self.share else ''}"


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
        below = (
            f"{BELOW_MARK} not significantly better than a trivial baseline"
            if any(cell.below for cell in cells)
            else ""
        )
        picked = f"{PICKED_MARK} uses labels" if any(cell.label_picked for cell in cells) else ""
        return f"{'; '.join(filter(None, (self.measured, spread, below, picked)))}."

    @property
    def marks(self) -> str:
        """Sentence on the marks of the best and the second; '' where there are none."""
        ranked = any(cell.rank for row in self.rows for cell in row.cells)
        return "Bold: the best of a column; underlined: the second." if ranked else ""

    @property
    def name(self) -> str:
        """Stem of the table's file name."""
        corruption = "" if self.corruption == "none" else self.corruption
        rate = "" if self.rate is None or not corruption else f"{self.rate:g}"
        return " ".join(part for part in (self.kind, self.dataset, corruption, rate, self.metric) if part)

    @property
    def caption(self) -> str:
        """All that is said under it but the notes; '' where nothing is measured."""
        if not self.measured:
            return ""
        return " ".join(filter(None, (f"{self.measured}.", self.setting, self.controlled, self.baselines)))

    @property
    def controlled(self) -> str:
        """Meaning of the mark of cells below a control; '' where there is none."""
        marked = any(cell.below for row in self.rows for cell in row.cells)
        return BELOW_CONTROL if marked else ""


# The marks of a table's cells: the best, the second, and who is not above a baseline.
BELOW_CONTROL = (
    f"{BELOW_MARK} not significantly better than the better trivial baseline (one cluster for all, or random labels), "
    "by the 95 % interval of the difference."
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
        replace(row, cells=tuple(_with_rank(cell, ranks[j][i]) for j, cell in enumerate(row.cells)))
        for i, row in enumerate(rows)
    )


def _with_rank(cell: Cell, rank: int) -> Cell:
    """The cell with this rank; itself where it has it, as most cells of a large table do."""
    return cell if cell.rank == rank else replace(cell, rank=rank)


def _competing(cell: Cell) -> float | None:
    """The number as shown if it may be best or second; None if not."""
    return float(cell.text) if cell.status == "DONE" and not cell.label_picked else None
