"""What a protocol counts of the restarts of a trial."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.contracts.protocol import counted_restart, counted_value

NAN = math.nan


def test_the_mean_leaves_out_what_is_no_number_and_has_a_spread() -> None:
    value, spread = counted_value("mean", [0.1, NAN, 0.9, 0.5], [4, 3, 2, 1])
    assert (value, spread) == (pytest.approx(0.5), pytest.approx(0.4))
    assert counted_value("mean", [math.inf, 0.5], [1, 1]).value == math.inf
    assert math.isnan(counted_value("mean", [NAN, NAN], [1, 1]).value)
    one = counted_value("mean", [0.5, NAN], [1, 1])
    assert one.value == 0.5
    assert math.isnan(one.spread)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30))
def test_the_mean_and_the_spread_are_those_of_numpy(values: list[float]) -> None:
    value, spread = counted_value("mean", values, [0.0] * len(values))
    assert value == pytest.approx(np.mean(values), rel=1e-12, abs=1e-9)
    assert spread == pytest.approx(np.std(values, ddof=1), rel=1e-9, abs=1e-9)


def test_lowest_inertia_counts_that_restart_however_bad_its_score() -> None:
    value, spread = counted_value("lowest-inertia", [0.1, 0.9, 0.5], [3, 2, 1])
    assert value == 0.5
    assert math.isnan(spread)
    assert math.isnan(counted_value("lowest-inertia", [NAN, 0.9], [1, 2]).value)


def test_equal_inertia_takes_the_first_and_unknown_inertia_the_last_place() -> None:
    assert counted_value("lowest-inertia", [0.1, 0.9], [1, 1]).value == 0.1
    assert counted_value("lowest-inertia", [0.1, 0.9], [NAN, 5]).value == 0.9
    assert counted_value("lowest-inertia", [0.1, 0.9], [NAN, NAN]).value == 0.1


@pytest.mark.parametrize(("higher", "best"), [(True, 0.9), (False, 0.1)])
def test_best_by_labels_follows_the_metrics_direction(higher: bool, best: float) -> None:
    assert counted_value("best-by-labels", [0.1, NAN, 0.9, 0.5], [1, 2, 3, 4], higher).value == best


@pytest.mark.parametrize("pick", ["mean", "lowest-inertia", "best-by-labels"])
def test_a_metric_of_all_restarts_together_is_its_value(pick) -> None:
    value, spread = counted_value(pick, [0.25], [3, 1])
    assert value == 0.25
    assert math.isnan(spread)


def test_the_labels_that_count_are_of_the_lowest_inertia_or_the_best_by_labels() -> None:
    assert counted_restart("mean", [2.0, 1.0, 1.0]) == 1
    assert counted_restart("lowest-inertia", [2.0, 1.0], judged=[0.9, 0.1]) == 1
    assert counted_restart("best-by-labels", [2.0, 1.0, 3.0], judged=[NAN, 0.1, 0.4]) == 2
    assert counted_restart("best-by-labels", [2.0, 1.0]) == 1
