"""Scalings and fillings compared: methods down, a column for each, over the conditions and repeats that all share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from mvarena.report.context import Context
from mvarena.report.formatting import NOT_RUN, PICKED_MARK, shown_number
from mvarena.report.notes import measured
from mvarena.report.tables.model import NO_NUMBER, Cell, Column, Row, Table, ranked_rows

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "methods by scalings and fillings, over the conditions and repeats common to all"
NEEDS = "two methods or more under two scalings or fillings or more, on the same data"


def tables(results: ReportData) -> list[Table]:
    """One table per metric of `mvarena.analysis.preparations`."""
    rows = results.preparations
    return [_table(str(metric), part, results.context) for metric, part in rows.groupby("metric", sort=False)]


def _table(metric: str, part: pd.DataFrame, context: Context) -> Table:
    pairs = list(dict.fromkeys(zip(part["scaling"], part["filling"], strict=True)))
    columns = tuple(Column(filling or "no filling", metric, math.nan, group=scaling) for scaling, filling in pairs)
    values = {(row["contestant"], row["scaling"], row["filling"]): row for row in part.to_dict("records")}
    labels = context.contestants(part["contestant"].unique())
    percent = context.in_percent(metric)
    rows = []
    for name in best_first(part):
        cells = tuple(_cell(values.get((name, *pair)), percent) for pair in pairs)
        rows.append(Row(name, labels[name], any(cell.label_picked for cell in cells), cells))
    picked, open_ones = part["label_picked"].any(), (part["status"] != "DONE").any()
    left_out = part["left_out"].iloc[0]
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
            *(["a/b: results at a of b conditions."] if open_ones else []),
            *([left_out] if left_out else []),
            *([f"{PICKED_MARK} chosen by ground truth; not ranked."] if picked else []),
        ),
    )


def best_first(part: pd.DataFrame) -> list[str]:
    """Contestants by their mean in the first column; who has none there comes last, by name."""
    first = part.iloc[0]
    own = part[(part["scaling"] == first["scaling"]) & (part["filling"] == first["filling"])]
    sign = -1.0 if first["higher"] else 1.0
    known = {str(name): sign * value for name, value in own.set_index("contestant")["mean"].dropna().items()}
    return sorted(map(str, part["contestant"].unique()), key=lambda name: (known.get(name, math.inf), name))


def shown_mean(mean: float, status: str, count: int, total: int, *, percent: bool) -> str:
    """The mean, or '3/5' where there are results at 3 of 5 conditions."""
    return shown_number(mean, percent=percent) if status == "DONE" else f"{count}/{total}" if count else NOT_RUN


def _cell(row: dict[str, object] | None, percent: bool) -> Cell:
    if row is None:
        return NO_NUMBER
    count, total = int(str(row["n_conditions"])), int(str(row["of_conditions"]))
    mean = float(str(row["mean"]))
    return Cell(
        text=shown_mean(mean, str(row["status"]), count, total, percent=percent),
        mean=mean,
        status=str(row["status"]),
        label_picked=bool(row["label_picked"]),
        counts={"n_trials": count, "n_stored": total},
    )
