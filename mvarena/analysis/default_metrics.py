"""Metrics shown where none are named: of each data set those that it has."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

_UNLABELLED = ("silhouette-views", "stability")
_BY_OUTCOMES = ("log-rank-p", "log-rank-p-5", "enriched")


def possible_metrics(nmi: str = "nmi") -> tuple[str, ...]:
    """All that `metrics_of_data` may choose from."""
    return (nmi, "acc", *_BY_OUTCOMES, *_UNLABELLED)


def in_order(by_content: Mapping[str, Iterable[str]], nmi: str = "nmi") -> list[str]:
    """The metrics of some contents together, in the order of `possible_metrics`."""
    shown = {metric for metrics in by_content.values() for metric in metrics}
    return [metric for metric in possible_metrics(nmi) if metric in shown]


def metrics_of_data(scores: pd.DataFrame, nmi: str = "nmi") -> dict[str, list[str]]:
    """Content -> its default metrics: NMI and ACC, or what needs no classes; and scores by outcomes where it has some.

    Where there are no classes, it is looked at in the views, one space for all methods, and never in each method's own
    embedding. Of data without any score, such as where all trials failed, those whose trials are all told the number of
    clusters are taken for data without classes.
    """
    pairs = scores[scores["metric"].notna()]
    stored = stored_metrics(pairs)
    defined = stored_metrics(pairs[pairs["value"].notna()])
    told = _told_clusters(scores[~scores["content"].isin(list(stored))])
    return {
        content: _metrics(stored.get(content, set()), defined.get(content, set()), told.get(content, False), nmi)
        for content in scores["content"].unique()
    }


def _metrics(stored: set[str], defined: set[str], told_clusters: bool, nmi: str) -> list[str]:
    by_outcomes = [metric for metric in _BY_OUTCOMES if metric in defined]
    if {"acc", nmi} & stored:
        return [nmi, "acc", *by_outcomes]
    for there in (defined, stored):
        if found := [metric for metric in _UNLABELLED if metric in there]:
            return [*by_outcomes, *found]
    return by_outcomes or (list(_UNLABELLED) if told_clusters else [nmi, "acc"])


def stored_metrics(scores: pd.DataFrame) -> dict[str, set[str]]:
    """Content -> all metrics by which some trial is scored; nothing of data of which none is."""
    distinct = scores.loc[scores["metric"].notna(), ["content", "metric"]].drop_duplicates()
    result: dict[str, set[str]] = {}
    for content, metric in zip(distinct["content"], distinct["metric"], strict=True):
        result.setdefault(str(content), set()).add(str(metric))
    return result


def _told_clusters(rows: pd.DataFrame) -> dict[str, bool]:
    """Content -> whether every trial has the number of clusters among its parameters."""
    distinct = rows[["content", "params"]].drop_duplicates()
    result: dict[str, bool] = {}
    for content, params in zip(distinct["content"], distinct["params"], strict=True):
        result[str(content)] = result.get(str(content), True) and json.loads(params).get("n_clusters") is not None
    return result
