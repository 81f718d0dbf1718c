"""The combined table of a paper: methods by data sets and rates, all metrics side by side, mean ranks last."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas as pd

from mvarena.analysis.naming import by_name, natural_order
from mvarena.analysis.significance import Worse
from mvarena.analysis.standings import Standings
from mvarena.report.context import Context
from mvarena.report.notes import measured, notes, setting, unfinished_notes
from mvarena.report.tables.model import BY_REPEATS, Column, Row, Table, marked_rows, ranked_rows
from mvarena.report.tables.overview import rank_cell, without_deviations
from mvarena.report.tables.scores import table_rows
from mvarena.text import listed

_RANK = "rank of "


def paper_tables(summary: pd.DataFrame, ranks: Mapping[str, Standings], context: Context, worse: Worse) -> list[Table]:
    """One table of everything: a group of columns per data set, corruption and rate, a column per metric in each.

    summary : what `mvarena.analysis.summary.summarize` returns. ranks : metric -> the standings, where there are any;
    their mean ranks are the last columns, and rows stand by that of the first metric. Means alone, without deviations.
    """
    labels = context.contestants(summary["contestant"].unique())
    rows = by_name(summary.assign(label=summary["contestant"].map(labels)), "label")
    metrics = list(dict.fromkeys(summary["metric"]))
    known = set(zip(summary["dataset"], summary["metric"], strict=True))
    points = rows[["dataset", "corruption", "rate"]].drop_duplicates().itertuples(index=False, name=None)
    ordered = sorted(points, key=_order)
    several = rows.loc[rows["corruption"] != "none", "corruption"].nunique() > 1
    columns = tuple(
        Column(context.metric(metric), metric, float(rate), dataset, corruption, _head(point, context, several))
        for point in ordered
        for dataset, corruption, rate in [point]
        for metric in metrics
        if (dataset, metric) in known
    )
    lines = table_rows(rows, columns, context)
    ranked = [metric for metric in metrics if metric in ranks]
    columns += tuple(Column(context.metric(name), _RANK + name, math.nan, group="mean rank") for name in ranked)
    lines = [_with_ranks(line, [ranks[metric] for metric in ranked]) for line in lines]
    if ranked:
        first = ranks[ranked[0]].mean_ranks
        lines.sort(key=lambda line: (line.control, first.get(line.name, math.inf)))
    directions = {**context.directions, **dict.fromkeys((_RANK + name for name in ranked), False)}
    marked, tested = marked_rows(
        ranked_rows(lines, columns, directions),
        columns,
        worse,
        lambda row, column: (column.dataset, column.corruption, column.rate, column.metric, row.name),
        BY_REPEATS,
    )
    over = ranks[ranked[0]].over if ranked else ""
    left_out = dict.fromkeys(sentence for metric in ranked for sentence in ranks[metric].left_out)
    table = Table(
        kind="paper",
        title=f"{listed(map(context.metric, metrics))} by data set{_rates(rows, context)}",
        columns=columns,
        rows=marked,
        measured=measured(rows, context),
        setting=f"{setting(rows, context, spread=False)}{f' Mean rank: over {over}.' if over else ''}",
        tested=tested,
        notes=(*notes(rows, context), *left_out),
        warnings=tuple(unfinished_notes(rows)),
    )
    return [without_deviations(table)]


def _order(point: tuple[str, str, float]) -> tuple[object, ...]:
    """Data sets in natural order, each first as it is."""
    dataset, corruption, rate = point
    return (natural_order(dataset), corruption != "none", corruption, rate)


def _head(point: tuple[str, str, float], context: Context, several: bool) -> str:
    """'digits', 'digits 0.3', or 'digits missing-even 0.3' where there are several corruptions."""
    dataset, corruption, rate = point
    words = ("", "") if corruption == "none" else (context.corruption(corruption) if several else "", f"{rate:g}")
    return " ".join(filter(None, (context.dataset(dataset), *words)))


def _rates(rows: pd.DataFrame, context: Context) -> str:
    """Meaning of the numbers in the heads of columns; '' where there are none."""
    corruptions = [name for name in dict.fromkeys(rows["corruption"]) if name != "none"]
    if len(corruptions) == 1:
        return f" and {context.rate_axis(str(corruptions[0]))}"
    return " and rate" if corruptions else ""


def _with_ranks(row: Row, ranks: list[Standings]) -> Row:
    cells = tuple(rank_cell(table.mean_ranks.to_dict().get(row.name)) for table in ranks)
    return Row(row.name, row.label, row.label_picked, (*row.cells, *cells), row.control)
