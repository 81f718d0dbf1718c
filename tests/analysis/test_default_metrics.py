"""Default metrics: of each data set those that it has."""

from __future__ import annotations

import numpy as np

from mvarena.analysis.default_metrics import in_order, metrics_of_data

LABELLED = {"acc": [0.9], "nmi": [0.8], "nmi-max": [0.7], "stability": [1.0]}
UNLABELLED = {"silhouette-views": [0.4], "stability": [1.0], "silhouette": [2.0]}
SURVIVAL = UNLABELLED | {"log-rank-p": [0.1], "log-rank-p-5": [0.2], "enriched": [np.nan]}


def test_each_data_set_has_its_own(long_frame) -> None:
    long_frame.trial(values=LABELLED, content="labelled")
    long_frame.trial(values=UNLABELLED, content="unlabelled", params={"n_clusters": 3})
    long_frame.trial(values=SURVIVAL, content="survival", params={"n_clusters": 3})
    frame = long_frame.frame()
    assert metrics_of_data(frame) == {
        "labelled": ["nmi", "acc"],
        "unlabelled": ["silhouette-views", "stability"],
        "survival": ["log-rank-p", "log-rank-p-5", "silhouette-views", "stability"],
    }
    every = ["nmi", "acc", "log-rank-p", "log-rank-p-5", "silhouette-views", "stability"]
    assert in_order(metrics_of_data(frame)) == every
    assert metrics_of_data(frame, "nmi-max")["labelled"] == ["nmi-max", "acc"]


def test_a_metric_that_is_defined_nowhere_is_not_shown_as_long_as_another_is(long_frame) -> None:
    long_frame.trial(values={"silhouette-views": [np.nan], "stability": [1.0]})
    assert in_order(metrics_of_data(long_frame.frame())) == ["stability"]
    long_frame.trial(values=LABELLED | {"log-rank-p": [0.1], "enriched": [2.0]}, content="both")
    assert metrics_of_data(long_frame.frame())["both"] == ["nmi", "acc", "log-rank-p", "enriched"]


def test_where_no_trial_is_scored_the_number_of_clusters_tells(long_frame) -> None:
    long_frame.trial(values=None, content="told", status="FAILED", params={"n_clusters": 3})
    long_frame.trial(values=None, content="known", status="FAILED")
    assert metrics_of_data(long_frame.frame()) == {"told": ["silhouette-views", "stability"], "known": ["nmi", "acc"]}
