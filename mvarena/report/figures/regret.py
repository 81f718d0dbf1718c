"""Data of regret: the loss of each picker, data set by data set and on average."""

from __future__ import annotations

import pandas as pd

from mvarena.analysis.picking import picking_summary
from mvarena.report.context import Context

ALL = ""  # in place of a data set: the mean
REGRET_COLUMNS = (
    "picker", "metric", "dataset", "best", "score", "regret", "n_points", "n_answered", "by_labels", "title",
    "metric_axis",
)  # fmt: skip


def regret_points(picks: pd.DataFrame, context: Context) -> pd.DataFrame:
    """One row per picker, metric and data set, and one of dataset '' for the mean over all; columns REGRET_COLUMNS.

    picks : what `mvarena.analysis.picking.picked` returns; of data without classes nothing is shown. best, score and
    regret are in the unit shown; pickers come in the order of their mean regret by the first metric, those without an
    answer last.
    """
    picks = picks[picks["labelled"].astype(bool) & picks["best"].notna()]
    if picks.empty:
        return pd.DataFrame(columns=list(REGRET_COLUMNS))
    parts = [picking_summary(picks).assign(dataset=ALL), picking_summary(picks, ["dataset"])]
    points = pd.concat(parts, ignore_index=True)
    unit = points["metric"].map(context.in_percent).map({True: 100.0, False: 1.0})
    points[["best", "score", "regret"]] = points[["best", "score", "regret"]].mul(unit, axis=0)
    points = points.assign(
        title=points["dataset"].map(context.dataset), metric_axis=points["metric"].map(context.metric_axis)
    )
    first = points[(points["dataset"] == ALL) & (points["metric"] == points["metric"].iloc[0])]
    order = list(first.sort_values("regret", kind="stable", na_position="last")["picker"])
    position = {name: index for index, name in enumerate(order)}
    points = points.assign(place=points["picker"].map(position)).sort_values("place", kind="stable")
    return points[list(REGRET_COLUMNS)].reset_index(drop=True)
