"""Methods against methods over data sources: gains, wins, tests; one against each other, or all pairs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mvarena.analysis.boards import Board
from mvarena.analysis.significance import compared_pairs, compared_with
from mvarena.report.tables.model import Cell, Column, Row, Table, number_cell

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = (
    "a method chosen beforehand (--against) or the first against each other, or all pairs of few: gains, wins, tests"
)
NEEDS = "two methods or more with the same metric on the same two data sets or more, under the same conditions"
_MOST_PAIRED = 6  # methods of which all pairs are shown; of more, the first against each


def tables(results: ReportData) -> list[Table]:
    """One table per metric over all conditions."""
    boards = [results.board(metric) for metric in results.metrics]
    return [_table(board, results) for board in boards if board is not None]


def _table(board: Board, results: ReportData) -> Table:
    standings, context, metric = board.standings, results.context, board.question.metric
    labels, shown = context.contestants(standings.contestants), set(results.methods["contestant"])
    chosen = context.against if context.against in standings.contestants else None
    pairs = compared_with(standings, chosen) if chosen else compared_pairs(standings)
    first = chosen or standings.contestants[0]
    every = not chosen and len(shown & set(standings.contestants)) <= _MOST_PAIRED
    if not every:
        pairs = pairs[pairs["first"] == first]
    pairs = pairs[pairs["second"].isin(shown) & (pairs["first"].isin(shown) | (pairs["first"] == first))]
    unit = 100.0 if context.in_percent(metric) else 1.0
    heads = {"gain": "gain", "wins": "wins", "ties": "ties", "losses": "losses", "p": "p", "p_holm": "p, Holm"}
    columns = tuple(Column(head, name, math.nan) for name, head in heads.items())
    rows = []
    for pair in pairs.to_dict("records"):
        cells = tuple(_number(name, float(pair[name]), unit) for name in heads)
        label = labels[pair["second"]] if not every else f"{labels[pair['first']]} – {labels[pair['second']]}"
        rows.append(Row(f"{pair['first']} - {pair['second']}", label, False, cells))
    against = "all pairs" if every else f"{labels[first]}{'' if chosen else ', the first,'} against each other"
    tests = "these tests" if chosen else "all pairs"
    return Table(
        kind="pairs",
        head="pair" if every else "against",
        metric=metric,
        title=f"{context.question(board.question)}: {against}, over {standings.over}",
        columns=columns,
        rows=tuple(rows),
        measured=f"Gains{' in percentage points' if unit > 1 else ''} of the first on what both finished, and tests "
        "over data sources",
        setting=f"p of Wilcoxon's signed-rank test, alone and after Holm's correction over {tests}. "
        f"{results.claim(board)}",
        notes=standings.left_out,
    )


def _number(name: str, value: float, unit: float) -> Cell:
    if name == "gain":
        return number_cell(f"{value * unit:+.2f}" if unit > 1 else f"{value:+.4g}", value)
    least = "< 0.001" if value > 0 else "0"
    text = f"{value:.0f}" if name in ("wins", "ties", "losses") else f"{value:.3f}" if value >= 0.001 else least
    return number_cell(text, value)
