"""Data of bar charts: scores at a single condition, data set by data set."""

from __future__ import annotations

import pandas as pd

from mvarena.report.context import Context
from mvarena.report.figures.rate import curves, has_one_rate


def bar_points(summary: pd.DataFrame, context: Context) -> pd.DataFrame:
    """The points of `mvarena.report.figures.rate.curves` of each data set and corruption that has a single rate.

    condition : the corruption and its rate in words, '' for the data as they are.
    """
    points = curves(summary, context)
    points = points[has_one_rate(points)]
    condition = [context.condition(*one) for one in zip(points["corruption"], points["rate"], strict=True)]
    return points.assign(condition=condition).drop(columns="rate_axis").reset_index(drop=True)
