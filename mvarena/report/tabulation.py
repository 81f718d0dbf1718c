"""From a summary to tables: how rows and columns are laid out, and which numbers are best."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd

from mvarena.analysis.naming import by_name, natural_order
from mvarena.analysis.significance import Level
from mvarena.report.captions import measured, setting
from mvarena.report.context import Context
from mvarena.report.emphasis import BY_REPEATS, level_rows, ranked_rows
from mvarena.report.notes import notes
from mvarena.report.tables import Cell, Column, Row, Table
from mvarena.report.wording import NOT_RUN, STATUS_WORDS, shown_number

_UNTESTED = Level()
_COUNTS = ("n_runs", "n_trials", "n_stored", "n_nan", "unscored", "failed", "skipped")


def tabulate_summary(
    summary: pd.DataFrame, context: Context, level: Level = _UNTESTED, *, rank_label_picked: bool = False
) -> list[Table]:
    """The tables of a summary: per data set and corruption one for each metric, or a single one at a single rate.

    Parameters
    ----------
    summary : what `mvarena.analysis.summary.summarize` returns.
    level : who is not significantly worse than the best, by data set, corruption, rate and metric.
    rank_label_picked : lets numbers that ground truth picked be best or second, too.

    Best and second are decided on the numbers as shown, so that equal prints are equally best. A table of one
    contestant has no best. Contestants stand in the order of their labels.
    """
    labels = context.contestants(summary["contestant"].unique())
    labelled = summary.assign(label=summary["contestant"].map(labels))
    tables = []
    for _, rows in labelled.groupby(["dataset", "corruption"], sort=False):
        ordered = by_name(rows, "label")
        for metric, columns in _layouts(rows, context):
            part = ordered if metric is None else ordered[ordered["metric"] == metric]
            tables.append(_table(part, metric, columns, context, level, rank_label_picked))
    return tables


def tabulate_datasets(summary: pd.DataFrame, context: Context, level: Level = _UNTESTED) -> list[Table]:
    """Methods by data sets: a table for each metric, corruption and rate at which there are two data sets or more."""
    labels = context.contestants(summary["contestant"].unique())
    labelled = by_name(summary.assign(label=summary["contestant"].map(labels)), "label")
    tables = []
    for (corruption, rate, metric), part in labelled.groupby(["corruption", "rate", "metric"], sort=False):
        datasets = sorted(part["dataset"].unique(), key=natural_order)
        if len(datasets) < 2:
            continue
        columns = tuple(Column(context.dataset(name), metric, rate, name, corruption) for name in datasets)
        rows = ranked_rows(_rows(part, columns, context), columns, context.directions)
        rows, tested = level_rows(rows, columns, level, _place, BY_REPEATS)
        whole = "" if corruption == "none" else f", {context.corruption(corruption)} at rate {rate:g}"
        table = Table(
            kind="datasets",
            dataset="",
            corruption=str(corruption),
            metric=str(metric),
            rate=float(rate),
            title=f"{context.metric(str(metric))} by data set{whole}",
            heading="data set",
            columns=columns,
            rows=rows,
            measured=measured(part, context),
            setting=setting(part, context),
            tested=tested,
            notes=tuple(notes(part, context)),
        )
        tables.append(table)
    return tables


def _table(
    part: pd.DataFrame,
    metric: str | None,
    columns: tuple[Column, ...],
    context: Context,
    level: Level,
    rank_label_picked: bool,
) -> Table:
    dataset, corruption = str(part["dataset"].iloc[0]), str(part["corruption"].iloc[0])
    columns = tuple(replace(column, dataset=dataset, corruption=corruption) for column in columns)
    rows = ranked_rows(_rows(part, columns, context), columns, context.directions, rank_label_picked)
    rows, tested = level_rows(rows, columns, level, _place, BY_REPEATS)
    return Table(
        dataset=dataset,
        corruption=corruption,
        metric=metric,
        title=_title(dataset, corruption, metric, columns, context),
        heading="metric" if metric is None else context.rate_axis(corruption),
        columns=columns,
        rows=rows,
        measured=measured(part, context),
        setting=setting(part, context),
        tested=tested,
        notes=tuple(notes(part, context)),
    )


def _place(row: Row, column: Column) -> tuple[object, ...]:
    return (column.dataset, column.corruption, column.rate, column.metric, row.name)


def _layouts(rows: pd.DataFrame, context: Context) -> Iterator[tuple[str | None, tuple[Column, ...]]]:
    rates = sorted(float(rate) for rate in rows["rate"].unique())
    metrics = list(dict.fromkeys(rows["metric"]))
    if len(rates) == 1:
        yield None, tuple(Column(context.metric(metric), metric, rates[0]) for metric in metrics)
        return
    for metric in metrics:
        yield metric, tuple(Column(f"{rate:g}", metric, rate) for rate in rates)


def _title(dataset: str, corruption: str, metric: str | None, columns: tuple[Column, ...], context: Context) -> str:
    data = context.dataset(dataset)
    if metric is not None:
        return f"{context.metric(metric)} on {data} by {context.rate_axis(corruption)}"
    return data if corruption == "none" else f"{data}, {context.corruption(corruption)} at rate {columns[0].rate:g}"


def _rows(part: pd.DataFrame, columns: tuple[Column, ...], context: Context) -> list[Row]:
    found = {(row["contestant"], row["dataset"], row["metric"], row["rate"]): row for row in part.to_dict("records")}
    lines = []
    for name, label in dict(zip(part["contestant"], part["label"], strict=True)).items():
        cells = tuple(
            _cell(found.get((name, column.dataset, column.metric, column.rate)), context) for column in columns
        )
        lines.append(Row(name, label, any(cell.label_picked for cell in cells), cells))
    return lines


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
        label_picked=bool(row["label_picked"]),
        choice=row["choice"],
        counts=counts,
    )
