"""Forecasts: a power law is found again, its spread is honest, and nothing is said where nothing is known."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.analysis.estimates import forecast, guess, measured_costs
from mvarena.registry.catalog import installed_catalog
from mvarena.store.costs import Cost
from mvarena.store.encoding import canonical_json
from mvarena.study.model import Study
from mvarena.study.plan import plan_study

SIZES = [100, 200, 400, 1600]


@given(st.floats(0.0, 3.0), st.floats(1e-6, 10.0), st.integers(50, 20_000))
def test_an_exact_power_law_is_continued_exactly(exponent, factor, n):
    found = guess(n, {size: factor * size**exponent for size in SIZES})
    assert found is not None
    assert found.basis == "power law"
    assert found.value == pytest.approx(factor * n**exponent, rel=1e-6)
    assert found.exponent == pytest.approx(exponent, abs=1e-6)
    assert found.spread == pytest.approx(1.0, abs=1e-5)


def test_the_spread_is_that_of_a_regression_with_two_parameters():
    """Of log values 0, d, 0 at three equal steps the squared residuals are 2 d^2 / 3, of one degree of freedom.

    In the middle of the sizes, and two steps from it.
    """
    for n, leverage in ((200, 1 / 3), (800, 1 / 3 + 4 / 2)):
        found = guess(n, {100: 1.0, 200: math.e, 400: 1.0})
        assert found.spread == pytest.approx(math.exp(math.sqrt(2 / 3 * (1 + leverage))))


def test_too_few_sizes_are_rough_or_nothing():
    assert guess(1000, {}) is None
    assert guess(1000, {100: 1.5}) is None
    one = guess(150, {100: 1.5})
    assert (one.value, one.basis) == (1.5, "rough")
    assert math.isnan(one.spread)
    two = guess(400, {100: 1.0, 200: 4.0})
    assert (two.basis, two.value) == ("rough", pytest.approx(16.0))
    falling = guess(10_000, {100: 4.0, 200: 2.0, 400: 1.0})
    assert (falling.exponent, falling.value) == (0.0, pytest.approx(2.0)), "time is not continued downwards"


def test_the_same_data_and_the_same_parameters_count_first():
    study = Study(algorithms=("toy-quick", "toy-slow"), datasets=("toy-blobs",), repeats=1)
    plan = plan_study(study, installed_catalog())
    quick, slow = plan.trials
    params = canonical_json(dict(quick.params))
    costs = [
        Cost("toy-quick", params, quick.content, 30, 3.0, 100.0),
        Cost("toy-quick", params, "another", 30, 50.0, 900.0),
        Cost("toy-quick", "{}", quick.content, 30, 70.0, 900.0),
    ]
    found = forecast(plan.trials, plan.samples, costs)
    assert found.seconds[quick.key].value == pytest.approx(3.0)
    assert found.seconds[quick.key].basis == "same data"
    assert found.unknown == {"toy-slow": 1}
    assert slow.key not in found.seconds
    assert found.peak_mb == pytest.approx(100.0)
    assert forecast(plan.trials, plan.samples, costs, limit_s=2.0).seconds[quick.key].value == 2.0
    middle, least, _ = found.total()
    assert middle == pytest.approx(3.0)
    assert math.isnan(least)


def test_measurements_say_what_stored_trials_do_not():
    study = Study(algorithms=("toy-quick", "toy-slow"), datasets=("toy-blobs",), repeats=1)
    plan = plan_study(study, installed_catalog())
    quick = plan.trials[0]
    n = plan.samples[quick.content]
    measured = [Cost("toy-quick", "", "", size, 1e-6 * size**2, 100.0) for size in (500, 1000, 2000)]
    found = forecast(plan.trials, plan.samples, [], measured=measured)
    assert found.seconds[quick.key].value == pytest.approx(1e-6 * n**2)
    assert (found.seconds[quick.key].basis, found.is_rough, found.unknown) == ("measured", True, {"toy-slow": 1})
    far = [Cost("toy-quick", "{}", "another", 100 * n, 3e-6 * (100 * n) ** 2, 100.0)]
    assert forecast(plan.trials, plan.samples, far).unknown == {"toy-quick": 1, "toy-slow": 1}
    scaled = forecast(plan.trials, plan.samples, far, measured=measured).seconds[quick.key]
    assert scaled.value == pytest.approx(3e-6 * n**2), "the growth as measured, the height as stored"
    near = [Cost("toy-quick", "{}", "another", n, 7.0, 100.0)]
    assert forecast(plan.trials, plan.samples, near, measured=measured).seconds[quick.key].value == pytest.approx(7.0)


def test_every_measured_method_is_one_that_there_is():
    names = {spec.name for spec in installed_catalog().specs("algorithm")}
    assert {cost.algorithm for cost in measured_costs()} <= names
    assert min(cost.wall_s for cost in measured_costs()) > 0
