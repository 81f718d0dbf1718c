"""Plot data: what a figure shows, before it is drawn."""

from __future__ import annotations

import math

import pytest

from mvarena.report.curves import CURVE_COLUMNS, curves


def test_points_are_in_percent_with_their_band(summary_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [0.4, 0.6]}, rate=0.1).trial("a", {"acc": [0.3]}, rate=0.3)
    points = curves(summary_of(long_frame))
    assert list(points.columns) == list(CURVE_COLUMNS)
    deviation = 100 * math.sqrt(0.02)
    assert list(points["mean"]) == pytest.approx([50.0, 30.0])
    assert list(points["low"]) == pytest.approx([50.0 - deviation, 30.0])
    assert list(points["high"]) == pytest.approx([50.0 + deviation, 30.0])


def test_other_metrics_keep_their_unit(summary_of, long_frame) -> None:
    points = curves(summary_of(long_frame.trial("a", {"error": [12.0]})))
    assert (points["mean"].iloc[0], bool(points["percent"].iloc[0])) == (12.0, False)


def test_a_failure_is_a_gap_and_a_point_never_run_is_none(summary_of, long_frame) -> None:
    for rate in (0.1, 0.3, 0.5):
        long_frame.trial("a", {"acc": [0.5]}, rate=rate)
    long_frame.trial("b", {"acc": [0.4]}, rate=0.1).trial("b", status="TIMEOUT", rate=0.5)
    points = curves(summary_of(long_frame))
    rows = points[points["contestant"] == "b"]
    assert list(rows["rate"]) == [0.1, 0.5]
    assert list(rows["status"]) == ["DONE", "TIMEOUT"]
    assert math.isnan(rows["mean"].iloc[1])


def test_rows_stand_by_panel_line_and_rate(summary_of, long_frame) -> None:
    for dataset, name, rate in (("b", "x", 0.5), ("b", "x", 0.1), ("a", "y", 0.1), ("a", "x", 0.1)):
        long_frame.trial(name, {"acc": [0.5]}, dataset=dataset, rate=rate)
    points = curves(summary_of(long_frame))
    assert list(zip(points["dataset"], points["contestant"], points["rate"], strict=True)) == [
        ("a", "x", 0.1),
        ("a", "y", 0.1),
        ("b", "x", 0.1),
        ("b", "x", 0.5),
    ]
