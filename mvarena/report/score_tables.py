"""Scores aggregated over the rates, as in Table 1 of EE-IMVC, as tables."""

from __future__ import annotations

import math

import pandas as pd

from mvarena.analysis.naming import natural_order
from mvarena.analysis.significance import Level
from mvarena.report.captions import measured, setting
from mvarena.report.context import Context
from mvarena.report.emphasis import BY_REPEATS, level_rows, ranked_rows
from mvarena.report.names import without_folders
from mvarena.report.tables import Cell, Column, Row, Table
from mvarena.report.wording import NOT_RUN, PICKED_MARK, STATUS_WORDS, listed, shown_number

_UNTESTED = Level()


def aggregated_tables(
    scores: pd.DataFrame, summary: pd.DataFrame, context: Context, level: Level = _UNTESTED
) -> list[Table]:
    """Methods by data sets, the mean over the rates: a table for each corruption of several rates, and metric.

    scores : what `mvarena.analysis.summary.over_rates` returns; summary : of the same trials, for the words below.
    level : who is not significantly worse than the best, by data set, corruption and metric.
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
        found = {(row["contestant"], row["dataset"]): row for row in part.to_dict("records")}
        names = sorted(part["contestant"].unique(), key=lambda name: natural_order(labels[name]))
        lines = [
            _row(name, labels[name], [_aggregated(found.get((name, one)), context) for one in datasets])
            for name in names
        ]
        rows, tested = level_rows(ranked_rows(lines, columns, context.directions), columns, level, _place, BY_REPEATS)
        table = Table(
            kind="aggregated",
            dataset="",
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


def _place(row: Row, column: Column) -> tuple[object, ...]:
    return (column.dataset, column.corruption, column.metric, row.name)


def _row(name: str, label: str, cells: list[Cell]) -> Row:
    return Row(name, label, any(cell.label_picked for cell in cells), tuple(cells))


def _aggregated(row: dict[str, object] | None, context: Context) -> Cell:
    if row is None:
        return Cell(text=NOT_RUN, counts={})
    status, percent = str(row["status"]), context.in_percent(str(row["metric"]))
    whole, all_of = int(str(row["n_repeats"])), int(str(row["of_repeats"]))
    counts = {"n_trials": whole, "n_stored": all_of}
    if status == "INCOMPLETE":
        return Cell(text=f"{row['n_rates']} of {row['of_rates']} rates", status=status, counts=counts)
    if status != "DONE":
        return Cell(text=STATUS_WORDS.get(status, status.lower()), status=status, counts=counts)
    mean, std = float(str(row["mean"])), float(str(row["std"]))
    return Cell(
        text=shown_number(mean, percent=percent),
        deviation="" if math.isnan(std) else shown_number(std, percent=percent),
        share=f"{whole}/{all_of}" if whole < all_of else "",
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
    found = []
    if part["label_picked"].any():
        found.append(f"{PICKED_MARK} picked by ground truth at each rate; not ranked among the others.")
    done = part[(part["status"] == "DONE") & (part["n_repeats"] < part["of_repeats"])]
    if len(done):
        found.append("(a/b): the mean is over a of b repeats; the others lack a rate.")
    for (name, reason), rows in part[part["reason"] != ""].groupby(["contestant", "reason"], sort=False):
        datasets = listed(dict.fromkeys(rows["dataset"]))
        found.append(f"{labels[name]} on {datasets}: {without_folders(str(reason)).rstrip('.')}.")
    return found
