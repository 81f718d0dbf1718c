"""Data of rate curves: one row per panel, contestant and rate."""

from __future__ import annotations

import pandas as pd

from mvarena.analysis.naming import by_name
from mvarena.report.context import Context

PANEL = ["dataset", "corruption", "metric"]  # what one panel shows
_IN_UNIT = ["mean", "std", "low", "high", "lowest", "highest"]
CURVE_COLUMNS = (
    *PANEL, "contestant", "rate", *_IN_UNIT, "status", "label_picked", "title", "rate_axis", "metric_axis", "label",
)  # fmt: skip


def curves(summary: pd.DataFrame, context: Context) -> pd.DataFrame:
    """The points of every line of a metric against its rate.

    summary : what `mvarena.analysis.summary.summarize` returns.

    mean, std, low and high (mean minus and plus one std; the mean itself where there is no std), and the bounds
    lowest and highest of the metric, are in the unit shown, percent or the metric's own. title, rate_axis and
    metric_axis are a panel's words, label is the contestant's. A point that failed or was skipped is a row with mean
    NaN, which interrupts its line; a point never run is no row. Rows are ordered by panel, the data sets
    naturally (set-4 before set-10), label and rate.
    """
    mean, std = summary["mean"].astype(float), summary["std"].astype(float)
    spread = std.fillna(0.0)
    metrics, labels = summary["metric"], context.contestants(summary["contestant"].unique())
    points = summary.assign(
        mean=mean,
        std=std,
        low=mean - spread,
        high=mean + spread,
        lowest=metrics.map(lambda name: context.bounds(name)[0]).astype(float),
        highest=metrics.map(lambda name: context.bounds(name)[1]).astype(float),
        title=summary["dataset"].map(context.dataset),
        rate_axis=summary["corruption"].map(context.rate_axis),
        metric_axis=metrics.map(context.metric_axis),
        label=summary["contestant"].map(labels),
    )
    unit = metrics.map(lambda name: 100.0 if context.in_percent(name) else 1.0).astype(float)
    points[_IN_UNIT] = points[_IN_UNIT].mul(unit, axis=0)
    parts = [by_name(panel, "label") for _, panel in points.groupby(PANEL, sort=False)]
    ordered = pd.concat(parts) if parts else points
    return by_name(ordered, "dataset")[list(CURVE_COLUMNS)].reset_index(drop=True)


def rate_points(summary: pd.DataFrame, context: Context) -> pd.DataFrame:
    """`curves` of each data set and corruption that has several rates: of a single one there is no line to draw."""
    points = curves(summary, context)
    return points[~has_one_rate(points)].reset_index(drop=True)


def has_one_rate(points: pd.DataFrame) -> pd.Series:
    """Row by row, whether its data set and corruption have a single rate."""
    return points.groupby(["dataset", "corruption"])["rate"].transform("nunique") == 1
