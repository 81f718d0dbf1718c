"""Data of heat maps: the mean score of each method on each data set, over the rates where there are several."""

from __future__ import annotations

import pandas as pd

from mvarena.analysis.naming import by_name
from mvarena.report.context import Context
from mvarena.report.formatting import NOT_RUN, STATUS_WORDS, shown_number

_ENTRY = ("dataset", "corruption", "contestant", "metric")
HEATMAP_COLUMNS = (
    *_ENTRY, "mean", "std", "wall_s", "n_rates", "n_repeats", "status", "label_picked", "shown", "title", "label",
    "metric_axis", "condition",
)  # fmt: skip


def score_points(scores: pd.DataFrame, context: Context) -> pd.DataFrame:
    """One row per data set, corruption, contestant and metric, columns HEATMAP_COLUMNS; data sets, and of each its
    methods, in natural order.

    scores : what `mvarena.analysis.summary.over_rates` returns. mean and std are in the unit shown, percent or the
    metric's own; shown is the mean as text, or the word for what became of it.
    """
    if scores.empty:
        return pd.DataFrame(columns=list(HEATMAP_COLUMNS))
    percent = scores["metric"].map(context.in_percent)
    unit = percent.map({True: 100.0, False: 1.0})
    labels = context.contestants(scores["contestant"].unique())
    points = scores.assign(
        mean=scores["mean"] * unit,
        std=scores["std"] * unit,
        shown=[
            shown_number(mean, percent=bool(by_hundred)) if status == "DONE" else STATUS_WORDS.get(status, NOT_RUN)
            for mean, by_hundred, status in zip(scores["mean"], percent, scores["status"], strict=True)
        ],
        title=scores["dataset"].map(context.dataset),
        label=scores["contestant"].map(labels),
        metric_axis=scores["metric"].map(context.metric_axis),
        condition=[
            f"{context.corruption(corruption)} over {count} rates" if count > 1 else context.condition(corruption, rate)
            for corruption, rate, count in zip(scores["corruption"], scores["rate"], scores["of_rates"], strict=True)
        ],
    )
    return by_name(by_name(points, "label"), "dataset")[list(HEATMAP_COLUMNS)].reset_index(drop=True)
