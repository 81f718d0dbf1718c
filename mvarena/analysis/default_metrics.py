"""Metrics shown where none are named."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

_UNLABELLED = ("silhouette-views", "stability")
_BY_OUTCOMES = ("log-rank-p", "enriched")


def possible_metrics(nmi: str = "nmi") -> tuple[str, ...]:
    """All that `default_metrics` may choose from."""
    return ("acc", nmi, *_BY_OUTCOMES, *_UNLABELLED)


def default_metrics(scores: pd.DataFrame, nmi: str = "nmi") -> list[str]:
    """ACC and NMI, or what needs no classes where there are none; and scores by outcomes where there are some.

    Where there are no classes, it is looked at in the views, one space for all methods, and never in each method's own
    embedding.
    """
    there = set(scores["metric"].dropna())
    defined = set(scores.loc[scores["value"].notna(), "metric"])
    by_outcomes = [metric for metric in _BY_OUTCOMES if metric in defined]
    unlabelled = [metric for metric in _UNLABELLED if metric in there]
    if "acc" in there or not (unlabelled or by_outcomes):
        return ["acc", nmi, *by_outcomes]
    return [*by_outcomes, *unlabelled]
