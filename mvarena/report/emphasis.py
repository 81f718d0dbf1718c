"""The marks of a table's cells: the best, the second, and who is not significantly worse than the best."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from mvarena.analysis.significance import Level
from mvarena.report.tables import Cell, Column, Row
from mvarena.report.wording import LEVEL_MARK

_NOT_WORSE = f"{LEVEL_MARK} not significantly worse than the best of its column"
BY_REPEATS = f"{_NOT_WORSE} (two-sided paired t-test over the repeats that both finished, Holm's correction, 5 %)."
BY_DATASETS = f"{_NOT_WORSE} (Wilcoxon's signed-rank test over the data sets, Holm's correction over all pairs, 5 %)."


def ranked_rows(
    rows: list[Row], columns: tuple[Column, ...], directions: Mapping[str, bool], rank_label_picked: bool = False
) -> tuple[Row, ...]:
    """`rows` with the best and the second of each column marked, on the numbers as shown."""
    if len(rows) < 2:
        return tuple(rows)
    ranks = []
    for index, column in enumerate(columns):
        shown = [_competing(row.cells[index], rank_label_picked) for row in rows]
        values = sorted({value for value in shown if value is not None}, reverse=directions.get(column.metric, True))
        places = {value: place for place, value in enumerate(values[:2], start=1)}
        ranks.append([0 if value is None else places.get(value, 0) for value in shown])
    return tuple(
        replace(row, cells=tuple(replace(cell, rank=ranks[j][i]) for j, cell in enumerate(row.cells)))
        for i, row in enumerate(rows)
    )


def level_rows(
    rows: tuple[Row, ...],
    columns: tuple[Column, ...],
    level: Level,
    place: Callable[[Row, Column], tuple[object, ...]],
    sentence: str,
) -> tuple[tuple[Row, ...], str]:
    """`rows` with those cells marked that the test does not set apart from the best; the sentence if any was tested.

    place : what a cell is called in `level`.
    """

    def marked(row: Row) -> Row:
        pairs = zip(row.cells, columns, strict=True)
        cells = (replace(cell, level=cell.rank != 1 and place(row, column) in level.alike) for cell, column in pairs)
        return replace(row, cells=tuple(cells))

    if not any(place(row, column) in level.tested for row in rows for column in columns):
        return rows, ""
    return tuple(marked(row) for row in rows), sentence


def _competing(cell: Cell, rank_label_picked: bool) -> float | None:
    """The number as shown if it may be best or second; None if not."""
    may = cell.status == "DONE" and (rank_label_picked or not cell.label_picked)
    return float(cell.text) if may else None
