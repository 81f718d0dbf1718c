"""Who is not significantly worse than the best: against scipy, and what must hold for any table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel

from mvarena.analysis.significance import Level, holm, joined, level_with_best

COLUMNS = ["dataset", "metric"]
UP = {"acc": True}


def values_of(table: dict[str, list[float]], dataset: str = "digits", **columns: object) -> pd.DataFrame:
    """Contestant -> one value per repeat; NaN where it did not finish."""
    rows = [
        {"dataset": dataset, "metric": "acc", "contestant": name, "seed": 0, "repeat": repeat, "value": value}
        for name, values in table.items()
        for repeat, value in enumerate(values)
    ]
    return pd.DataFrame(rows).assign(label_picked=False, **columns)


@given(st.integers(3, 12), st.integers(2, 6), st.integers(0, 1000), st.floats(0, 2))
def test_the_test_is_that_of_scipy_with_holm(n: int, k: int, seed: int, lead: float) -> None:
    drawn = np.random.default_rng(seed).normal(size=(n, k)) + lead * np.arange(k)
    names = [f"m{place}" for place in range(k)]
    found = level_with_best(values_of(dict(zip(names, drawn.T.tolist(), strict=True))), COLUMNS, UP)
    best = int(drawn.mean(axis=0).argmax())
    rest = [place for place in range(k) if place != best]
    corrected = holm([ttest_rel(drawn[:, best], drawn[:, place]).pvalue for place in rest])
    expected = {("digits", "acc", names[place]) for place, p in zip(rest, corrected, strict=True) if p > 0.05}
    assert found.alike == expected
    assert found.tested == {("digits", "acc", names[place]) for place in rest}


def test_lower_is_better_where_the_metric_says_so() -> None:
    values = values_of({"a": [0.1, 0.2, 0.15], "b": [0.9, 0.95, 0.92], "c": [0.12, 0.19, 0.16]})
    assert level_with_best(values, COLUMNS, {"acc": False}).alike == {("digits", "acc", "c")}


def test_what_has_one_repeat_in_common_is_not_tested() -> None:
    nan = float("nan")
    found = level_with_best(
        values_of({"a": [0.9, 0.8, 0.85], "b": [0.1, nan, nan], "c": [0.84, 0.86, 0.8]}), COLUMNS, UP
    )
    assert found.tested == {("digits", "acc", "c")}


def test_only_the_repeats_that_both_finished_count() -> None:
    nan = float("nan")
    table = {"a": [0.9, 0.8, 0.85, nan], "b": [0.89, 0.79, 0.83, 0.0]}  # the last of b has nobody to be compared with
    assert level_with_best(values_of(table), COLUMNS, UP).alike == {("digits", "acc", "b")}


def test_the_same_numbers_are_level_and_a_constant_lead_is_not() -> None:
    same = values_of({"a": [0.5, 0.7], "b": [0.5, 0.7], "c": [0.4, 0.6]})
    found = level_with_best(same, COLUMNS, UP)
    assert found.alike in ({("digits", "acc", "b")}, {("digits", "acc", "a")})


def test_what_ground_truth_picked_is_neither_best_nor_tested() -> None:
    fair, picked = values_of({"a": [0.5, 0.6], "b": [0.4, 0.61]}), values_of({"oracle": [0.9, 0.9]})
    found = level_with_best(pd.concat([fair, picked.assign(label_picked=True)]), COLUMNS, UP)
    assert found.tested == {("digits", "acc", "b")}


def test_columns_are_tested_apart() -> None:
    first, second = (
        values_of({"a": [0.5, 0.52, 0.51], "b": [0.1, 0.12, 0.11]}),
        values_of({"a": [0.1, 0.2], "b": [0.2, 0.1]}, "toy"),
    )
    found = level_with_best(pd.concat([first, second]), COLUMNS, UP)
    assert {entry[0] for entry in found.alike} == {"toy"}
    assert joined([found, Level()]) == found
    assert joined([]) == Level()


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e6])
def test_the_unit_does_not_matter(scale: float) -> None:
    table = {"a": [0.9, 0.8, 0.95], "b": [0.85, 0.82, 0.9], "c": [0.2, 0.1, 0.15]}
    scaled = {name: [scale * value for value in values] for name, values in table.items()}
    assert level_with_best(values_of(scaled), COLUMNS, UP).alike == {("digits", "acc", "b")}
