"""Plot data: what a figure shows, before it is drawn."""

from __future__ import annotations

import math

import pytest

from mvarena.report.figures.rate import CURVE_COLUMNS


def test_points_are_in_percent_with_their_band(results_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.4, 0.6]}, rate=0.1).trial("a", {"acc": [0.3]}, rate=0.3)
    points = results_of(long_frame).curves
    assert list(points.columns) == list(CURVE_COLUMNS)
    deviation = 100 * math.sqrt(0.02)
    assert list(points["mean"]) == pytest.approx([50.0, 30.0])
    assert list(points["low"]) == pytest.approx([50.0 - deviation, 30.0])
    assert list(points["high"]) == pytest.approx([50.0 + deviation, 30.0])


def test_bounds_are_the_metrics_in_the_unit_shown(results_of, long_frame) -> None:
    points = results_of(long_frame.trial("a", {"acc": [0.5], "spread": [12.0], "unheard-of": [3.0]})).curves
    rows = points.set_index("metric")[["mean", "lowest", "highest", "metric_axis"]]
    assert list(rows.loc["acc"]) == [50.0, 0.0, 100.0, "ACC (%)"]
    assert list(rows.loc["spread"]) == [12.0, 0.0, math.inf, "Spread"]
    assert list(rows.loc["unheard-of"]) == [3.0, -math.inf, math.inf, "unheard-of"]


def test_words_are_labels(results_of, long_frame) -> None:
    (row,) = results_of(long_frame.trial("labelled", {"acc": [0.5]}, dataset="toy")).curves.to_dict("records")
    assert (row["contestant"], row["label"]) == ("labelled", "A Labelled One")
    assert (row["title"], row["rate_axis"]) == ("Toy Data", "missing rate (missing-even)")


def test_a_failure_is_a_gap_and_a_point_never_run_is_none(results_of, long_frame) -> None:
    for rate in (0.1, 0.3, 0.5):
        long_frame.trial("a", {"acc": [0.5]}, rate=rate)
    long_frame.trial("b", {"acc": [0.4]}, rate=0.1).trial("b", status="TIMEOUT", rate=0.5)
    points = results_of(long_frame).curves
    rows = points[points["contestant"] == "b"]
    assert list(rows["rate"]) == [0.1, 0.5]
    assert list(rows["status"]) == ["DONE", "TIMEOUT"]
    assert math.isnan(rows["mean"].iloc[1])


def test_rows_stand_by_panel_line_and_rate(results_of, long_frame) -> None:
    for dataset, name, rate in (("b", "x", 0.5), ("b", "x", 0.1), ("a", "y", 0.1), ("a", "x", 0.1)):
        long_frame.trial(name, {"acc": [0.5]}, dataset=dataset, rate=rate)
    points = results_of(long_frame).curves
    assert list(zip(points["dataset"], points["contestant"], points["rate"], strict=True)) == [
        ("a", "x", 0.1),
        ("a", "y", 0.1),
        ("b", "x", 0.1),
        ("b", "x", 0.5),
    ]
