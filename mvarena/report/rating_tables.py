"""Ratings over data sets as tables, with the sentence that says what may be claimed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from mvarena.analysis.significance import level_by_rank
from mvarena.analysis.standings import Standings
from mvarena.report.context import Context
from mvarena.report.emphasis import BY_DATASETS, level_rows, ranked_rows
from mvarena.report.points.standings import standing_points
from mvarena.report.rank_tables import FINISHED_ONLY, FINISHED_WORDS
from mvarena.report.tables import Cell, Column, Row, Table
from mvarena.report.wording import NOT_RUN, listed

_HEADS = {"rating": "rating", "low": "95 % low", "high": "95 % high", "mean_rank": "mean rank"}
_BESIDE = {"rating": "rating", "mean_rank": "mean rank"}  # of what finished
_BETTER_IF_HIGHER = {"rating": True, "mean_rank": False}


def rating_tables(tables: Mapping[str, Standings], finished: Mapping[str, Standings], context: Context) -> list[Table]:
    """One table per metric that has two contestants or more on two data sets or more.

    finished : of the metrics in which something did not finish, the standings of what did.
    """
    points, beside = standing_points(tables, context), standing_points(finished, context, FINISHED_ONLY)
    return [
        _table(tables[str(metric)], part, beside[beside["metric"] == metric], context)
        for metric, part in points.groupby("metric", sort=False)
    ]


def _table(standings: Standings, part: pd.DataFrame, beside: pd.DataFrame, context: Context) -> Table:
    metric, n_sets = standings.metric, standings.n_datasets
    columns = [Column(head, name, math.nan) for name, head in _HEADS.items()]
    parts = [(part.set_index("contestant"), name) for name in _HEADS]
    if len(beside):
        sets = f"{FINISHED_ONLY} ({beside['n_datasets'].iloc[0]} data sets)"
        columns += [Column(f"{head}, {sets}", name, math.nan) for name, head in _BESIDE.items()]
        parts += [(beside.set_index("contestant"), name) for name in _BESIDE]
    ordered = part.sort_values("rating", ascending=False, kind="stable")
    lines = [
        Row(name, label, False, tuple(_cell(values, name, column) for values, column in parts))
        for name, label in zip(ordered["contestant"], ordered["label"], strict=True)
    ]
    ranked = tuple(map(_without_ends, ranked_rows(lines, tuple(columns), _BETTER_IF_HIGHER)))
    rows, tested = level_rows(
        ranked,
        tuple(columns),
        level_by_rank(standings),
        lambda row, column: (metric if column.head == _HEADS["mean_rank"] else "", row.name),
        BY_DATASETS,
    )
    last = [f"{row.label} ({row.unfinished})" for row in part.itertuples() if row.unfinished]
    notes = [f"Ranked last where unfinished (under how many conditions): {listed(last)}."] if last else []
    said = f" {FINISHED_WORDS}" if len(beside) else ""
    return Table(
        kind="ratings",
        dataset="",
        corruption="",
        metric=metric,
        title=f"{context.metric(metric)}: ratings over {n_sets} data sets",
        heading="",
        columns=tuple(columns),
        rows=rows,
        measured=f"Elo-style ratings of {len(rows)} methods with 95 % intervals over {n_sets} data sets",
        setting="On each data set the better rank wins, each data set counts once; a lead of 400 points is odds of "
        f"ten to one, the mean is 1000.{said} {part['claim'].iloc[0]}",
        tested=tested,
        notes=(*notes, *standings.left_out),
    )


def _cell(values: pd.DataFrame, name: str, column: str) -> Cell:
    if name not in values.index:
        return Cell(text=NOT_RUN, counts={})
    value = float(values.loc[name, column])
    text = f"{value:.2f}" if column == "mean_rank" else f"{value:.0f}"
    return Cell(text=text, mean=value, status="DONE", counts={})


def _without_ends(row: Row) -> Row:
    """The row in which the ends of intervals are neither best nor second."""
    names = list(_HEADS)
    cells = (
        replace(cell, rank=0) if place < len(names) and names[place] in ("low", "high") else cell
        for place, cell in enumerate(row.cells)
    )
    return replace(row, cells=tuple(cells))
