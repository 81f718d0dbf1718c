"""Scores as the share of the way from the better control to the best value, in numbers and in words."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from mvarena.contracts.specs import AlgorithmSpec
from mvarena.report.figures.kinds import draw, figure_kinds


@pytest.fixture
def results(results_of, new_long_frame, context):
    """One cluster has .2 on digits, nothing is known of the other data set."""
    builder = new_long_frame()
    for dataset in ("digits", "toy"):
        at = {"dataset": dataset, "content": dataset}
        builder.trial("apmc", {"acc": [0.6], "spread": [3.0]}, **at).trial(
            "concat", {"acc": [0.1], "spread": [2.0]}, **at
        )
    builder.trial("one-cluster", {"acc": [0.2], "spread": [0.0]}, content="digits")
    spec = AlgorithmSpec(name="one-cluster", target="some.control.one:One", summary="a control")
    known = replace(context, algorithms={**context.algorithms, "one-cluster": spec})
    return results_of(builder, metrics=["acc", "spread"], context=known, above_control=True)


def means(results, metric: str) -> dict[tuple[str, str], float]:
    rows = results.summary[results.summary["metric"] == metric]
    return dict(zip(zip(rows["dataset"], rows["contestant"], strict=True), rows["mean"], strict=True))


def test_shares_of_the_way_to_the_best_value(results) -> None:
    shares = means(results, "acc")
    assert shares["digits", "apmc"] == pytest.approx(0.5)
    assert shares["digits", "concat"] == pytest.approx(-0.125)
    assert shares["digits", "one-cluster"] == 0.0
    assert math.isnan(shares["toy", "apmc"])
    assert means(results, "spread")["toy", "apmc"] == 3.0


def test_a_copy_without_controls_shows_the_same(results) -> None:
    assert "one-cluster" in results.context.controls
    assert means(results.without_controls, "acc")["digits", "apmc"] == pytest.approx(0.5)


def test_captions_and_axes_say_so(results) -> None:
    measured = next(table.measured for table in results.tables if table.dataset == "digits")
    assert measured.startswith("ACC on a scale from the better control")
    assert measured.endswith("Spread")
    (kind,) = figure_kinds(["bars"])
    ((_, points),) = kind.figures(results)
    axes = draw("bars", points, results.looks).axes
    assert {axis.get_ylabel() for axis in axes} == {"ACC (%, 0 = control)", "Spread"}
    shown = next(axis for axis in axes if axis.get_ylabel().startswith("ACC"))
    assert shown.get_ylim()[0] < -12.5
