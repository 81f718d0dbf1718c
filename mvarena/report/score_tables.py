"""Scores aggregated over the rates, as in Table 1 of EE-IMVC, and mean ranks over data sets, as tables."""

from __future__ import annotations

import math

import pandas as pd

from mvarena.analysis.contestants import natural_order
from mvarena.analysis.standings import Standings
from mvarena.report.captions import measured, setting
from mvarena.report.context import Context
from mvarena.report.names import without_folders
from mvarena.report.points.standings import standings_of
from mvarena.report.tables import Cell, Column, Row, Table
from mvarena.report.tabulation import ranked_rows
from mvarena.report.wording import NOT_RUN, PICKED_MARK, STATUS_WORDS, listed, shown_number


def aggregated_tables(scores: pd.DataFrame, summary: pd.DataFrame, context: Context) -> list[Table]:
    """Methods by data sets, the mean over the rates: a table for each corruption of several rates, and metric.

    scores : what `mvarena.analysis.over_rates.over_rates` returns; summary : of the same trials, for the words below.
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
        rows = [
            _row(name, labels[name], [_aggregated(found.get((name, one)), context) for one in datasets])
            for name in names
        ]
        table = Table(
            kind="aggregated",
            dataset="",
            corruption=str(corruption),
            metric=str(metric),
            title=f"{context.metric(str(metric))} over all rates of {context.corruption(str(corruption))}",
            heading="data set",
            columns=columns,
            rows=ranked_rows(rows, columns, context.directions),
            measured=measured(part, context),
            setting=f"{setting(of_corruption, context, spread=False)} {_aggregation(part)}",
            notes=tuple(_aggregation_notes(part, labels)),
        )
        tables.append(table)
    return tables


def rank_tables(summary: pd.DataFrame, context: Context) -> list[Table]:
    """Mean ranks over data sets, a table for each corruption with two methods or more on two data sets or more."""
    tables = []
    for corruption, part in summary.groupby("corruption", sort=False):
        found = standings_of(part, context)
        if not found:
            continue
        first = next(iter(found.values()))
        names = list(dict.fromkeys(name for one in found.values() for name in one.contestants))
        labels = context.contestants(names)
        columns = tuple(Column(context.metric(one), f"rank of {one}", math.nan, "", str(corruption)) for one in found)
        rows = [_row(name, labels[name], [_rank(one, name) for one in found.values()]) for name in names]
        under = "" if corruption == "none" else f" under {context.corruption(str(corruption))}"
        n_sets = max(one.n_datasets for one in found.values())
        left_out = dict.fromkeys(sentence for one in found.values() for sentence in one.left_out)
        table = Table(
            kind="ranks",
            dataset="",
            corruption=str(corruption),
            metric=None,
            title=f"Mean ranks over {n_sets} data sets{under}",
            heading="metric",
            columns=columns,
            rows=ranked_rows(rows, columns, dict.fromkeys((column.metric for column in columns), False)),
            measured=f"Mean rank of {len(names)} methods over {n_sets} data sets, 1 is best",
            setting="Methods are ranked at each rate by their mean over the repeats, where who did not finish is last; "
            "the mean over the rates is ranked again, so that each data set counts once. Equals share the mean "
            "of their places. ± is one standard deviation (n − 1) over data sets.",
            notes=(*left_out, *_last_notes(first, labels)),
        )
        tables.append(table)
    return tables


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


def _rank(table: Standings, name: str) -> Cell:
    if name not in table.ranks:
        return Cell(text=NOT_RUN, counts={})
    mean, std = float(table.ranks[name].mean()), float(table.ranks[name].std())
    return Cell(text=f"{mean:.2f}", deviation=f"{std:.2f}", mean=mean, std=std, status="DONE", counts={})


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


def _last_notes(table: Standings, labels: dict[str, str]) -> list[str]:
    each = [f"{labels[name]} ({count})" for name, count in table.unfinished.items() if count]
    return (
        [f"Ranked last where a trial did not finish (at how many rates and data sets): {listed(each)}."] if each else []
    )
