"""Scores over the rates, as in EE-IMVC's Table 1, and ranks over data sets."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.analysis.summary import over_rates
from mvarena.analysis.trial_values import reported_trials, trial_values


def aggregated(builder, metrics=("acc",)):
    return over_rates(trial_values(reported_trials(builder.frame()), metrics))


def scored(builder, table: dict[str, dict[str, float | None]], *, metric="acc", **columns):
    """`table` is data set -> method -> score, None for a trial that crashed."""
    for dataset, scores in table.items():
        for name, score in scores.items():
            values = None if score is None else {metric: [score]}
            status = {} if score is not None else {"status": "CRASHED"}
            builder.trial(name, values, dataset=dataset, content=dataset, **status, **columns)
    return builder


def test_the_mean_is_over_rates_first_and_the_deviation_over_repeats(long_frame) -> None:
    for rate, repeat, value in ((0.1, 0, 0.9), (0.5, 0, 0.5), (0.1, 1, 0.7), (0.5, 1, 0.5)):
        long_frame.trial("a", {"acc": [value]}, rate=rate, repeat=repeat)
    (row,) = aggregated(long_frame).to_dict("records")
    assert row["mean"] == pytest.approx(0.65)
    assert row["std"] == pytest.approx(math.sqrt(2) * 0.05)  # of .7 and .6
    assert (row["n_rates"], row["of_rates"], row["n_repeats"]) == (2, 2, 2)


def test_of_each_trial_the_restart_counts_that_its_protocol_picks(long_frame) -> None:
    picked = {"pick": "lowest-inertia", "inertia": [3.0, 1.0]}
    long_frame.trial("a", {"acc": [0.9, 0.2]}, **picked)
    assert aggregated(long_frame)["mean"].tolist() == [0.2]


def test_a_repeat_without_all_rates_is_left_out_and_a_method_without_any_has_no_mean(long_frame) -> None:
    for repeat in (0, 1):
        long_frame.trial("a", {"acc": [0.9]}, rate=0.1, repeat=repeat).trial(
            "b", {"acc": [0.9]}, repeat=repeat, rate=0.1
        )
    long_frame.trial("a", {"acc": [0.5]}, rate=0.5, repeat=0).trial("a", status="TIMEOUT", rate=0.5, repeat=1)
    rows = aggregated(long_frame).set_index("contestant")
    assert rows.loc["a", "mean"] == pytest.approx(0.7)
    assert rows.loc["a", ["n_repeats", "of_repeats"]].tolist() == [1, 2]
    assert math.isnan(rows.loc["b", "mean"])
    assert rows.loc["b", ["status", "n_rates", "of_rates"]].tolist() == ["INCOMPLETE", 1, 2]


def test_what_never_finished_says_what_became_of_it(long_frame) -> None:
    long_frame.trial("a", {"acc": [0.9]}).trial("b", status="SKIPPED", reason="b takes two views.")
    row = aggregated(long_frame).set_index("contestant").loc["b"]
    assert (row["status"], row["reason"]) == ("SKIPPED", "b takes two views.")


def test_the_best_variant_is_picked_at_each_rate_and_marked(long_frame) -> None:
    for rate, scores in ((0.1, (0.9, 0.8)), (0.5, (0.3, 0.6))):
        for view, score in zip(("x", "y"), scores, strict=True):
            long_frame.trial("bsv", {"acc": [score]}, rate=rate, params={"view": view}, picks_by_labels="view")
    (row,) = aggregated(long_frame).to_dict("records")
    assert row["mean"] == pytest.approx(0.75)
    assert row["label_picked"]


@settings(max_examples=10)  # each makes a frame
@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_at_one_rate_it_is_the_plain_mean(new_long_frame, values: list[float]) -> None:
    builder = new_long_frame()
    for repeat, value in enumerate(values):
        builder.trial("a", {"acc": [value]}, repeat=repeat)
    assert aggregated(builder)["mean"].iloc[0] == pytest.approx(sum(values) / len(values))
