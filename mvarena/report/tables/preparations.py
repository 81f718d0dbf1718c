"""Scalings and fillings compared: methods down, a column for each, over the conditions that all share."""

from __future__ import annotations

import math

import pandas as pd

from mvarena.report.context import Context
from mvarena.report.figures.preparations import best_first
from mvarena.report.formatting import PICKED_MARK
from mvarena.report.notes import measured
from mvarena.report.tables.model import NO_NUMBER, Cell, Column, Row, Table, ranked_rows


def preparation_tables(points: pd.DataFrame, context: Context) -> list[Table]:
    """One table per metric. points : of `mvarena.report.figures.preparations.preparation_points`."""
    return [_table(str(metric), part, context) for metric, part in points.groupby("metric", sort=False)]


def _table(metric: str, part: pd.DataFrame, context: Context) -> Table:
    pairs = list(dict.fromkeys(zip(part["scaling"], part["filling"], strict=True)))
    columns = tuple(Column(filling or "no filling", metric, math.nan, group=scaling) for scaling, filling in pairs)
    values = {(row["contestant"], row["scaling"], row["filling"]): row for row in part.to_dict("records")}
    labels = dict(zip(part["contestant"], part["label"], strict=True))
    unit = 100.0 if context.in_percent(metric) else 1.0
    rows = []
    for name in best_first(part):
        cells = tuple(_cell(values.get((name, *pair)), unit) for pair in pairs)
        rows.append(Row(name, labels[name], any(cell.label_picked for cell in cells), cells))
    left_out = part["left_out"].iloc[0]
    picked = part["label_picked"].any()
    return Table(
        kind="preparations",
        metric=metric,
        title=f"{context.metric(metric)} by scaling and filling",
        heading="scaling and filling",
        columns=columns,
        rows=ranked_rows(rows, columns, context.directions),
        measured=measured(part, context),
        setting=f"Mean over {part['over'].iloc[0]} for which all columns have results; data sets of one corpus count "
        "as one. Methods that need no filling are shown in each.",
        notes=(
            *(["a/b: results at a of b conditions."] if part["shown"].str.contains("/").any() else []),
            *([f"{left_out[:1].upper()}{left_out[1:]}."] if left_out else []),
            *([f"{PICKED_MARK} chosen by ground truth; not ranked."] if picked else []),
        ),
    )


def _cell(row: dict[str, object] | None, unit: float) -> Cell:
    if row is None:
        return NO_NUMBER
    mean = float(str(row["mean"])) / unit
    counts = {"n_trials": int(str(row["n_conditions"])), "n_stored": int(str(row["of_conditions"]))}
    return Cell(
        text=str(row["shown"]),
        mean=mean,
        status=str(row["status"]),
        label_picked=bool(row["label_picked"]),
        counts=counts,
    )
