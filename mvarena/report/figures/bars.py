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
    condition = [
        condition_words(corruption, f"at rate {rate:g}", context)
        for corruption, rate in zip(points["corruption"], points["rate"], strict=True)
    ]
    return points.assign(condition=condition).drop(columns="rate_axis").reset_index(drop=True)


def condition_words(corruption: str, at: str, context: Context) -> str:
    """'missing-even at rate 0.3'; '' for the data as they are."""
    return "" if corruption == "none" else f"{context.corruption(corruption)} {at}"
