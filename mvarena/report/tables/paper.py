"""The combined table of a paper: methods by data sets and rates, all metrics side by side, mean ranks last."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from mvarena.analysis.naming import natural_order
from mvarena.analysis.standings import Standings
from mvarena.report.context import Context
from mvarena.report.notes import measured, notes, setting, unfinished_notes
from mvarena.report.tables.model import Column, Row, Table, ranked_rows
from mvarena.report.tables.results import labelled, rank_cell, table_rows, without_deviations
from mvarena.text import listed

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "methods by data sets and rates, all metrics side by side, mean ranks last, for a paper"
NEEDS = "a trial"
_RANK = "rank of "


def tables(results: ReportData) -> list[Table]:
    """One table of everything: a group of columns per data set, corruption and rate, a column per metric in each.

    Mean ranks over all that is stored are the last columns, and rows stand by that of the first metric. Means alone,
    without deviations and without baselines.
    """
    context = results.context
    rows = labelled(results.methods, context)
    metrics = list(dict.fromkeys(rows["metric"]))
    columns = _columns(rows, metrics, context)
    lines = table_rows(rows, columns, context)
    ranks = {metric: board.standings for metric in metrics if (board := results.board(metric)) is not None}
    columns += tuple(Column(context.metric(name), _RANK + name, math.nan, group="mean rank") for name in ranks)
    lines = [_with_ranks(line, list(ranks.values())) for line in lines]
    over = ""
    if ranks:
        first = next(iter(ranks.values()))
        lines.sort(key=lambda line: first.mean_ranks.get(line.name, math.inf))
        over = f" Mean rank: over {first.over} and all conditions; data sets of one source count as one."
    directions = {**context.directions, **dict.fromkeys((_RANK + name for name in ranks), False)}
    table = Table(
        kind="paper",
        title=f"{listed(map(context.metric, metrics))} by data set{_rates(rows, context)}",
        columns=columns,
        rows=ranked_rows(lines, columns, directions),
        measured=measured(rows, context),
        setting=f"{setting(rows, context, spread=False)}{over}",
        notes=(*notes(rows, context), *dict.fromkeys(one for each in ranks.values() for one in each.left_out)),
        warnings=tuple(unfinished_notes(rows, results.reported.kept)),
    )
    return [without_deviations(table)]


def _columns(rows: pd.DataFrame, metrics: list[str], context: Context) -> tuple[Column, ...]:
    known = set(zip(rows["dataset"], rows["metric"], strict=True))
    points = rows[["dataset", "corruption", "rate"]].drop_duplicates().itertuples(index=False, name=None)
    several = rows.loc[rows["corruption"] != "none", "corruption"].nunique() > 1
    return tuple(
        Column(context.metric(metric), metric, float(rate), dataset, corruption, _head(point, context, several))
        for point in sorted(points, key=_order)
        for dataset, corruption, rate in [point]
        for metric in metrics
        if (dataset, metric) in known
    )


def _order(point: tuple[str, str, float]) -> tuple[object, ...]:
    """Data sets in natural order, each first as it is."""
    dataset, corruption, rate = point
    return (natural_order(dataset), corruption != "none", corruption, rate)


def _head(point: tuple[str, str, float], context: Context, several: bool) -> str:
    """'digits', 'digits 0.3', or 'digits missing-even 0.3' where there are several corruptions."""
    dataset, corruption, rate = point
    if corruption == "none":
        return context.dataset(dataset)
    name = context.corruption(corruption) if several else ""
    return " ".join(filter(None, (context.dataset(dataset), name, context.rate(corruption, rate))))


def _rates(rows: pd.DataFrame, context: Context) -> str:
    """Meaning of the numbers in the heads of columns; '' where there are none."""
    corruptions = [name for name in dict.fromkeys(rows["corruption"]) if name != "none"]
    if len(corruptions) == 1:
        return f" and {context.rate_axis(str(corruptions[0]))}"
    return " and rate" if corruptions else ""


def _with_ranks(row: Row, ranks: list[Standings]) -> Row:
    cells = tuple(rank_cell(table.mean_ranks.to_dict().get(row.name)) for table in ranks)
    return Row(row.name, row.label, row.label_picked, (*row.cells, *cells))
