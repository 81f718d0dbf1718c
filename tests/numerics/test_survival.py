"""Survival of groups: against lifelines, and properties of the permutations."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mvarena.numerics.survival import MOST_PERMUTATIONS, kaplan_meier, log_rank, log_rank_permutation_p

# made by lifelines 0.30.0: `multivariate_logrank_test(time, groups, event).test_statistic` and
# `KaplanMeierFitter().fit(time, event).survival_function_`, for data with ties and without
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "survival.json").read_text("utf-8"))


def arrays(case: dict[str, Any]) -> tuple[Any, Any, Any]:
    return np.array(case["time"]), np.array(case["event"], dtype=bool), np.array(case["groups"])


@pytest.mark.parametrize("case", GOLDEN, ids=["two groups", "three groups with ties", "five groups"])
def test_statistic_and_curve_are_those_of_lifelines(case: dict[str, Any]) -> None:
    time, event, groups = arrays(case)
    assert log_rank(time, event, groups) == pytest.approx(case["log_rank"], rel=1e-10)
    curve = kaplan_meier(time, event)
    assert curve.time.tolist() == case["curve_time"]
    assert curve.survival == pytest.approx(np.array(case["survival"]), abs=1e-10)


def test_permutation_p_approaches_that_of_all_permutations() -> None:
    time = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])
    event = np.array([1, 1, 1, 0, 1, 1, 1, 1], dtype=bool)
    groups = np.array([0, 0, 1, 0, 0, 1, 1, 1])
    observed = log_rank(time, event, groups)
    every = [
        log_rank(time, event, np.isin(np.arange(8), chosen).astype(np.int64))
        for chosen in itertools.combinations(range(8), 4)
    ]
    exact = np.mean([value >= observed * (1 - 1e-9) for value in every])
    drawn = [log_rank_permutation_p(time, event, groups, seed) for seed in range(10)]
    assert 0.1 < exact < 0.9
    assert np.mean(drawn) == pytest.approx(exact, abs=0.02)


def test_the_smallest_p_is_one_of_all_permutations() -> None:
    time = np.arange(1.0, 81.0)
    groups = (time > 40).astype(np.int64)
    assert log_rank_permutation_p(time, np.ones(80, dtype=bool), groups, 0) == 1 / (MOST_PERMUTATIONS + 1)


def test_permutation_p_knows_neither_order_nor_names() -> None:
    rng = np.random.default_rng(3)
    time, event = rng.integers(1, 9, 40).astype(float), rng.random(40) < 0.7
    groups, order = rng.integers(0, 3, 40), rng.permutation(40)
    expected = log_rank_permutation_p(time, event, groups, 5)
    assert log_rank_permutation_p(time[order], event[order], groups[order], 5) == expected
    assert log_rank_permutation_p(time, event, np.array([9, 2, 4])[groups], 5) == expected
    assert len({log_rank_permutation_p(time, event, groups, seed) for seed in range(5)}) > 1


def test_a_group_that_is_never_at_risk_changes_nothing() -> None:
    time = np.array([0.5, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    event = np.array([0, 0, 1, 1, 1, 1, 1, 1], dtype=bool)
    groups = np.array([2, 2, 0, 1, 0, 1, 1, 0])
    assert log_rank(time, event, groups) == pytest.approx(log_rank(time[2:], event[2:], groups[2:]), rel=1e-9)


@pytest.mark.parametrize("groups", [[0, 0, 0], [0, 1, 1]])
def test_what_has_no_statistic_is_nan(groups: list[int]) -> None:
    event = np.array([False, False, False]) if len(set(groups)) > 1 else np.array([True, True, False])
    time = np.array([1.0, 2.0, 3.0])
    assert math.isnan(log_rank(time, event, np.array(groups)))
    assert math.isnan(log_rank_permutation_p(time, event, np.array(groups), 0))


def test_curve_counts_who_is_at_risk_and_who_is_censored() -> None:
    curve = kaplan_meier(np.array([2.0, 2.0, 3.0, 5.0]), np.array([True, False, True, False]))
    assert curve.time.tolist() == [0.0, 2.0, 3.0, 5.0]
    assert curve.survival.tolist() == [1.0, 0.75, 0.375, 0.375]
    assert curve.at_risk.tolist() == [4, 4, 2, 1]
    assert curve.censored.tolist() == [0, 1, 0, 1]
