"""The base of the corruptions: parameters are declared, rates are checked once, and a class finds its spec."""

from __future__ import annotations

import math
from importlib import import_module

import numpy as np
import pytest

from mvarena.contracts.corruption import Corruption
from mvarena.contracts.parameters import Count, checked_parameters
from mvarena.corruptions.missing import MissingBlocks
from mvarena.corruptions.noise import Gaussian
from mvarena.corruptions.specs import SPECS
from mvarena.errors import InvalidSetting
from mvarena.testing.examples import blobs


class DoubledRows(Corruption):
    """The first rows times a factor."""

    factor: Count = 2

    def spoil(self, data, rate, rng):
        rows = np.arange(data.n_samples) < round(rate * data.n_samples)
        scale = np.where(rows, self.factor, 1)[:, None]
        return data.with_views([type(view)(view.name, view.matrix * scale, view.kind) for view in data.views])


@pytest.fixture
def data():
    return blobs(10)


def spoil(corruption, data, rate):
    return corruption.apply(data, rate, np.random.default_rng(0))


def test_a_few_lines_make_a_corruption(data):
    spoilt = spoil(DoubledRows(factor=3), data, 0.5)
    np.testing.assert_array_equal(spoilt.views[0].matrix[:5], 3 * data.views[0].matrix[:5])
    np.testing.assert_array_equal(spoilt.views[0].matrix[5:], data.views[0].matrix[5:])
    assert spoil(DoubledRows(), data, 0.0) is data
    assert DoubledRows.spec.name == "doubled-rows"
    assert DoubledRows().largest_rate(data) == 1.0


@pytest.mark.parametrize(
    ("corruption", "rate", "said"),
    [
        (DoubledRows(), 1.1, "not possible on blobs; choose one from 0 to 1"),
        (DoubledRows(), math.nan, "a rate of no number is not possible"),
        (Gaussian(), 0.0, "must be above 0"),
    ],
)
def test_an_impossible_rate_is_refused_before_anything_is_spoilt(data, corruption, rate, said):
    with pytest.raises(InvalidSetting, match=said) as refused:
        spoil(corruption, data, rate)
    assert refused.value.field == "rate"


def test_python_and_a_plan_refuse_in_the_same_words():
    with pytest.raises(InvalidSetting) as in_python:
        MissingBlocks(n_groups=0)
    with pytest.raises(InvalidSetting) as planned:
        checked_parameters("missing-blocks", MissingBlocks, {"n_groups": 0})
    assert str(in_python.value) == str(planned.value)
    assert in_python.value.field == "missing-blocks.n_groups"


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_each_class_finds_its_spec(spec):
    module, _, name = spec.target.partition(":")
    kind = getattr(import_module(module), name)
    assert kind.spec is spec
    assert f"Source: {spec.source}." in kind.__doc__
