"""Who is worse than the best: against scipy, and what must hold for any table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel

from mvarena.analysis.significance import holm, worse_than_best

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


NAN = float("nan")


def repeated(*values: float, times: int = 4) -> list[float]:
    """`values` again and again, with a little noise that is the same in every call."""
    noise = np.random.default_rng(0).normal(scale=1e-3, size=times * len(values))
    return (np.tile(values, times) + noise).tolist()


@given(st.integers(10, 16), st.integers(2, 6), st.integers(0, 1000), st.floats(0, 2))
def test_the_test_is_that_of_scipy_with_holm(n: int, k: int, seed: int, lead: float) -> None:
    drawn = np.random.default_rng(seed).normal(size=(n, k)) + lead * np.arange(k)
    names = [f"m{place}" for place in range(k)]
    found = worse_than_best(values_of(dict(zip(names, drawn.T.tolist(), strict=True))), COLUMNS, UP)
    best = int(drawn.mean(axis=0).argmax())
    rest = [place for place in range(k) if place != best]
    p_values = [ttest_rel(drawn[:, best], drawn[:, place]).pvalue for place in rest]
    corrected = holm(p_values, k * (k - 1) // 2)
    expected = {("digits", "acc", names[place]) for place, p in zip(rest, corrected, strict=True) if p <= 0.05}
    assert found.worse == expected
    assert found.tested == {("digits", "acc", names[place]) for place in rest}


def test_equal_contestants_are_seldom_marked() -> None:
    rng = np.random.default_rng(0)
    marked = 0
    for _ in range(60):
        drawn = {f"m{place}": rng.normal(size=10).tolist() for place in range(20)}
        marked += bool(worse_than_best(values_of(drawn), COLUMNS, UP).worse)
    assert marked <= 0.05 * 60


def test_lower_is_better_where_the_metric_says_so() -> None:
    values = values_of({"a": repeated(0.1, 0.2, 0.15), "b": repeated(0.9, 0.95, 0.92)})
    assert worse_than_best(values, COLUMNS, {"acc": False}).worse == {("digits", "acc", "b")}
    assert worse_than_best(values, COLUMNS, UP).worse == {("digits", "acc", "a")}


def test_below_ten_repeats_nothing_is_tested() -> None:
    for times, tested in ((9, set()), (10, {("digits", "acc", "b")})):
        values = values_of({"a": repeated(0.9, times=times), "b": repeated(0.1, times=times)})
        found = worse_than_best(values, COLUMNS, UP)
        assert found.tested == found.worse == tested
    values = values_of({"a": repeated(0.9, times=10), "b": repeated(0.1, times=10), "c": repeated(0.1, times=9)})
    assert worse_than_best(values, COLUMNS, UP).tested == {("digits", "acc", "b")}, "c has nine in common with a"


@pytest.mark.parametrize(("lead", "is_worse"), [(2.2, False), (2.3, True)])
def test_the_deviation_of_gains_is_that_of_a_sample(lead: float, is_worse: bool) -> None:
    """Of ten gains, lead * sd / sqrt(10) + 1 or - 1, the t statistic is the lead; 2.262 is the limit."""
    gains = lead / 3 + np.tile([1.0, -1.0], 5)  # sd = sqrt(10 / 9)
    found = worse_than_best(values_of({"a": gains.tolist(), "b": [0.0] * 10}), COLUMNS, UP)
    assert found.worse == ({("digits", "acc", "b")} if is_worse else set())


def test_a_difference_below_the_margin_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    first = rng.normal(0.5, 0.1, 20)
    values = values_of(
        {
            "a": first.tolist(),
            "close": (first - rng.normal(0.005, 0.001, 20)).tolist(),
            "far": (first - rng.normal(0.05, 0.001, 20)).tolist(),
        }
    )
    assert {name for *_, name in worse_than_best(values, COLUMNS, UP).worse} == {"close", "far"}
    assert {name for *_, name in worse_than_best(values, COLUMNS, UP, {"acc": 0.01}).worse} == {"far"}
    assert {name for *_, name in worse_than_best(values, COLUMNS, UP, {"nmi": 0.01}).worse} == {"close", "far"}


def test_only_the_repeats_that_both_finished_count() -> None:
    table = {"a": [*repeated(0.9, 0.8, 0.85), NAN], "b": [*repeated(0.9, 0.8, 0.85), 0.0]}
    found = worse_than_best(values_of(table), COLUMNS, UP)
    assert (len(found.tested), found.worse) == (1, set())


def test_the_same_numbers_are_not_worse_and_a_constant_lead_is() -> None:
    same = values_of({"a": [0.5, 0.7] * 6, "b": [0.5, 0.7] * 6, "c": [0.4, 0.6] * 6})
    assert worse_than_best(same, COLUMNS, UP, {"acc": 0.01}).worse == {("digits", "acc", "c")}


def test_what_ground_truth_picked_is_neither_best_nor_tested() -> None:
    fair = values_of({"a": repeated(0.5, times=12), "b": repeated(0.4, times=12)})
    picked = values_of({"oracle": repeated(0.9, times=12)})
    found = worse_than_best(pd.concat([fair, picked.assign(label_picked=True)]), COLUMNS, UP)
    assert found.tested == found.worse == {("digits", "acc", "b")}


def test_columns_are_tested_apart() -> None:
    first = values_of({"a": repeated(0.5, times=12), "b": repeated(0.1, times=12)})
    second = values_of({"a": [0.1, 0.2] * 6, "b": [0.2, 0.1] * 6}, "toy")
    found = worse_than_best(pd.concat([first, second]), COLUMNS, UP)
    assert {entry[0] for entry in found.tested} == {"digits", "toy"}
    assert {entry[0] for entry in found.worse} == {"digits"}


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e6])
def test_the_unit_does_not_matter(scale: float) -> None:
    table = {"a": repeated(0.9, 0.8, 0.95), "b": repeated(0.95, 0.82, 0.87), "c": repeated(0.2, 0.1, 0.15)}
    scaled = {name: [scale * value for value in values] for name, values in table.items()}
    assert worse_than_best(values_of(scaled), COLUMNS, UP).worse == {("digits", "acc", "c")}
