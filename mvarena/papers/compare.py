"""The rule by which a number, a table and a ranking count as reproduced.

A number is reproduced where it is within 3 points of the paper's, or within 5 points and not told apart from it: no
further than two standard errors of the difference. The paper's standard error is the deviation that it prints divided
by the root of its repeats; where the paper does not say how many these are, ours alone counts. A ranking is compared
by Kendall's tau (b) over the methods that both have, and by whether the paper's winner wins here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from scipy import stats

from mvarena.papers.measure import Evidence, Measured, measure, short_keys
from mvarena.papers.model import Column, Made, Printed, Row, Table
from mvarena.registry.catalog import installed_catalog

POINTS = 3.0
MOST_POINTS = 5.0
DEVIATIONS = 2.0


def rule(repeats: int | None) -> str:
    """The rule in words. repeats : those that the paper's deviations are over; None where there are none."""
    of_paper = f"the paper's deviation / sqrt({repeats} repeats) and " if repeats else ""
    return (
        f"A number is reproduced if it is within {POINTS:g} points of the paper's, or within {MOST_POINTS:g} and not "
        f"told apart from it: within two standard errors ({of_paper}that of our mean). A ranking is compared by "
        "Kendall's tau."
    )


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of a paper, in percent, beside what was measured.

    judged : whether the rule applies. paper_error : the standard error of the paper's mean; None where it is not known.
    """

    row: Row
    made: Made
    column: Column
    metric: str
    printed: Printed | None
    paper: float | None
    paper_std: float | None
    paper_error: float | None
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
        """Largest difference that counts as reproduced."""
        own = 0.0 if self.measured is None else self.measured.standard_error
        return min(MOST_POINTS, max(POINTS, DEVIATIONS * math.hypot(own, self.paper_error or 0.0)))

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

    @cached_property
    def counts(self) -> dict[str, int]:
        """The judged numbers: how many there are, are reproduced, and differ by at most 1, at most 3, more than 10."""
        # as for the verdict, what is printed is rounded
        sizes = [abs(cell.difference or 0.0) - 1e-9 for cell in self.judged]
        return {
            "numbers": len(sizes),
            "reproduced": sum(bool(cell.reproduced) for cell in self.judged),
            "within 1": sum(size <= 1 for size in sizes),
            "within 3": sum(size <= 3 for size in sizes),
            "beyond 10": sum(size > 10 for size in sizes),
        }

    def cell(self, made: Made, column: Column, metric: str) -> Cell | None:
        """The one at this place; None where there is none."""
        position = (made, column, metric)
        return next((item for item in self.cells if (item.made, item.column, item.metric) == position), None)

    @cached_property
    def rankings(self) -> tuple[Ranking, ...]:
        ranked = [metric for metric in self.table.shows if metric not in self.table.unjudged]
        values = (self._ranking(column, metric) for column in self.table.columns for metric in ranked)
        return tuple(item for item in values if item is not None)

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
            tuple(
                name for name, value in zip(names, of, strict=True) if value == sign * max(sign * item for item in of)
            )
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


def _cell(
    table: Table, place: tuple[Row, Made, Column], metric: str, measured: Measured | None, in_percent: bool
) -> Cell:
    row, made, column = place
    printed = table.printed(row, column, metric)
    factor = 100.0 if table.scale == "share" and in_percent else 1.0
    paper = None if printed is None else factor * printed.value
    std = None if printed is None or printed.std is None else factor * printed.std
    error = None if std is None or table.repeats is None else std / math.sqrt(table.repeats)
    judged = in_percent and metric not in table.unjudged
    return Cell(row, made, column, metric, printed, paper, std, error, measured, judged)


# A comparison as the lines of a table: the paper's, ours, and the difference, each with a cell per column.

WITHIN, ABOVE, BELOW = "✓", "▲", "▼"
MARKS = f"{WITHIN} reproduced, {ABOVE} above the paper, {BELOW} below it"
NO_NUMBER = "–"


@dataclass(frozen=True, slots=True)
class Line:
    """One line. of_paper : whether it holds the paper's numbers."""

    head: str
    cells: tuple[str, ...]
    of_paper: bool = False


def lines(found: Comparison) -> Iterator[Line]:
    """All lines, row by row of the paper."""
    table = found.table
    for row in table.rows:
        if row.printed:
            yield Line(
                f"{row.name}, paper", tuple(_paper(found, row, column) for column in table.columns), of_paper=True
            )
        labels = dict.fromkeys(made.label for made in row.made)
        for label in labels:
            yield from _of_label(found, row, label)
        if row.printed and row.missing:
            yield Line(f"not here: {row.missing}", ("",) * len(table.columns))


def _of_label(found: Comparison, row: Row, label: str) -> Iterator[Line]:
    table = found.table
    entries = [(_standing(row, label, column), column) for column in table.columns]
    standing = {(id(cell.made), cell.column.name) for cell in found.compared}
    compared = {column.name for made, column in entries if (id(made), column.name) in standing}
    head = label if row.printed or label == row.name else f"{row.name}: {label}" if len(row.made) > 1 else row.name
    ours = (_ours(found, made, column, bool(row.printed) and column.name not in compared) for made, column in entries)
    yield Line(head, tuple(ours))
    picked = [_cells(found, *entry) for entry in entries]
    if any(cell.measured and cell.measured.label_free is not None for cells in picked for cell in cells):
        yield Line(f"{label}, mean of all (label-free)", tuple(map(_label_free, picked)))
    differences = tuple(
        _difference(cells) if column.name in compared else ""
        for cells, (_, column) in zip(picked, entries, strict=True)
    )
    if row.printed and any(differences):
        yield Line("difference", differences)


def _standing(row: Row, label: str, column: Column) -> Made | None:
    return next((made for made in row.made if made.label == label and made.stands_in(column.name)), None)


def _cells(found: Comparison, made: Made | None, column: Column) -> list[Cell]:
    if made is None:
        return []
    cells = (found.cell(made, column, metric) for metric in found.table.shows)
    return [cell for cell in cells if cell is not None]


def _paper(found: Comparison, row: Row, column: Column) -> str:
    table = found.table
    if column.name not in row.printed:
        return ""
    texts = []
    for metric in table.shows:
        printed = table.printed(row, column, metric)
        if printed is None:
            texts.append(NO_NUMBER)
            continue
        share = table.scale == "share" and metric != "entropy"
        factor, digits = (100.0, max(printed.digits - 2, 0)) if share else (1.0, printed.digits)
        text = f"{factor * printed.value:.{digits}f}"
        text += "" if printed.std is None else f" ± {factor * printed.std:.{digits}f}"
        texts.append(f"**{text}**" if printed.bold else text)
    return " / ".join(texts) if any(text != NO_NUMBER for text in texts) else NO_NUMBER


def _ours(found: Comparison, made: Made | None, column: Column, marked: bool) -> str:
    cells = _cells(found, made, column)
    if not cells or all(cell.measured is None for cell in cells):
        return "" if made is None or column.missing else "not run"
    choice = next((cell.measured.choice for cell in cells if cell.measured and cell.measured.choice), "")
    numbers = [f"{_number(cell)} {mark(cell)}".rstrip() if marked else _number(cell) for cell in cells]
    return " / ".join(numbers) + (f" (chosen by labels: {choice})" if choice else "")


def _number(cell: Cell) -> str:
    value = cell.measured
    if value is None:
        return NO_NUMBER
    digits = 3 if cell.metric == "entropy" else 1
    return f"{value.mean:.{digits}f}" + ("" if value.std is None else f" ± {value.std:.{digits}f}")


def _label_free(cells: list[Cell]) -> str:
    free = [cell.measured.label_free if cell.measured else None for cell in cells]
    if all(item is None for item in free):
        return ""
    return " / ".join(NO_NUMBER if item is None else f"{item:.1f}" for item in free)


def _difference(cells: list[Cell]) -> str:
    """'+1.8 [+1.1, +2.5] ✓' for each metric; '' where nothing can be compared."""
    texts = []
    for cell in cells:
        if cell.difference is None or cell.measured is None:
            texts.append(NO_NUMBER)
            continue
        half = cell.measured.half_width
        interval = "" if half is None else f" [{cell.difference - half:+z.1f}, {cell.difference + half:+z.1f}]"
        texts.append(f"{cell.difference:+z.1f}{interval} {mark(cell)}".rstrip())
    return "" if all(text == NO_NUMBER for text in texts) else " / ".join(texts)


def mark(cell: Cell) -> str:
    """One sign for the verdict on a number."""
    if cell.reproduced is None or cell.difference is None:
        return ""
    return WITHIN if cell.reproduced else ABOVE if cell.difference > 0 else BELOW


def verdict(found: Comparison) -> list[str]:
    """The verdict on a table in sentences: how many numbers, whose winner wins, what cannot be had."""
    says = []
    if found.judged:
        counts = found.counts
        hidden = "" if set(found.table.shows) == set(found.table.metrics) else ", those of the .csv file among them,"
        says.append(f"{counts['reproduced']} of {counts['numbers']} numbers{hidden} are reproduced.")
        says.append(
            f"Within 1 point of the paper's are {counts['within 1']}, within 3 are {counts['within 3']}, beyond 10 are "
            f"{counts['beyond 10']}."
        )
    if found.rankings:
        wins = sum(ranking.wins for ranking in found.rankings)
        says.append(f"The paper's winner wins here, too, in {wins} of {len(found.rankings)} rankings.")
    reasons = {cell.column.name: cell.column.missing for cell in found.missing if cell.column.missing}
    says += [f"{name} cannot be had: {reason}." for name, reason in reasons.items()]
    rows = dict.fromkeys(f"{cell.row.name} on {cell.column.name}" for cell in found.missing if not cell.column.missing)
    if rows:
        says.append(f"Not run: {', '.join(rows)}.")
    return says + [f"{row.name} cannot be had: {row.missing}." for row in found.table.rows if row.missing]


def ranking_lines(found: Comparison) -> Iterator[Line]:
    """Kendall's tau and the winners, a cell per column; nothing where nothing is ranked."""
    by_column = {
        column.name: [ranking for ranking in found.rankings if ranking.column == column.name]
        for column in found.table.columns
    }
    if not found.rankings:
        return
    taus = (["–" if item.tau is None else f"{item.tau:.2f}" for item in own] for own in by_column.values())
    yield Line("Kendall's tau", tuple(map(" / ".join, taus)))
    for head, winners in (("winner, paper", "winners"), ("winner, here", "winners_here")):
        names = ([" = ".join(getattr(item, winners)) for item in own] for own in by_column.values())
        yield Line(head, tuple(map(" / ".join, names)))


def flat(found: Comparison) -> Iterator[dict[str, object]]:
    """One row per number, all metrics, for a .csv file."""
    for cell in found.cells:
        value = cell.measured
        yield {
            "row": cell.row.name,
            "made": cell.made.label,
            "compared": cell in found.compared,
            "column": cell.column.name,
            "metric": cell.metric,
            "printed": "" if cell.printed is None else cell.printed.text,
            "paper": cell.paper,
            "paper_std": cell.paper_std,
            "mean": None if value is None else round(value.mean, 4),
            "std": None if value is None or value.std is None else round(value.std, 4),
            "difference": None if cell.difference is None else round(cell.difference, 4),
            "half_width_95": None if value is None or value.half_width is None else round(value.half_width, 4),
            "n": None if value is None else value.n,
            "n_of": "" if value is None else value.of,
            "label_picked": "" if value is None else value.choice,
            "label_free": None if value is None or value.label_free is None else round(value.label_free, 4),
            "reproduced": cell.reproduced,
            "trials": found.table.selector(cell.made, cell.column).filters(),
            "keys": "" if value is None else short_keys(value.keys),
        }
