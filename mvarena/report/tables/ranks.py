"""Places of the methods: mean ranks, ratings with intervals, distances to the first, and how much each finished."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mvarena.analysis.boards import Board
from mvarena.report.tables.model import Cell, Column, Row, Table, number_cell

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "places of the methods over all conditions and under each, with ratings, and what can be claimed"
NEEDS = "two methods or more with the same metric on the same two data sets or more, under the same conditions"
OF_RANKS = (
    "Mean rank over data sources, 1 is best: methods are ranked under each condition, by the mean over the repeats "
    "that all have; who did not finish is last"
)
_HEADS = {
    "place": "place", "mean_rank": "mean rank", "rating": "rating", "interval": "95 %", "gap": "behind the first",
    "finished": "finished",
}  # fmt: skip


def tables(results: ReportData) -> list[Table]:
    """One table per question that has an answer: each metric over all conditions, under each, on each kind and size of
    data (`mvarena.analysis.boards.questions`)."""
    single = [question for question in results.questions if not question.kind or question.rate is None]
    boards = [board for question in single if (board := results.answer(question)) is not None]
    return [table for board in boards if (table := ranks_table(board, results)).rows]


def ranks_table(board: Board, results: ReportData) -> Table:
    """The methods of a board that are shown; all numbers are over everything that is stored."""
    context, question, shown = results.context, board.question, set(results.methods["contestant"])
    rows = board.table[board.table["contestant"].isin(shown)]
    labels = context.contestants(board.table["contestant"])
    unit = 100.0 if context.in_percent(question.metric) else 1.0
    first = board.standings.contestants[0]
    columns = tuple(Column(head, f"{name} of {question.metric}", math.nan) for name, head in _HEADS.items())
    words = context.question(question)
    hidden = len(board.table) - len(rows)
    parts = (
        f"Distances to {labels[first]} are means over data sources of what both finished"
        f"{', in percentage points' if unit > 1 else ''}; below 0: ahead there.",
        "A lead of 400 rating points means odds of ten to one; the mean is 1000.",
        f"Places are among all {len(board.table)} stored methods." if hidden else "",
        results.claim(board),
    )
    return Table(
        kind="ranks",
        metric=question.metric,
        corruption=" ".join(filter(None, (question.corruption or "", question.kind, question.size))),
        rate=question.rate,
        title=f"{words}: places over {board.standings.over}",
        columns=columns,
        rows=tuple(_row(row, labels, unit, first) for row in rows.to_dict("records")),
        measured=OF_RANKS,
        setting=" ".join(filter(None, parts)),
        notes=board.standings.left_out,
    )


def _row(row: dict[str, object], labels: dict[str, str], unit: float, first: str) -> Row:
    name, gap = str(row["contestant"]), float(str(row["gap"])) * unit
    low, high = float(str(row["low"])), float(str(row["high"]))
    interval = "" if math.isnan(low) else f"{low:.0f} to {high:.0f}"
    finished = f"{row['finished']} of {row['conditions']}"
    behind = "–" if math.isnan(gap) else "0" if name == first else f"{gap:.2f}" if unit > 1 else f"{gap:.4g}"
    place, mean_rank, rating = (float(str(row[column])) for column in ("place", "mean_rank", "rating"))
    cells = (
        number_cell(f"{place:.0f}", place),
        number_cell(f"{mean_rank:.2f}", mean_rank),
        number_cell(f"{rating:.0f}", rating),
        Cell(text=interval),
        number_cell(behind, gap / unit),
        Cell(text=finished, mean=float(str(row["finished"])), status="DONE"),
    )
    return Row(name, labels[name], False, cells)
