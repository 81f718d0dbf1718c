"""The rule by which a number, a table and a ranking count as reproduced.

A number is reproduced where it is within 3 points of the paper's, or within two deviations: the root of the sum of the
squares of the deviation that the paper prints and of the standard error of our mean. A ranking is compared by Kendall's
tau (b) over the methods that both have, and by whether the paper's winner wins here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from scipy import stats

from mvarena.papers.evidence import Evidence
from mvarena.papers.measure import Measured, measure
from mvarena.papers.model import Column, Made, Row, Table
from mvarena.papers.printed import Printed
from mvarena.registry.catalog import installed_catalog

POINTS = 3.0
DEVIATIONS = 2.0
RULE = (
    f"A number is reproduced if it is within {POINTS:g} points of the paper's or within two deviations (the one that "
    "the paper prints and the standard error of our mean together). A ranking is compared by Kendall's tau."
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of a paper, in percent, beside what was measured.

    judged : whether the rule applies; not where the metric has no largest value of 1.
    """

    row: Row
    made: Made
    column: Column
    metric: str
    printed: Printed | None
    paper: float | None
    paper_std: float | None
    measured: Measured | None
    judged: bool = True

    @property
    def difference(self) -> float | None:
        """Measured less the paper's."""
        if self.measured is None or self.paper is None:
            return None
        return self.measured.mean - self.paper

    @property
    def allowed(self) -> float:
        """How far apart the two may be."""
        own = 0.0 if self.measured is None else self.measured.standard_error
        return max(POINTS, DEVIATIONS * math.hypot(own, self.paper_std or 0.0))

    @property
    def reproduced(self) -> bool | None:
        """None where there is nothing to compare."""
        # what is printed is rounded: what is 3 points apart by its digits is within
        return None if self.difference is None or not self.judged else abs(self.difference) <= self.allowed + 1e-9


@dataclass(frozen=True, slots=True)
class Ranking:
    """The methods of one column by one metric, in the paper's order and ours.

    tau : Kendall's tau-b; None where all are equal. winners, winners_here : the best, several where they are level.
    wins : whether one of the paper's winners wins here.
    """

    column: str
    metric: str
    n: int
    tau: float | None
    winners: tuple[str, ...]
    winners_here: tuple[str, ...]

    @property
    def wins(self) -> bool:
        return bool(set(self.winners) & set(self.winners_here))


@dataclass(frozen=True)
class Comparison:
    """A table beside what was measured."""

    table: Table
    cells: tuple[Cell, ...]

    @cached_property
    def compared(self) -> tuple[Cell, ...]:
        """Of each row and column the first that was made for it."""
        first: dict[tuple[str, str, str], Cell] = {}
        for cell in self.cells:
            first.setdefault((cell.row.name, cell.column.name, cell.metric), cell)
        return tuple(first.values())

    @property
    def judged(self) -> tuple[Cell, ...]:
        return tuple(cell for cell in self.compared if cell.reproduced is not None)

    @property
    def missing(self) -> tuple[Cell, ...]:
        """Numbers of the paper without one of ours."""
        return tuple(cell for cell in self.compared if cell.paper is not None and cell.measured is None)

    def cell(self, made: Made, column: Column, metric: str) -> Cell | None:
        """The one at this place; None where there is none."""
        place = (made, column, metric)
        return next((one for one in self.cells if (one.made, one.column, one.metric) == place), None)

    @cached_property
    def rankings(self) -> tuple[Ranking, ...]:
        found = (self._ranking(column, metric) for column in self.table.columns for metric in self.table.shows)
        return tuple(one for one in found if one is not None)

    def _ranking(self, column: Column, metric: str) -> Ranking | None:
        both = [
            (
                cell.row.name,
                cell.paper,
                round(cell.measured.mean, 6),
            )  # equal scores are ties, whatever their last digit
            for cell in self.compared
            if cell.column is column and cell.metric == metric and cell.paper is not None and cell.measured
        ]
        if len(both) < 2:
            return None
        sign = 1.0 if installed_catalog().metric(metric).higher_is_better else -1.0
        names, paper, here = zip(*both, strict=True)
        tau = stats.kendalltau(paper, here).statistic
        best, best_here = (
            tuple(name for name, value in zip(names, of, strict=True) if value == sign * max(sign * one for one in of))
            for of in (paper, here)
        )
        return Ranking(column.name, metric, len(names), None if math.isnan(tau) else float(tau), best, best_here)


def compare(table: Table, found: Evidence) -> Comparison:
    """Every cell of `table` beside what `found` has for it."""
    by = "acc" if "acc" in table.metrics else table.metrics[0]
    highest = {metric: installed_catalog().metric(metric).highest for metric in table.metrics}
    cells = []
    for row in table.rows:
        for made in row.made:
            for column in table.columns:
                if not made.stands_in(column.name):
                    continue
                numbers: Mapping[str, Measured] = (
                    {} if column.missing else measure(found, table.selector(made, column), table.metrics, by)
                )
                for metric in table.metrics:
                    cells.append(_cell(table, (row, made, column), metric, numbers.get(metric), highest[metric] == 1))
    return Comparison(table, tuple(cells))


def _cell(table: Table, place: tuple[Row, Made, Column], metric: str, measured: Measured | None, judged: bool) -> Cell:
    row, made, column = place
    printed = table.printed(row, column, metric)
    factor = 100.0 if table.scale == "share" and judged else 1.0
    paper = None if printed is None else factor * printed.value
    std = None if printed is None or printed.std is None else factor * printed.std
    return Cell(row, made, column, metric, printed, paper, std, measured, judged)
