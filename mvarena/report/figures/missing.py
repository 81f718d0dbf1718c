"""Data of missing patterns: samples by observed views, in a data set and after a corruption."""

from __future__ import annotations

import pandas as pd

from mvarena.report.context import Context
from mvarena.report.trial_data import PATTERN_COLUMNS

MISSING_COLUMNS = (*PATTERN_COLUMNS, "title", "condition")


def missing_points(patterns: pd.DataFrame, context: Context) -> pd.DataFrame:
    """`patterns` (`mvarena.report.trial_data.stored_patterns`) with words, columns MISSING_COLUMNS.

    Data sets and conditions in which every sample has every view are left out.
    """
    if patterns.empty:
        return pd.DataFrame(columns=list(MISSING_COLUMNS))
    complete = patterns.groupby(["dataset", "corruption", "rate"])["observed"].transform("all")
    points = patterns[~complete]
    return points.assign(
        title=points["dataset"].map(context.dataset),
        condition=[context.condition(*one) for one in zip(points["corruption"], points["rate"], strict=True)],
    ).reset_index(drop=True)[list(MISSING_COLUMNS)]
