"""Controls: what labellings that look at no data score, what is above them, and who collapses."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import normalized_mutual_info_score

from mvarena.analysis.controls import (
    Control,
    above_control,
    best_controls,
    cluster_counts,
    honest_controls,
    stored_controls,
)
from mvarena.analysis.trial_values import reported_trials
from mvarena.study.cards import scoring_functions

CLASSES = np.repeat([0, 1, 2], [60, 30, 10])
UP = {"acc": True, "nmi": True, "entropy": False}


def test_one_cluster_scores_the_share_of_the_largest_class_and_tells_nothing() -> None:
    found = honest_controls({"c": CLASSES}, scoring_functions(["acc", "nmi"])).set_index(["control", "metric"])["value"]
    assert found["one-cluster", "acc"] == pytest.approx(0.6)
    assert found["one-cluster", "nmi"] == 0.0
    assert 0.34 <= found["random", "acc"] < 0.5
    assert 0.0 < found["random", "nmi"] < 0.1


def test_samples_without_a_class_and_metrics_of_other_inputs_are_left_out() -> None:
    partly = np.concatenate([CLASSES, np.full(500, -1)])
    full = honest_controls({"c": CLASSES}, scoring_functions(["acc"]))
    pd.testing.assert_frame_equal(honest_controls({"c": partly}, scoring_functions(["acc"])), full)
    assert honest_controls({"c": CLASSES}, scoring_functions(["silhouette", "stability", "unknown"])).empty
    assert honest_controls({"c": np.full(9, -1)}, scoring_functions(["acc"])).empty


def test_the_better_control_is_the_one_in_the_metrics_own_direction() -> None:
    rows = [("c", "acc", "one-cluster", 0.6, 0.0), ("c", "acc", "random", 0.4, 0.1)]
    rows += [("c", "entropy", "one-cluster", 0.9, 0.0), ("c", "entropy", "random", 0.8, 0.1)]
    controls = pd.DataFrame(rows, columns=["content", "metric", "control", "value", "spread"])
    assert best_controls(controls, UP) == {("c", "acc"): Control(0.6, 0.0), ("c", "entropy"): Control(0.8, 0.1)}


def test_controls_that_took_part_stand_for_themselves(long_frame) -> None:
    for repeat, value in enumerate((0.2, 0.4)):
        long_frame.trial("random", {"acc": [value]}, repeat=repeat)
    long_frame.trial("apmc", {"acc": [0.9]})
    (row,) = stored_controls(long_frame.frame()).to_numpy().tolist()
    assert row == ["c0ffee", "acc", "random", pytest.approx(0.3), pytest.approx(np.sqrt(0.02))]


def summary(
    mean: float, std: float, n: int, control: float = 0.5, metric: str = "acc", spread: float = 0.0
) -> pd.DataFrame:
    row = {"mean": mean, "std": std, "n_trials": n, "metric": metric, "control": control, "control_spread": spread}
    return pd.DataFrame([row])


@pytest.mark.parametrize(
    ("row", "above"),
    [
        (summary(0.6, 0.01, 5), True),
        (summary(0.5, 0.0, 5), False),
        (summary(0.51, 0.01, 2), False),  # t = 12.7: 0.51 - 0.09
        (summary(0.51, 0.01, 50), True),  # t = 2.0: 0.51 - 0.003
        (summary(0.51, np.nan, 1), True),  # a single value beside a control that has no spread
        (summary(0.51, np.nan, 1, spread=0.01), False),  # t of 19 degrees of freedom = 2.09: 0.51 - 0.021
        (summary(0.53, np.nan, 1, spread=0.01), True),
        (summary(0.51, 0.0, 5, spread=0.01), True),  # of five: 0.51 - 0.0094
        (summary(0.509, 0.0, 5, spread=0.01), False),
        (summary(0.52, 0.01, 5, spread=0.01), True),  # 13.2 degrees of freedom, t = 2.16: 0.52 - 0.0136
        (summary(0.513, 0.01, 5, spread=0.01), False),
        (summary(0.4, 0.0, 5, metric="entropy"), True),
        (summary(0.6, 0.0, 5, metric="entropy"), False),
        (summary(np.nan, np.nan, 0), True),
        (summary(0.1, 0.0, 5, control=np.nan), True),
    ],
    ids=str,
)
def test_a_mean_is_above_by_its_interval(row: pd.DataFrame, above: bool) -> None:
    assert above_control(row, UP).tolist() == [above]


def test_random_labels_are_seldom_above_the_control() -> None:
    rng = np.random.default_rng(1)
    classes = np.repeat(np.arange(7), 17)
    control = best_controls(honest_controls({"c": classes}, scoring_functions(["nmi"])), UP)["c", "nmi"]
    drawn = [normalized_mutual_info_score(classes, rng.integers(7, size=classes.size)) for _ in range(400)]
    above = [
        bool(above_control(summary(value, np.nan, 1, control.value, "nmi", control.spread), UP)[0]) for value in drawn
    ]
    assert np.mean(above) < 0.08


@pytest.mark.parametrize(
    ("asked", "collapsed"),
    [
        ({"c0ffee": 10}, {"mine": (3, 2), "told": (1, 1)}),  # a parameter goes before the classes
        ({"c0ffee": 2}, {"mine": (3, 1), "told": (1, 1)}),  # one cluster where two are asked for
        ({"c0ffee": 1}, {"told": (1, 1)}),
        ({}, {"told": (1, 1)}),  # of what nobody says
    ],
)
def test_fewer_than_half_of_the_clusters_asked_for_is_a_collapse_counted_by_trial(long_frame, asked, collapsed) -> None:
    for repeat, n_labels in enumerate((1, 2, 5)):
        long_frame.trial("mine", {"acc": [0.1, 0.1]}, repeat=repeat, n_labels=n_labels)
        long_frame.trial("good", {"acc": [0.9, 0.9]}, repeat=repeat, n_labels=10)
    long_frame.trial("told", {"acc": [0.5]}, n_labels=5, params={"n_clusters": 20})
    rows = cluster_counts(reported_trials(long_frame.frame()).kept, asked)
    found = {row.contestant.partition(" ")[0]: (row.n_trials, row.n_collapsed) for row in rows.itertuples()}
    assert found == collapsed
