"""A comparison as the lines of a table: the paper's, ours, and the difference, each with a cell per column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mvarena.papers.compare import Cell, Comparison
from mvarena.papers.model import Column, Made, Row

WITHIN, ABOVE, BELOW = "✓", "▲", "▼"
MARKS = f"{WITHIN} reproduced, {ABOVE} above the paper, {BELOW} below it"
NO_NUMBER = "–"


@dataclass(frozen=True, slots=True)
class Line:
    """One line. kind : paper, ours, difference, beside (other trials) or label-free."""

    head: str
    cells: tuple[str, ...]
    kind: str


def lines(found: Comparison) -> Iterator[Line]:
    """All lines, row by row of the paper."""
    table = found.table
    for row in table.rows:
        if row.printed:
            yield Line(f"{row.name}, paper", tuple(_paper(found, row, column) for column in table.columns), "paper")
        labels = dict.fromkeys(made.label for made in row.made)
        for label in labels:
            yield from _of_label(found, row, label)
        if row.printed and row.missing:
            yield Line(f"not here: {row.missing}", ("",) * len(table.columns), "missing")


def _of_label(found: Comparison, row: Row, label: str) -> Iterator[Line]:
    table = found.table
    places = [(_standing(row, label, column), column) for column in table.columns]
    compared = any(cell.made is made and cell.column is column for made, column in places for cell in found.compared)
    head = label if row.printed or label == row.name else f"{row.name}: {label}" if len(row.made) > 1 else row.name
    marked = bool(row.printed) and not compared
    yield Line(head, tuple(_ours(found, *place, marked) for place in places), "ours" if compared else "beside")
    picked = [_cells(found, *place) for place in places]
    if any(cell.measured and cell.measured.label_free is not None for cells in picked for cell in cells):
        yield Line(f"{label}, mean of all (label-free)", tuple(map(_label_free, picked)), "label-free")
    if row.printed and compared and any(differences := tuple(map(_difference, picked))):
        yield Line("difference", differences, "difference")


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
    return " / ".join(numbers) + (f" (labels picked {choice})" if choice else "")


def _number(cell: Cell) -> str:
    one = cell.measured
    if one is None:
        return NO_NUMBER
    digits = 1 if cell.judged else 3
    return f"{one.mean:.{digits}f}" + ("" if one.std is None else f" ± {one.std:.{digits}f}")


def _label_free(cells: list[Cell]) -> str:
    free = [cell.measured.label_free if cell.measured else None for cell in cells]
    if all(one is None for one in free):
        return ""
    return " / ".join(NO_NUMBER if one is None else f"{one:.1f}" for one in free)


def _difference(cells: list[Cell]) -> str:
    """'+1.8 [+1.1, +2.5] ✓' for each metric; '' where nothing can be compared."""
    texts = []
    for cell in cells:
        if cell.difference is None or cell.measured is None:
            texts.append(NO_NUMBER)
            continue
        half = cell.measured.half_width
        interval = "" if half is None else f" [{cell.difference - half:+.1f}, {cell.difference + half:+.1f}]"
        texts.append(f"{cell.difference:+.1f}{interval} {mark(cell)}".rstrip())
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
        good = sum(bool(cell.reproduced) for cell in found.judged)
        hidden = "" if set(found.table.shows) == set(found.table.metrics) else ", those of the .csv file among them,"
        says.append(f"{good} of {len(found.judged)} numbers{hidden} are reproduced.")
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
        column.name: [one for one in found.rankings if one.column == column.name] for column in found.table.columns
    }
    if not found.rankings:
        return
    taus = (["–" if one.tau is None else f"{one.tau:.2f}" for one in own] for own in by_column.values())
    yield Line("Kendall's tau", tuple(map(" / ".join, taus)), "ranking")
    for head, winners in (("winner, paper", "winners"), ("winner, here", "winners_here")):
        names = ([" = ".join(getattr(one, winners)) for one in own] for own in by_column.values())
        yield Line(head, tuple(map(" / ".join, names)), "ranking")


def flat(found: Comparison) -> Iterator[dict[str, object]]:
    """One row per number, all metrics, for a .csv file."""
    for cell in found.cells:
        one = cell.measured
        yield {
            "row": cell.row.name,
            "made": cell.made.label,
            "compared": cell in found.compared,
            "column": cell.column.name,
            "metric": cell.metric,
            "printed": "" if cell.printed is None else cell.printed.text,
            "paper": cell.paper,
            "paper_std": cell.paper_std,
            "mean": None if one is None else round(one.mean, 4),
            "std": None if one is None or one.std is None else round(one.std, 4),
            "difference": None if cell.difference is None else round(cell.difference, 4),
            "half_width_95": None if one is None or one.half_width is None else round(one.half_width, 4),
            "n": None if one is None else one.n,
            "n_of": "" if one is None else one.of,
            "label_picked": "" if one is None else one.choice,
            "label_free": None if one is None or one.label_free is None else round(one.label_free, 4),
            "reproduced": cell.reproduced,
            "trials": found.table.selector(cell.made, cell.column).filters(),
        }
