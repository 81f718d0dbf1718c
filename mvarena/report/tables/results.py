"""Results: methods by data sets at one condition, or, of one data set, by rates or metrics."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from mvarena.analysis.boards import Question, conditions_in
from mvarena.analysis.naming import by_name, natural_order
from mvarena.report.context import Context
from mvarena.report.formatting import NOT_RUN, PICKED_MARK, STATUS_WORDS, shown_number
from mvarena.report.notes import collapse_notes, measured, notes, setting, unfinished_notes
from mvarena.report.tables.model import Cell, Column, Row, Table, number_cell, ranked_rows

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "methods by data sets, a table per metric and condition; of one data set by rates or metrics"
NEEDS = "a trial"
RANK = "rank"
_READ = [
    "metric", "mean", "std", "status", "above", "label_picked", "choice", "n_trials", "n_stored", "n_nan", "unscored",
    "failed", "skipped",
]  # fmt: skip
_COUNTS = ("n_trials", "n_stored", "n_nan", "unscored", "failed", "skipped")


def tables(results: ReportData) -> list[Table]:
    """Of each metric and condition with several data sets a table of methods by data sets, with mean ranks; of what is
    left, for each data set and corruption, methods by rates, or at a single rate by metrics.
    """
    return list(each_table(results))


def each_table(results: ReportData) -> Iterator[Table]:
    """The same one by one, the metric that is shown first before others."""
    rows = labelled(results.methods, results.context)
    at_point = rows.groupby(["corruption", "rate", "metric"])["dataset"].transform("nunique")
    several = rows[at_point > 1]
    for metric in several["metric"].unique():
        for corruption, rate in conditions_in(several[several["metric"] == metric]):
            part = _at(several, metric, corruption, rate)
            yield _by_dataset(part, Question(metric=metric, corruption=corruption, rate=rate), results)
    yield from _by_condition(rows[at_point == 1], results)


def labelled(rows: pd.DataFrame, context: Context) -> pd.DataFrame:
    """Summary rows with the contestants' labels, in the order of these."""
    labels = context.contestants(rows["contestant"].unique())
    return by_name(rows.assign(label=rows["contestant"].map(labels)), "label")


def _at(rows: pd.DataFrame, metric: str, corruption: str, rate: float) -> pd.DataFrame:
    return rows[(rows["metric"] == metric) & (rows["corruption"] == corruption) & (rows["rate"] == rate)]


def _by_dataset(part: pd.DataFrame, question: Question, results: ReportData) -> Table:
    """Methods by data sets at one condition, means alone, the best mean rank first."""
    context, metric, corruption, rate = results.context, question.metric, str(question.corruption), question.rate
    datasets = sorted(map(str, part["dataset"].unique()), key=natural_order)
    columns = tuple(Column(context.dataset(name), metric, float(rate or 0.0), name, corruption) for name in datasets)
    condition = context.condition(corruption, float(rate or 0.0), datasets)
    table = without_deviations(
        _scored(
            part,
            columns,
            results,
            corruption=corruption,
            metric=metric,
            rate=rate,
            title=f"{context.metric(metric)}, {condition}, by data set",
            heading="data set",
        )
    )
    board = results.shown_ranks(question)
    ranks = {} if board is None else board.standings.mean_ranks.to_dict()
    means, sign = part.groupby("contestant")["mean"].mean(), -1.0 if context.directions.get(metric, True) else 1.0
    rows = tuple(
        replace(row, cells=(*row.cells, rank_cell(ranks.get(row.name))))
        for row in sorted(
            table.rows,
            key=lambda row: (
                ranks.get(row.name, math.inf),
                sign * means.get(row.name, math.nan),
                natural_order(row.label),
            ),
        )
    )  # fmt: skip
    over = "" if board is None else f" rank: the mean rank over {board.standings.over}; who did not finish is last."
    left_out = () if board is None else board.standings.left_out
    return replace(
        table,
        columns=(*columns, Column(RANK, RANK, math.nan)),
        rows=rows,
        setting=f"{table.setting}{over}",
        notes=(*table.notes, *left_out),
    )


def _by_condition(rows: pd.DataFrame, results: ReportData) -> Iterator[Table]:
    """Of each data set and corruption a table for each metric, or a single one at a single rate, the best first."""
    context = results.context
    for (dataset, corruption), own in rows.groupby(["dataset", "corruption"], sort=False):
        for metric, columns in _layouts(own, str(corruption), context):
            part = own if metric is None else own[own["metric"] == metric]
            columns = tuple(replace(one, dataset=str(dataset), corruption=str(corruption)) for one in columns)
            table = _scored(
                part,
                columns,
                results,
                dataset=str(dataset),
                corruption=str(corruption),
                metric=metric,
                title=_title(str(dataset), str(corruption), metric, columns, context),
                heading="metric" if metric is None else context.rate_axis(str(corruption)),
            )
            yield _best_first(table, context.directions.get(columns[0].metric, True))


def _layouts(rows: pd.DataFrame, corruption: str, context: Context) -> Iterator[tuple[str | None, tuple[Column, ...]]]:
    rates = sorted(float(rate) for rate in rows["rate"].unique())
    metrics = list(dict.fromkeys(rows["metric"]))
    if len(rates) == 1:
        yield None, tuple(Column(context.metric(metric), metric, rates[0]) for metric in metrics)
        return
    for metric in metrics:
        yield metric, tuple(Column(context.rate(corruption, rate), metric, rate) for rate in rates)


def _title(dataset: str, corruption: str, metric: str | None, columns: tuple[Column, ...], context: Context) -> str:
    data = context.dataset(dataset)
    if metric is not None:
        return f"{context.metric(metric)} on {data} by {context.rate_axis(corruption)}"
    return f"{data}, {context.condition(corruption, columns[0].rate, [dataset])}"


def _best_first(table: Table, higher: bool) -> Table:
    def order(row: Row) -> tuple[object, ...]:
        values = [cell.mean for cell in row.cells if not math.isnan(cell.mean)]
        first = values[0] if table.metric is None and values else sum(values) / len(values) if values else math.nan
        return (math.inf if math.isnan(first) else -first if higher else first, natural_order(row.label))

    return replace(table, rows=tuple(sorted(table.rows, key=order)))


def _scored(part: pd.DataFrame, columns: tuple[Column, ...], results: ReportData, **words: Any) -> Table:
    """The table of summary rows, with the best of each column marked. words : its texts."""
    context = results.context
    lines = table_rows(part, columns, context)
    alone = part["algorithm"].isin(list(context.controls)).all()  # baselines, which nothing else is stored beside
    rows = tuple(lines) if alone else ranked_rows(lines, columns, context.directions)
    found = results.collapsed
    for name in ("dataset", "corruption", "rate"):
        found = found[found[name].isin(part[name])]
    return Table(
        **words,
        columns=columns,
        rows=rows,
        measured=measured(part, context),
        setting=setting(part, context),
        baselines=_baselines(columns, results),
        notes=tuple(notes(part, context)),
        warnings=(*unfinished_notes(part, results.reported.kept), *collapse_notes(found, context)),
    )


def table_rows(part: pd.DataFrame, columns: tuple[Column, ...], context: Context) -> list[Row]:
    """A row per contestant with a cell for each column.

    part : summary rows with the contestants' labels, in whose order the rows stand.
    """
    keys = ["contestant", "dataset", "corruption", "metric", "rate"]
    records = part[_READ].to_dict("records")
    values = dict(zip(zip(*(part[name] for name in keys), strict=True), records, strict=True))
    lines = []
    for name, label in dict(zip(part["contestant"], part["label"], strict=True)).items():
        cells = tuple(
            _cell(values.get((name, column.dataset, column.corruption, column.metric, column.rate)), context)
            for column in columns
        )
        # a metric that picks says so in its own head: the mark at the method is for its other numbers
        own = [cell for cell, column in zip(cells, columns, strict=True) if column.metric not in context.label_pickers]
        lines.append(Row(name, label, any(cell.label_picked for cell in own), cells))
    return lines


_MOST_COLUMNS = 8  # of which a sentence names each number


def _baselines(columns: tuple[Column, ...], results: ReportData) -> str:
    """The scores of the baselines by column, one where all are equal, and of many columns their range:
    'Baselines: one-cluster 10.00; random 12.95, 13.48.'
    """
    rows = results.baselines
    for name in ("dataset", "corruption", "metric"):
        rows = rows[rows[name].isin({getattr(column, name) for column in columns})]
    lines = [
        (row.label_picked, row.head, [cell.text for cell in row.cells], done)
        for row in table_rows(labelled(rows, results.context), columns, results.context)
        if (done := [cell for cell in row.cells if cell.status == "DONE"])
    ]
    parts = [
        f"{head} {', '.join(texts if len(set(texts)) > 1 else texts[:1])}"
        if len(columns) <= _MOST_COLUMNS
        else f"{head} {' to '.join(end(cells, key=_mean).text for end in (min, max))}"
        for _, head, texts, cells in sorted(lines, key=lambda line: line[:2])
    ]
    uses = f" ({PICKED_MARK} uses labels)" if any(picked for picked, *_ in lines) else ""
    return f"Baselines: {'; '.join(parts)}{uses}." if parts else ""


def _mean(cell: Cell) -> float:
    return cell.mean


def _cell(row: dict[str, Any] | None, context: Context) -> Cell:
    if row is None:
        return Cell(text=NOT_RUN, counts=dict.fromkeys(_COUNTS, 0))
    in_percent = context.in_percent(row["metric"])
    counts = {name: int(row[name]) for name in _COUNTS}
    if row["status"] != "DONE":
        word = STATUS_WORDS.get(row["status"], str(row["status"]).lower())
        return Cell(text=word, status=row["status"], counts=counts)
    return Cell(
        text=shown_number(row["mean"], percent=in_percent),
        deviation="" if math.isnan(row["std"]) else shown_number(row["std"], percent=in_percent),
        share=f"{counts['n_trials']}/{counts['n_stored']}" if counts["n_trials"] < counts["n_stored"] else "",
        mean=float(row["mean"]),
        std=float(row["std"]),
        status=row["status"],
        below=not row["above"],
        label_picked=bool(row["label_picked"]),
        choice=row["choice"],
        counts=counts,
    )


def without_deviations(table: Table) -> Table:
    """The table with means alone in its cells."""
    rows = (
        replace(row, cells=tuple(replace(cell, deviation="") if cell.deviation else cell for cell in row.cells))
        for row in table.rows
    )
    return replace(table, rows=tuple(rows))


def rank_cell(rank: float | None) -> Cell:
    """A mean rank; None where there is none."""
    return number_cell("" if rank is None else f"{rank:.1f}", math.nan if rank is None else rank)
