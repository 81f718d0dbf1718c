"""Polar factors: orthonormal and optimal for any rank, and completed by the nearest one where there are many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.numerics.polar import completed_polar, polar_factor


@given(st.integers(0, 10**6), st.integers(1, 30), st.integers(1, 5), st.integers(0, 5))
def test_the_polar_factor_maximises_the_trace_and_is_an_isometry_where_the_matrix_acts(seed, n, k, rank):
    rng = np.random.default_rng(seed)
    rank = min(rank, n, k)
    T = rng.standard_normal((n, rank)) @ rng.standard_normal((rank, k))
    Q = polar_factor(T)
    assert np.vdot(Q, T) == pytest.approx(np.linalg.svd(T, compute_uv=False).sum(), abs=1e-7)
    values = np.linalg.svd(Q, compute_uv=False)
    assert ((np.abs(values - 1) < 1e-7) | (values < 1e-7)).all()


@given(st.integers(0, 10**6), st.integers(4, 30), st.integers(1, 4), st.integers(0, 4), st.booleans())
def test_columns_are_orthonormal_and_the_trace_is_the_largest(seed, n, k, rank, near):
    rng = np.random.default_rng(seed)
    matrix = rng.standard_normal((n, min(rank, k))) @ rng.standard_normal((min(rank, k), k))
    found = completed_polar(matrix, rng.standard_normal((n, k)) if near else np.zeros((n, k)))
    np.testing.assert_allclose(found.T @ found, np.eye(k), atol=1e-8)
    assert np.vdot(found, matrix) == pytest.approx(np.linalg.svd(matrix, compute_uv=False).sum(), abs=1e-8)


@pytest.mark.parametrize("size", [0.0, 1.0])
def test_what_the_matrix_leaves_open_is_as_near_as_can_be(size):
    rng = np.random.default_rng(2)
    matrix, near = size * np.outer(rng.standard_normal(8), [1.0, 0.0, 0.0]), rng.standard_normal((8, 3))
    found = completed_polar(matrix, near)
    np.testing.assert_allclose(found, completed_polar(matrix + 1e-9 * near, near), atol=1e-6)
