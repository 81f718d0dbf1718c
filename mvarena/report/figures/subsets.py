"""Data of subsets of views: the score of each method on every subset of a data set's views."""

from __future__ import annotations

import re

import pandas as pd

from mvarena.report.context import Context
from mvarena.report.figures.heatmap import HEATMAP_COLUMNS, score_points

FEWEST = 3  # subsets that are worth a figure
_PICKED = re.compile(r"(?P<base>.+)\[(?P<views>[^\[\]]+)\]", re.DOTALL)
SUBSET_COLUMNS = ("base", "views", "n_views", "place", *(name for name in HEATMAP_COLUMNS if name != "wall_s"))


def subset_points(scores: pd.DataFrame, context: Context) -> pd.DataFrame:
    """One row per data set, corruption, metric, subset and contestant, columns SUBSET_COLUMNS.

    scores : what `mvarena.analysis.summary.over_rates` returns. Of data sets of which FEWEST subsets or more have a
    mean. base : the data set; views : the subset's, with commas; n_views : how many. place : of the subset by its mean
    over the contestants, the best is 1. title : of the base. mean, std : in the unit shown. Subsets by their size, of
    one size by their place.
    """
    picked = scores["dataset"].astype(str).str.extract(_PICKED)
    points = score_points(scores[picked["views"].notna() & scores["mean"].notna()], context)
    if points.empty:
        return pd.DataFrame(columns=list(SUBSET_COLUMNS))
    points = points.assign(**points["dataset"].str.extract(_PICKED))
    group = points.groupby(["base", "corruption", "metric"])
    points = points[group["views"].transform("nunique") >= FEWEST]
    if points.empty:
        return pd.DataFrame(columns=list(SUBSET_COLUMNS))
    signs = points["metric"].map(lambda name: -1.0 if context.directions.get(name, True) else 1.0)
    means = points.groupby(["base", "corruption", "metric", "views"])["mean"].transform("mean")
    points = points.assign(
        n_views=points["views"].str.count(",") + 1, title=points["base"].map(context.dataset), order=signs * means
    )
    place = points.groupby(["base", "corruption", "metric"])["order"].rank(method="dense").astype(int)
    ordered = points.assign(place=place).sort_values(
        ["base", "corruption", "metric", "n_views", "place", "views"], kind="stable"
    )
    return ordered[list(SUBSET_COLUMNS)].reset_index(drop=True)
