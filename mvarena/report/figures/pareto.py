"""Data of quality against cost: the score of each method, its seconds, and the non-dominated methods."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from mvarena.report.context import Context
from mvarena.report.figures.heatmap import score_points

PARETO_COLUMNS = (
    "dataset", "corruption", "metric", "contestant", "fit_s", "mean", "std", "on_front", "label_picked", "title",
    "label", "metric_axis", "condition",
)  # fmt: skip


def pareto_points(scores: pd.DataFrame, context: Context) -> pd.DataFrame:
    """One row per data set, corruption, metric and contestant with a score and a time, columns PARETO_COLUMNS.

    scores : what `mvarena.analysis.summary.over_rates` returns. fit_s : mean seconds per fit. on_front : nobody is
    both faster and better (or one of the two, the other alike); what ground truth picked is on no front and beats none.
    """
    points = score_points(scores, context)
    points = points[np.isfinite(points["mean"].astype(float)) & (points["fit_s"].astype(float) > 0)]
    fronts = pd.Series(False, index=points.index)
    for (_, _, metric), part in points.groupby(["dataset", "corruption", "metric"]):
        fronts[part.index] = on_front(part, higher=context.directions.get(str(metric), True))
    return points.assign(on_front=fronts)[list(PARETO_COLUMNS)].reset_index(drop=True)


def on_front(part: pd.DataFrame, *, higher: bool) -> Mapping[int, bool]:
    """Row -> whether no other is at least as fast and as good, and better in one."""
    fair = part[~part["label_picked"]]
    seconds = fair["fit_s"].to_numpy(dtype=float)
    quality = fair["mean"].to_numpy(dtype=float) * (1 if higher else -1)
    as_good = (seconds[:, None] <= seconds) & (quality[:, None] >= quality)
    better = as_good & ((seconds[:, None] < seconds) | (quality[:, None] > quality))
    series = pd.Series(False, index=part.index)
    series[fair.index] = ~better.any(axis=0)
    return series
