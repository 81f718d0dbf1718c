"""What a figure shows, as numbers: one row per panel, contestant and rate."""

from __future__ import annotations

import pandas as pd

from mvarena.analysis.contestants import by_name
from mvarena.report.wording import fraction_metrics

PANEL = ["dataset", "corruption", "metric"]  # what one panel shows
CURVE_COLUMNS = (
    "dataset", "corruption", "metric", "contestant", "rate", "mean", "std", "low", "high", "status", "label_picked",
    "percent",
)  # fmt: skip


def curves(summary: pd.DataFrame, *, percent: frozenset[str] | None = None) -> pd.DataFrame:
    """The points of every line of a metric against its rate.

    Parameters
    ----------
    summary : what `mvarena.analysis.aggregates.summarize` returns.
    percent : metrics shown in percent; None: those whose means all lie within [-1, 1].

    mean, std, low and high (mean minus and plus one std; the mean itself where there is no std) are in the unit
    shown, percent or the metric's own. A point that failed or was skipped is a row with mean NaN, which interrupts
    its line; a point never run is no row. Rows are ordered by panel, contestant and rate.
    """
    shown = fraction_metrics(summary) if percent is None else percent
    points = summary.assign(percent=summary["metric"].isin(shown))
    unit = points["percent"].map({True: 100.0, False: 1.0}).astype(float)
    points = points.assign(mean=points["mean"].astype(float) * unit, std=points["std"].astype(float) * unit)
    spread = points["std"].fillna(0.0)
    points = points.assign(low=points["mean"] - spread, high=points["mean"] + spread)
    parts = [by_name(panel) for _, panel in points.groupby(PANEL, sort=False)]
    ordered = pd.concat(parts) if parts else points
    return ordered[list(CURVE_COLUMNS)].reset_index(drop=True)
