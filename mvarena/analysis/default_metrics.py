"""Metrics shown where none are named."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

_UNLABELLED = ("silhouette-views", "stability")


def possible_metrics(nmi: str = "nmi") -> tuple[str, ...]:
    """All that `default_metrics` may choose from."""
    return ("acc", nmi, *_UNLABELLED)


def default_metrics(scores: pd.DataFrame, nmi: str = "nmi") -> list[str]:
    """ACC and NMI, or what needs no classes where there are none.

    That is looked at in the views, one space for all methods, and never in each method's own embedding.
    """
    there = set(scores["metric"].dropna())
    unlabelled = [metric for metric in _UNLABELLED if metric in there]
    return ["acc", nmi] if "acc" in there or not unlabelled else unlabelled
