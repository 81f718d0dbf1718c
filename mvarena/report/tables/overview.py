"""The one table of a report: methods by data sets at the condition with the most results, with mean ranks."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd

from mvarena.analysis.naming import by_name, natural_order
from mvarena.analysis.standings import Standings
from mvarena.report.context import Context
from mvarena.report.tables.model import NO_NUMBER, Cell, Column, Row, Table, number_cell
from mvarena.report.tables.scores import dataset_table, tabulate_summary
from mvarena.text import listed

RANK = "rank"


def overview_table(summary: pd.DataFrame, metric: str, ranks: Standings | None, context: Context) -> Table:
    """Methods by data sets at one corruption and rate, by one metric, the best mean rank first.

    summary : what `mvarena.analysis.summary.summarize` returns. ranks : the standings at that condition, where there
    are any. On a single data set: methods by rates, or at a single rate by all metrics, the best first.
    """
    at_point = rows_at_main_condition(summary, metric)
    if at_point["dataset"].nunique() > 1:
        labels = context.contestants(at_point["contestant"].unique())
        labelled = by_name(at_point.assign(label=at_point["contestant"].map(labels)), "label")
        table = dataset_table(labelled, f"{context.metric(metric)} by data set{_where(at_point, context)}", context)
        return _ranked(without_deviations(table), at_point, ranks, context)
    dataset, corruption = str(at_point["dataset"].iloc[0]), str(at_point["corruption"].iloc[0])
    alone = summary[(summary["dataset"] == dataset) & (summary["corruption"] == corruption)]
    tables = tabulate_summary(alone, context)
    table = next((item for item in tables if item.metric in (metric, None)), tables[0])
    return _best_first(table, context.directions.get(metric, True))


def _where(rows: pd.DataFrame, context: Context) -> str:
    """', missing-even at rate 0.3 (3sources: as it is)' of rows at one condition for each data set."""
    corruption, rate = main_condition(rows)
    others: dict[str, list[str]] = {}
    for row in rows.drop_duplicates("dataset").itertuples():
        if (row.corruption, row.rate) != (corruption, rate):
            condition = context.condition(str(row.corruption), float(row.rate)) or "as it is"
            others.setdefault(condition, []).append(str(row.dataset))
    besides = "; ".join(f"{listed(sorted(names, key=natural_order))}: {words}" for words, names in others.items())
    main = "" if corruption == "none" and not besides else f", {context.condition(corruption, rate) or 'as it is'}"
    return f"{main}{f' ({besides})' if besides else ''}"


def rows_at_main_condition(summary: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The rows of one metric at the corruption and rate with the most results.

    A data set that has no results there, such as naturally incomplete data, gives its own condition of most results.
    """
    rows = summary[summary["metric"] == metric]
    common = main_condition(rows)
    chosen = {}
    for dataset, part in rows.groupby("dataset", sort=False):
        at_common = (part["corruption"] == common[0]) & (part["rate"] == common[1])
        chosen[dataset] = common if at_common.any() else main_condition(part)
    wanted = rows["dataset"].map(chosen)
    return rows[(rows["corruption"] == wanted.str[0]) & (rows["rate"] == wanted.str[1])]


def main_condition(rows: pd.DataFrame) -> tuple[str, float]:
    """Corruption and rate with the most methods on the most data sets; of equally many the lowest rate."""
    counts = rows[rows["mean"].notna()].groupby(["corruption", "rate"]).size()
    if counts.empty:
        counts = rows.groupby(["corruption", "rate"]).size()
    corruption, rate = min(counts.index, key=lambda point: (-counts[point], point[1], point[0]))
    return str(corruption), float(rate)


def without_deviations(table: Table) -> Table:
    """The table with means alone in its cells."""
    rows = (replace(row, cells=tuple(replace(cell, deviation="") for cell in row.cells)) for row in table.rows)
    return replace(table, rows=tuple(rows))


def _ranked(table: Table, rows: pd.DataFrame, ranks: Standings | None, context: Context) -> Table:
    """The table with a column of mean ranks, and its rows in their order; who has no rank comes last."""
    known = {} if ranks is None else ranks.mean_ranks.to_dict()
    means = rows.groupby("contestant")["mean"].mean()
    sign = -1.0 if context.directions.get(str(table.metric), True) else 1.0
    ordered = sorted(
        table.rows,
        key=lambda row: (row.control, known.get(row.name, math.inf), sign * means.get(row.name, math.nan), row.label),
    )
    column = Column(RANK, RANK, table.rate if table.rate is not None else math.nan)
    lines = tuple(replace(row, cells=(*row.cells, rank_cell(known.get(row.name)))) for row in ordered)
    over = "" if ranks is None else f" rank: the mean rank over {ranks.over}."
    notes = table.notes if ranks is None else (*table.notes, *ranks.left_out)
    return replace(
        table,
        kind="overview",
        columns=(*table.columns, column),
        rows=lines,
        setting=f"{table.setting}{over}",
        notes=notes,
    )


def rank_cell(rank: float | None) -> Cell:
    """A mean rank; None where there is none."""
    return NO_NUMBER if rank is None else number_cell(f"{rank:.1f}", rank)


def _best_first(table: Table, higher: bool) -> Table:
    def order(row: Row) -> tuple[bool, float, str]:
        values = [cell.mean for cell in row.cells if not math.isnan(cell.mean)]
        first = values[0] if table.metric is None and values else sum(values) / len(values) if values else math.nan
        return (row.control, math.inf if math.isnan(first) else -first if higher else first, row.label)

    return replace(table, kind="overview", rows=tuple(sorted(table.rows, key=order)))
