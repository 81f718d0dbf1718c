"""Regret of choosing without labels: the loss of each picker, over all data sets and by data set."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from mvarena.analysis.picking import picking_summary
from mvarena.report.context import Context
from mvarena.report.formatting import PICKED_MARK
from mvarena.report.tables.model import NO_NUMBER, Cell, Column, Row, Table, ranked_rows
from mvarena.text import listed, plural

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "what each picker loses against the best by labels (mvarena pick)"
NEEDS = "a method with several values of a parameter on one data set that has classes, with stored labels"
_ALL = ""  # all data sets together


def tables(results: ReportData) -> list[Table]:
    """The tables of what was picked among the trials shown."""
    return regret_tables(results.picks, results.context)


_NOTE = f"{PICKED_MARK} chosen by ground truth, which needs labels; shown for reference and not ranked."


def left_out_notes(picks: pd.DataFrame) -> list[str]:
    """One sentence on the candidates that pickers did not see; none where they saw all.

    picks : what `mvarena.analysis.picking.picked` returns.
    """
    point = ["algorithm", "dataset", "corruption", "rate", "seed", "repeat"]
    counts = picks.groupby(point)[["n_left_out", "n_candidates"]].max().sum()
    if not counts["n_left_out"]:
        return []
    pickers = listed(sorted(picks.loc[picks["n_left_out"] > 0, "picker"].unique()))
    which = f"{counts['n_left_out']} of {plural(int(counts['n_candidates']), 'candidate')}"
    return [f"{which} with fewer than half of the clusters asked for were not passed to {pickers}."]


def _points(picks: pd.DataFrame, context: Context) -> pd.DataFrame:
    """One row per picker, metric and data set, and one of dataset _ALL for the mean over all, in the unit shown;
    pickers by their mean regret by the first metric, those without an answer last. Nothing of data without classes."""
    picks = picks[picks["labelled"].astype(bool) & picks["best"].notna()]
    if picks.empty:
        return picks
    parts = [picking_summary(picks).assign(dataset=_ALL), picking_summary(picks, ["dataset"])]
    points = pd.concat(parts, ignore_index=True)
    unit = points["metric"].map(context.in_percent).map({True: 100.0, False: 1.0})
    points[["score", "regret"]] = points[["score", "regret"]].mul(unit, axis=0)
    first = points[(points["dataset"] == _ALL) & (points["metric"] == points["metric"].iloc[0])]
    order = list(first.sort_values("regret", kind="stable", na_position="last")["picker"])
    rank = {name: index for index, name in enumerate(order)}
    return points.assign(rank=points["picker"].map(rank)).sort_values("rank", kind="stable").reset_index(drop=True)


def regret_tables(picks: pd.DataFrame, context: Context) -> list[Table]:
    """Pickers down; score and regret of each metric across, and of each metric the regret by data set.

    picks : what `mvarena.analysis.picking.picked` returns; no table where nothing was picked.
    """
    points = _points(picks, context)
    if points.empty:
        return []
    metrics = list(dict.fromkeys(points["metric"]))
    overall = points[points["dataset"] == _ALL]
    columns = tuple(
        Column(f"{context.metric(metric)}{word}", f"{metric}{word}", math.nan)
        for metric in metrics
        for word in ("", " regret")
    )
    requested = [(_ALL, metric, part) for metric in metrics for part in ("score", "regret")]
    datasets = [name for name in dict.fromkeys(points["dataset"]) if name != _ALL]
    several = context.dataset(datasets[0]) if len(datasets) == 1 else plural(len(datasets), "data set")
    notes = left_out_notes(picks)
    tables = [_table("", f"Choosing without labels, {several}", "metric", columns, requested, points, context, notes)]
    if len(datasets) > 1:
        for metric in metrics:
            columns = tuple(Column(context.dataset(name), f"{metric} regret", math.nan, name) for name in datasets)
            requested = [(name, metric, "regret") for name in datasets]
            title = f"Regret in {context.metric(metric)} by data set"
            tables.append(_table(metric, title, "data set", columns, requested, points, context, notes))
    unanswered = overall.groupby("picker")["n_answered"].sum()
    return tables if unanswered.any() else []


def _table(
    metric: str,
    title: str,
    heading: str,
    columns: tuple[Column, ...],
    asked: list[tuple[str, str, str]],
    points: pd.DataFrame,
    context: Context,
    notes: list[str],
) -> Table:
    values = {(row["picker"], row["dataset"], row["metric"]): row for row in points.to_dict("records")}
    rows = []
    for picker in dict.fromkeys(points["picker"]):
        cells = tuple(_cell(values.get((picker, *index)), part, context) for *index, part in asked)
        rows.append(Row(picker, picker, any(cell.label_picked for cell in cells), cells))
    down = {column.metric: False for column in columns if column.metric.endswith(" regret")}
    return Table(
        kind="regret",
        head="picker",
        metric=metric or None,
        title=title,
        heading=heading,
        columns=columns,
        rows=ranked_rows(rows, columns, {**context.directions, **down}),
        measured="Regret: score of the best candidate by ground truth, minus that of the chosen one",
        setting="Means over algorithms and data sets, each over its rates and repeats; (a/b): the picker made a "
        "choice in a of b cases.",
        notes=(*((_NOTE,) if any(row.label_picked for row in rows) else ()), *notes),
    )


def _cell(row: dict[str, object] | None, part: str, context: Context) -> Cell:
    if row is None:
        return NO_NUMBER
    value, answered, requested = float(str(row[part])), int(str(row["n_answered"])), int(str(row["n_points"]))
    if math.isnan(value):
        return replace(NO_NUMBER, share=f"{answered}/{requested}")
    unit = 100.0 if context.in_percent(str(row["metric"])) else 1.0
    return Cell(
        text=f"{value:.2f}" if unit > 1 else f"{value:.4g}",
        share=f"{answered}/{requested}" if answered < requested else "",
        mean=value / unit,
        status="DONE",
        label_picked=bool(row["by_labels"]),
        counts={"n_trials": answered, "n_stored": requested},
    )
