"""Data of quality against cost: the score of each method, its seconds, and the non-dominated methods."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from mvarena.analysis.standings import Standings
from mvarena.report.context import Context
from mvarena.report.figures.heatmap import score_points

PARETO_COLUMNS = (
    "dataset", "corruption", "metric", "contestant", "wall_s", "mean", "std", "on_front", "label_picked", "title",
    "label", "metric_axis", "condition",
)  # fmt: skip


def pareto_points(scores: pd.DataFrame, context: Context) -> pd.DataFrame:
    """One row per data set, corruption, metric and contestant with a score and a time, columns PARETO_COLUMNS.

    scores : what `mvarena.analysis.summary.over_rates` returns.
    wall_s : mean seconds per trial: preparation, fit, assignment of all restarts, scoring.
    on_front : nobody is both faster and better (or one of the two, the other alike); what ground truth picked is on no
        front and beats none.
    """
    points = score_points(scores, context)
    points = points[np.isfinite(points["mean"].astype(float)) & (points["wall_s"].astype(float) > 0)]
    fronts = pd.Series(False, index=points.index)
    for (_, _, metric), part in points.groupby(["dataset", "corruption", "metric"]):
        fronts[part.index] = on_front(part, higher=context.directions.get(str(metric), True))
    return points.assign(on_front=fronts)[list(PARETO_COLUMNS)].reset_index(drop=True)


def pareto_over_datasets(rows: pd.DataFrame, table: Standings, context: Context) -> pd.DataFrame:
    """The points of one panel over all data sets of some standings, columns PARETO_COLUMNS.

    rows : of the summary, those that the standings are made of. mean : over corpora, as in the standings. wall_s : the
    geometric mean over data sets. Contestants that finished nothing on some of these data sets are left out.
    """
    datasets = [name for names in table.datasets.values() for name in names]
    rows = rows[(rows["metric"] == table.metric) & rows["dataset"].isin(datasets) & (rows["wall_s"] > 0)]
    times = rows.groupby(["dataset", "contestant"], sort=False)["wall_s"].mean().unstack("contestant")
    seconds = np.exp(np.log(times.dropna(axis="columns")).mean())
    names = [name for name in table.contestants if name in seconds.index]
    unit = 100.0 if context.in_percent(table.metric) else 1.0
    labels = context.contestants(names)
    points = pd.DataFrame(
        {
            "dataset": "",
            "corruption": "",
            "metric": table.metric,
            "contestant": names,
            "wall_s": seconds[names].to_numpy(float),
            "mean": unit * table.values[names].mean().to_numpy(float),
            "std": np.nan,
            "label_picked": False,
            "title": f"mean over {table.over}",
            "label": [labels[name] for name in names],
            "metric_axis": context.metric_axis(table.metric),
            "condition": "",
        }
    )
    front = on_front(points, higher=table.higher_is_better)
    return points.assign(on_front=front)[list(PARETO_COLUMNS)]


def on_front(part: pd.DataFrame, *, higher: bool) -> Mapping[int, bool]:
    """Row -> whether no other is at least as fast and as good, and better in one."""
    fair = part[~part["label_picked"]]
    seconds = fair["wall_s"].to_numpy(dtype=float)
    quality = fair["mean"].to_numpy(dtype=float) * (1 if higher else -1)
    as_good = (seconds[:, None] <= seconds) & (quality[:, None] >= quality)
    better = as_good & ((seconds[:, None] < seconds) | (quality[:, None] > quality))
    series = pd.Series(False, index=part.index)
    series[fair.index] = ~better.any(axis=0)
    return series
