"""Proximal maps: each minimises tau h(y) + norm(y - x)^2 / 2, and special cases are exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mvarena.numerics.proximal import shrunk_factors, singular_value_threshold, soft_threshold

matrices = arrays(np.float64, st.tuples(st.integers(1, 7), st.integers(1, 7)), elements=st.floats(-10, 10, width=32))
taus = st.floats(0.01, 5.0)


@given(X=matrices, tau=taus)
def test_singular_values_are_those_of_an_svd_less_tau(X, tau):
    Y, kept = singular_value_threshold(X, tau)
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    np.testing.assert_allclose(Y, (U * np.maximum(s - tau, 0)) @ Vt, atol=1e-10 * (1 + s[0] ** 2 / tau))
    assert (np.diff(kept) <= 0).all()
    np.testing.assert_allclose(kept.sum(), np.maximum(s - tau, 0).sum(), atol=1e-9 * (1 + s[0] ** 2 / tau))


@pytest.mark.parametrize("shape", [(60, 40), (40, 60)])
@pytest.mark.parametrize("hint", [None, 0, 3, 40])
def test_the_rank_hint_changes_nothing(shape, hint):
    X = np.random.default_rng(0).standard_normal(shape)
    plain, kept = singular_value_threshold(X, 8.0)
    hinted, also = singular_value_threshold(X, 8.0, rank_hint=hint)
    np.testing.assert_allclose(hinted, plain, atol=1e-12)
    np.testing.assert_allclose(also, kept, atol=1e-12)
    assert 0 < len(kept) < 40


@pytest.mark.parametrize("tau", [0.0, 1e-12, 1e-9, 1e-6, 1e-3])
def test_small_singular_values_are_treated_as_by_an_svd(tau):
    X = np.random.default_rng(0).standard_normal((30, 30)) @ np.diag(np.logspace(0, -12, 30))
    U, s, Vt = np.linalg.svd(X)
    Y, kept = singular_value_threshold(X, tau)
    assert np.linalg.norm(Y - (U * np.maximum(s - tau, 0)) @ Vt, 2) <= max(0.1 * tau, 1e-13)
    np.testing.assert_allclose(kept.sum(), np.maximum(s - tau, 0).sum(), atol=max(tau, 1e-13))


def test_soft_threshold_takes_a_weight_for_each_entry():
    X = np.array([[3.0, -3.0], [0.5, -0.5]])
    tau = np.array([[1.0, 2.0], [0.0, 1.0]])
    np.testing.assert_array_equal(soft_threshold(X, tau), [[2.0, -1.0], [0.5, 0.0]])


def test_single_precision_stands_values_that_rounding_puts_at_the_threshold():
    # each value is just above tau before the root is taken, and many round to below it
    tau = 0.3
    matrix = np.diag(np.sqrt(np.nextafter(np.float32(tau * tau), np.float32(1)) * np.ones(50, dtype=np.float32)))
    values = np.full(50, np.nextafter(np.float32(tau), np.float32(0)))
    left, right = shrunk_factors(matrix, values, np.eye(50, dtype=np.float32), tau)
    np.testing.assert_array_equal(left @ right.T, np.zeros((50, 50)))
    shrunk, kept = singular_value_threshold(matrix, tau, squared=True)
    np.testing.assert_allclose(shrunk, 0, atol=1e-6)
    assert (kept >= 0).all()
