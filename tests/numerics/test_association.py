"""Tests of association: against SciPy's, and what has no p-value."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from mvarena.numerics.association import chi_square_p, kruskal_wallis_p


@pytest.mark.parametrize("seed", range(20))
def test_p_values_are_those_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    groups, kinds = np.arange(60) % 3, rng.integers(0, 4, 60)
    values = rng.integers(0, 9, 60).astype(float)
    expected = stats.kruskal(*[values[groups == group] for group in range(3)]).pvalue
    assert kruskal_wallis_p(groups, values) == pytest.approx(expected, rel=1e-10)
    table = np.zeros((3, 4))
    np.add.at(table, (groups, kinds), 1)
    assert chi_square_p(groups, kinds) == pytest.approx(
        stats.chi2_contingency(table, correction=False).pvalue, rel=1e-10
    )


def test_one_group_and_one_value_have_no_p_value() -> None:
    one, two = np.zeros(4, dtype=np.int64), np.array([0, 0, 1, 1])
    assert math.isnan(chi_square_p(one, two))
    assert math.isnan(chi_square_p(two, one))
    assert math.isnan(kruskal_wallis_p(one, np.arange(4.0)))
    assert math.isnan(kruskal_wallis_p(two, np.ones(4)))
    assert math.isnan(chi_square_p(one[:0], one[:0]))
    assert math.isnan(kruskal_wallis_p(one[:0], np.array([])))
