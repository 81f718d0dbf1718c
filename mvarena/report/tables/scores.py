"""From a summary to tables: how rows and columns are laid out, and which numbers are best."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd

from mvarena.analysis.naming import by_name, natural_order
from mvarena.analysis.significance import Worse
from mvarena.report.context import Context
from mvarena.report.formatting import NOT_RUN, PICKED_MARK, STATUS_WORDS, shown_number
from mvarena.report.notes import measured, notes, setting, unfinished_notes
from mvarena.report.tables.model import BY_REPEATS, NO_NUMBER, Cell, Column, Row, Table, marked_rows, ranked_rows
from mvarena.text import listed, without_folders

_COUNTS = ("n_runs", "n_trials", "n_stored", "n_nan", "unscored", "failed", "skipped")


def tabulate_summary(
    summary: pd.DataFrame, context: Context, worse: Worse | None = None, *, rank_label_picked: bool = False
) -> list[Table]:
    """The tables of a summary: per data set and corruption one for each metric, or a single one at a single rate.

    Parameters
    ----------
    summary : what `mvarena.analysis.summary.summarize` returns.
    worse : who is worse than the best, by data set, corruption, rate and metric; None: nobody is marked.
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
            tables.append(_table(part, metric, columns, context, worse, rank_label_picked))
    return tables


def tabulate_datasets(summary: pd.DataFrame, context: Context, worse: Worse | None = None) -> list[Table]:
    """Methods by data sets: a table for each metric, corruption and rate at which there are two data sets or more."""
    labels = context.contestants(summary["contestant"].unique())
    labelled = by_name(summary.assign(label=summary["contestant"].map(labels)), "label")
    tables = []
    for (corruption, rate, metric), part in labelled.groupby(["corruption", "rate", "metric"], sort=False):
        if part["dataset"].nunique() < 2:
            continue
        words = (f"{context.metric(str(metric))} by data set", context.condition(str(corruption), float(rate)))
        table = dataset_table(part, ", ".join(filter(None, words)), context, worse)
        tables.append(replace(table, corruption=str(corruption), rate=float(rate)))
    return tables


def dataset_table(part: pd.DataFrame, title: str, context: Context, worse: Worse | None = None) -> Table:
    """Methods by data sets, each data set under one condition.

    part : summary rows of one metric with the contestants' labels, of each data set at one corruption and rate.
    """
    metric = str(part["metric"].iloc[0])
    points = part.drop_duplicates("dataset").set_index("dataset")
    columns = tuple(
        Column(
            context.dataset(name), metric, float(points.loc[name, "rate"]), name, str(points.loc[name, "corruption"])
        )
        for name in sorted(points.index, key=natural_order)
    )
    return _scored(part, columns, context, worse, kind="datasets", metric=metric, title=title, heading="data set")


def _table(
    part: pd.DataFrame,
    metric: str | None,
    columns: tuple[Column, ...],
    context: Context,
    worse: Worse | None,
    rank_label_picked: bool,
) -> Table:
    dataset, corruption = str(part["dataset"].iloc[0]), str(part["corruption"].iloc[0])
    columns = tuple(replace(column, dataset=dataset, corruption=corruption) for column in columns)
    title = _title(dataset, corruption, metric, columns, context)
    heading = "metric" if metric is None else context.rate_axis(corruption)
    words = {"dataset": dataset, "corruption": corruption, "metric": metric, "title": title, "heading": heading}
    return _scored(part, columns, context, worse, rank_label_picked, **words)


def _scored(
    part: pd.DataFrame,
    columns: tuple[Column, ...],
    context: Context,
    worse: Worse | None,
    rank_label_picked: bool = False,
    **words: Any,
) -> Table:
    """The table of summary rows, with the best of each column and those that are worse marked. words : its texts."""
    rows = ranked_rows(table_rows(part, columns, context), columns, context.directions, rank_label_picked)
    rows, tested = marked_rows(rows, columns, worse, _place, BY_REPEATS)
    return Table(
        **words,
        columns=columns,
        rows=rows,
        measured=measured(part, context),
        setting=setting(part, context),
        tested=tested,
        notes=tuple(notes(part, context)),
        warnings=tuple(unfinished_notes(part)),
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
    return ", ".join(filter(None, (data, context.condition(corruption, columns[0].rate))))


def table_rows(part: pd.DataFrame, columns: tuple[Column, ...], context: Context) -> list[Row]:
    """A row per contestant with a cell for each column, controls last.

    part : summary rows with the contestants' labels, in whose order the rows stand.
    """
    keys = ["contestant", "dataset", "corruption", "metric", "rate"]
    values = dict(zip(zip(*(part[name] for name in keys), strict=True), part.to_dict("records"), strict=True))
    algorithms = dict(zip(part["contestant"], part["algorithm"], strict=True))
    lines = []
    for name, label in dict(zip(part["contestant"], part["label"], strict=True)).items():
        cells = tuple(
            _cell(values.get((name, column.dataset, column.corruption, column.metric, column.rate)), context)
            for column in columns
        )
        control = algorithms[name] in context.controls
        if control:
            cells = tuple(replace(cell, below=False) for cell in cells)
        # a metric that picks says so in its own head: the mark at the method is for its other numbers
        own = [cell for cell, column in zip(cells, columns, strict=True) if column.metric not in context.label_pickers]
        lines.append(Row(name, label, any(cell.label_picked for cell in own), cells, control))
    return sorted(lines, key=lambda row: row.control)


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
        below=not row.get("above", True),
        label_picked=bool(row["label_picked"]),
        choice=row["choice"],
        counts=counts,
    )


# Scores aggregated over the rates, as in Table 1 of EE-IMVC, as tables.


def aggregated_tables(
    scores: pd.DataFrame, summary: pd.DataFrame, context: Context, worse: Worse | None = None
) -> list[Table]:
    """Methods by data sets, the mean over the rates: a table for each corruption of several rates, and metric.

    scores : what `mvarena.analysis.summary.over_rates` returns; summary : of the same trials, for the words below.
    worse : who is worse than the best, by data set, corruption and metric; None: nobody is marked.
    """
    several = scores[scores.groupby("corruption")["of_rates"].transform("max") > 1] if len(scores) else scores
    labels = context.contestants(scores["contestant"].unique())
    tables = []
    for (corruption, metric), part in several.groupby(["corruption", "metric"], sort=False):
        datasets = sorted(part["dataset"].unique(), key=natural_order)
        of_corruption = summary[(summary["corruption"] == corruption) & summary["dataset"].isin(datasets)]
        of_corruption = of_corruption.assign(label=of_corruption["contestant"].map(labels))
        columns = tuple(
            Column(context.dataset(name), str(metric), math.nan, name, str(corruption)) for name in datasets
        )
        values = {(row["contestant"], row["dataset"]): row for row in part.to_dict("records")}
        names = sorted(part["contestant"].unique(), key=lambda name: natural_order(labels[name]))
        algorithms = dict(zip(part["contestant"], part["algorithm"], strict=True))
        lines = []
        for name in names:
            cells = tuple(_aggregated(values.get((name, dataset)), context) for dataset in datasets)
            picked = any(cell.label_picked for cell in cells)
            lines.append(Row(name, labels[name], picked, cells, algorithms[name] in context.controls))
        lines.sort(key=lambda line: line.control)
        rows, tested = marked_rows(
            ranked_rows(lines, columns, context.directions), columns, worse, _score_position, BY_REPEATS
        )
        table = Table(
            kind="aggregated",
            corruption=str(corruption),
            metric=str(metric),
            title=f"{context.metric(str(metric))} over all rates of {context.corruption(str(corruption))}",
            heading="data set",
            columns=columns,
            rows=rows,
            measured=measured(part, context),
            setting=f"{setting(of_corruption, context, spread=False)} {_aggregation(part)}",
            tested=tested,
            notes=tuple(_aggregation_notes(part, labels)),
        )
        tables.append(table)
    return tables


def _score_position(row: Row, column: Column) -> tuple[object, ...]:
    return (column.dataset, column.corruption, column.metric, row.name)


def _aggregated(row: dict[str, object] | None, context: Context) -> Cell:
    if row is None:
        return NO_NUMBER
    status, percent = str(row["status"]), context.in_percent(str(row["metric"]))
    full, all_of = int(str(row["n_repeats"])), int(str(row["of_repeats"]))
    counts = {"n_trials": full, "n_stored": all_of}
    if status == "INCOMPLETE":
        return Cell(text=f"{row['n_rates']} of {row['of_rates']} rates", status=status, counts=counts)
    if status != "DONE":
        return Cell(text=STATUS_WORDS.get(status, status.lower()), status=status, counts=counts)
    mean, std = float(str(row["mean"])), float(str(row["std"]))
    return Cell(
        text=shown_number(mean, percent=percent),
        deviation="" if math.isnan(std) else shown_number(std, percent=percent),
        share=f"{full}/{all_of}" if full < all_of else "",
        mean=mean,
        std=std,
        status=status,
        label_picked=bool(row["label_picked"]),
        counts=counts,
    )


def _aggregation(part: pd.DataFrame) -> str:
    rates = sorted(part["of_rates"].unique())
    many = f"{rates[0]}" if len(rates) == 1 else f"{rates[0]} to {rates[-1]}"
    return (
        f"Each number is the mean over the repeats of the mean over {many} rates; ± is one standard deviation (n − 1) "
        "of the repeats' means."
    )


def _aggregation_notes(part: pd.DataFrame, labels: dict[str, str]) -> list[str]:
    result = []
    if part["label_picked"].any():
        result.append(f"{PICKED_MARK} chosen by ground truth at each rate; not ranked.")
    done = part[(part["status"] == "DONE") & (part["n_repeats"] < part["of_repeats"])]
    if len(done):
        result.append("(a/b): mean over a of b repeats; the others lack a rate.")
    for (name, reason), rows in part[part["reason"] != ""].groupby(["contestant", "reason"], sort=False):
        datasets = listed(dict.fromkeys(rows["dataset"]))
        result.append(f"{labels[name]} on {datasets}: {without_folders(str(reason)).rstrip('.')}.")
    return result
