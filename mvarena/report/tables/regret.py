"""Tables of regret: the loss of each picker, over all data sets and by data set."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd

from mvarena.report.context import Context
from mvarena.report.figures.regret import ALL, regret_points
from mvarena.report.formatting import PICKED_MARK
from mvarena.report.tables.model import NO_NUMBER, Cell, Column, Row, Table, ranked_rows
from mvarena.text import listed, plural

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


def regret_tables(picks: pd.DataFrame, context: Context) -> list[Table]:
    """Pickers down; score and regret of each metric across, and of each metric the regret by data set.

    picks : what `mvarena.analysis.picking.picked` returns; no table where nothing was picked.
    """
    points = regret_points(picks, context)
    if points.empty:
        return []
    metrics = list(dict.fromkeys(points["metric"]))
    overall = points[points["dataset"] == ALL]
    columns = tuple(
        Column(f"{context.metric(metric)}{word}", f"{metric}{word}", math.nan)
        for metric in metrics
        for word in ("", " regret")
    )
    requested = [(ALL, metric, part) for metric in metrics for part in ("score", "regret")]
    datasets = [name for name in dict.fromkeys(points["dataset"]) if name != ALL]
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
