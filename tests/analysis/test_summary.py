"""Summaries: hand-computed means and deviations, and everything that did not work counted, with its reason."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from mvarena.analysis.summary import failure_counts, summarize
from mvarena.analysis.trial_values import reported_trials

NAN = float("nan")


def summarized(frame: pd.DataFrame, *metrics: str) -> pd.DataFrame:
    return summarize(reported_trials(frame), metrics or None)


def only(frame: pd.DataFrame) -> pd.Series:
    summary = summarized(frame)
    assert len(summary) == 1
    return summary.iloc[0]


def test_mean_and_std_are_over_trials(long_frame) -> None:
    long_frame.trial(values={"acc": [0.1, 0.2]}, repeat=0, wall_s=1.0, peak_rss_mb=90.0)
    long_frame.trial(values={"acc": [0.3, 0.6]}, repeat=1, wall_s=3.0, peak_rss_mb=70.0)
    row = only(long_frame.frame())
    assert row["mean"] == pytest.approx(0.3)
    assert row["std"] == pytest.approx(math.sqrt(0.045))  # of .15 and .45
    assert (row["n_trials"], row["n_stored"], row["restarts"]) == (2, 2, 2)
    assert (row["wall_s"], row["fit_s"], row["peak_rss_mb"]) == (2.0, 0.5, 90.0)
    assert (row["status"], row["failed"], row["skipped"], row["reason"]) == ("DONE", 0, 0, "")
    assert not row["label_picked"]


def test_best_by_labels_is_marked(long_frame) -> None:
    long_frame.trial(values={"acc": [0.9, 0.2], "error": [0.9, 0.2]}, pick="best-by-labels")
    summary = summarized(long_frame.frame()).set_index("metric")
    assert summary["mean"].to_dict() == {"acc": 0.9, "error": 0.2}
    assert summary["label_picked"].all()


@pytest.mark.parametrize(
    ("values", "mean", "std", "status", "counts"),
    [
        ([[0.5]], 0.5, NAN, "DONE", (0, 1)),  # a single value has no deviation
        ([[0.2, NAN, 0.4], [NAN, NAN, NAN]], 0.3, math.sqrt(0.02), "DONE", (1, 1)),  # that of the restarts
        ([[NAN]], NAN, NAN, "NAN", (1, 0)),
        ([[0.2, math.inf]], math.inf, NAN, "DONE", (0, 1)),
    ],
)
def test_nan_is_left_out_and_counted_and_infinity_is_a_value(
    long_frame, values: list[list[float]], mean: float, std: float, status: str, counts: tuple[int, int]
) -> None:
    for repeat, of_restarts in enumerate(values):
        long_frame.trial(values={"acc": of_restarts}, repeat=repeat)
    row = only(long_frame.frame())
    assert (row["mean"], row["std"]) == pytest.approx((mean, std), nan_ok=True)
    assert (row["status"], row["n_nan"], row["n_trials"]) == (status, *counts)


def test_failures_stand_beside_the_mean_of_the_rest(long_frame) -> None:
    long_frame.trial(values={"acc": [0.5]}, repeat=0)
    costs = {"wall_s": 600.0, "cpu_s": 600.0, "fit_s": 600.0, "peak_rss_mb": 9000.0}
    long_frame.trial(repeat=1, status="TIMEOUT", reason="exceeded 600 s", **costs)
    long_frame.trial(repeat=2, status="SKIPPED", reason="three views")
    row = only(long_frame.frame())
    assert row[list(costs)].tolist() == [1.0, 1.0, 0.5, 100.0], "of finished trials alone"
    assert (row["mean"], row["status"], row["n_trials"], row["n_stored"]) == (0.5, "DONE", 1, 3)
    assert (row["failed"], row["skipped"]) == (1, 1)
    assert row["reason"] == "three views", "of the first by name of equally frequent endings"


def test_a_point_that_failed_is_a_row_for_every_metric(long_frame, new_long_frame) -> None:
    long_frame.trial("apmc", {"acc": [0.5], "nmi": [0.4]}).trial("pvc", status="CRASHED", reason="signal 11")
    rows = summarized(long_frame.frame()).set_index(["contestant", "metric"])
    assert list(rows.index) == [("apmc", "acc"), ("apmc", "nmi"), ("pvc", "acc"), ("pvc", "nmi")]
    assert set(rows.loc["pvc", "status"]) == {"CRASHED"}
    assert rows.loc["pvc", "mean"].isna().all()
    alone = new_long_frame().trial("pvc", status="SKIPPED", reason="three views")
    assert only(alone.frame())[["metric", "status", "skipped"]].tolist() == ["acc", "SKIPPED", 1]


def test_a_finished_trial_without_the_metric_is_unscored(long_frame) -> None:
    long_frame.trial("apmc", {"acc": [0.5]}).trial("pvc", None, status="DONE")
    rows = summarized(long_frame.frame(), "nmi").set_index("contestant")
    assert list(rows["status"]) == ["UNSCORED", "UNSCORED"]
    assert list(rows["unscored"]) == [1, 1]


def test_metrics_choose_and_order(long_frame) -> None:
    frame = long_frame.trial(values={"acc": [0.1], "nmi": [0.2], "error": [0.3]}).frame()
    assert list(summarized(frame, "nmi", "acc")["metric"]) == ["nmi", "acc"]
    assert list(summarized(frame)["metric"]) == ["acc", "error", "nmi"]


def best_view(builder, metric: str, scores: dict[str, list[float] | None], **columns):
    for view, values in scores.items():
        given = None if values is None else {metric: values}
        ended = {} if values is not None else {"status": "TIMEOUT", "reason": "600 s"}
        builder.trial("bsv-kmeans", given, params={"view": view}, picks_by_labels="view", **ended, **columns)
    return builder.frame()


@pytest.mark.parametrize(("metric", "best", "choice"), [("acc", 0.7, "view=fac"), ("error", 0.5, "view=fou")])
def test_the_best_view_is_picked_and_said(long_frame, metric: str, best: float, choice: str) -> None:
    row = only(best_view(long_frame, metric, {"fou": [0.4, 0.6], "fac": [0.6, 0.8]}))
    assert row["mean"] == pytest.approx(best)
    assert (row["contestant"], row["label_picked"], row["choice"], row["n_trials"]) == ("bsv-kmeans", True, choice, 1)


def test_the_best_view_is_that_of_the_best_mean_over_repeats_at_each_rate(long_frame) -> None:
    for repeat, (fou, fac) in enumerate(((0.9, 0.6), (0.1, 0.6))):
        best_view(long_frame, "acc", {"fou": [fou], "fac": [fac]}, repeat=repeat, rate=0.1)
    rows = summarized(best_view(long_frame, "acc", {"fou": [0.3], "fac": [0.2]}, rate=0.5))
    assert list(zip(rows["choice"], rows["mean"], strict=True)) == [("view=fac", 0.6), ("view=fou", 0.3)]


def test_no_view_worked(long_frame) -> None:
    row = only(best_view(long_frame, "acc", {"fou": None, "fac": None}))
    assert (row["status"], row["failed"], row["label_picked"], row["choice"]) == ("TIMEOUT", 1, True, "")


def test_the_same_repeat_with_more_restarts_replaces_the_shorter_one(long_frame) -> None:
    long_frame.trial(values={"acc": [0.1, 0.3, 0.5]}, repeat=0).trial(values={"acc": [0.1]}, repeat=0)
    row = only(long_frame.frame())
    assert row["mean"] == pytest.approx(0.3)
    assert (row["n_trials"], row["n_stored"], row["superseded"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("seed", (0, 1)),
        ("content", ("1a2b3c4d", "9f8e7d6c")),
        ("algorithm_version", ("1", "2")),
        ("protocol", ("fair", "mkkm")),
        ("pick", ("mean", "lowest-inertia")),
        ("prepare", ("", "minmax")),
        ("steps", ("missing-even 1", "missing-even 2")),
    ],
)
def test_what_is_not_the_same_never_shares_a_row(long_frame, column, values) -> None:
    for value, score in zip(values, (0.2, 0.4), strict=True):
        long_frame.trial(values={"acc": [score]}, **{column: value})
    rows = summarized(long_frame.frame())
    assert sorted(rows["mean"]) == [0.2, 0.4]
    assert not rows[["dataset", "contestant"]].duplicated().any()
    assert rows["superseded"].sum() == 0


def test_a_row_says_which_repeats_it_is_over(long_frame) -> None:
    for repeat in (4, 0, 1, 2):
        long_frame.trial(values={"acc": [0.2]}, repeat=repeat, seed=3)
    assert only(long_frame.frame())["repeats"] == "0-2 and 4 of seed 3"


def test_one_key_known_by_two_names_counts_under_both(long_frame) -> None:
    for protocol in ("fair", "mic"):
        long_frame.trial(values={"acc": [0.2, 0.4]}, protocol=protocol, key="same")
    rows = summarized(long_frame.frame())
    assert list(rows["contestant"]) == ["apmc (protocol=fair)", "apmc (protocol=mic)"]
    assert list(rows["n_trials"]) == [1, 1]
    assert list(rows["mean"]) == pytest.approx([0.3, 0.3])


def test_points_and_variants_are_apart_and_in_order(long_frame) -> None:
    for dataset, rate, m in (("b", 0.1, 7), ("a", 0.5, 7), ("a", 0.1, 10), ("a", 0.1, 7)):
        long_frame.trial(values={"acc": [rate]}, dataset=dataset, rate=rate, params={"m": m})
    rows = summarized(long_frame.frame())
    assert list(zip(rows["dataset"], rows["rate"], rows["contestant"], strict=True)) == [
        ("a", 0.1, "apmc (m=7)"),
        ("a", 0.1, "apmc (m=10)"),
        ("a", 0.5, "apmc (m=7)"),
        ("b", 0.1, "apmc (m=7)"),
    ]


@pytest.mark.parametrize(
    ("endings", "expected"),
    [
        ([("DONE", ""), ("DONE", "")], (0, 0, "", "")),
        ([("SKIPPED", "three views"), ("TIMEOUT", "600 s"), ("TIMEOUT", "600 s"), ("DONE", "")],
         (2, 1, "TIMEOUT", "600 s")),
        ([("FAILED", "b"), ("FAILED", "c"), ("FAILED", "a")], (3, 0, "FAILED", "a")),  # of equals the first by name
        ([("CRASHED", "")], (1, 0, "CRASHED", "")),
        # the reason is one of the status that is given
        ([*(("SKIPPED", f"set {number}") for number in range(3)), ("TIMEOUT", "600 s"), ("TIMEOUT", "600 s")],
         (2, 3, "SKIPPED", "set 0")),
    ],
)  # fmt: skip
def test_failures_are_counted_and_the_most_frequent_reason_is_given(
    endings: list[tuple[str, str]], expected: tuple[int, int, str, str]
) -> None:
    trials = pd.DataFrame([{"name": "apmc", "status": status, "reason": reason} for status, reason in endings])
    (row,) = failure_counts(trials, ["name"])[["failed", "skipped", "status", "reason"]].to_numpy().tolist()
    assert tuple(row) == expected
