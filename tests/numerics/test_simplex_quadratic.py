"""The quadratic programme over the simplex: its optimality conditions hold."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.simplex import simplex_quadratic


@given(st.integers(0, 10**6), st.integers(1, 9), st.integers(1, 9), st.sampled_from([1e-6, 1.0, 1e6]))
def test_no_weight_would_gain_by_growing(seed, n, rank, scale):
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((n, rank))
    Q, f = scale * (root @ root.T), scale * rng.standard_normal(n)
    w = simplex_quadratic(Q, f)
    assert (w >= 0).all()
    assert abs(w.sum() - 1) < 1e-12
    slopes = Q @ w - f
    # the slope of every weight is at least the one that all positive weights share
    size = max(np.abs(Q).max(), np.abs(f).max())
    assert slopes.min() >= slopes[w > 1e-9].max() - 1e-7 * size


@given(st.integers(0, 10**6), st.integers(1, 8))
def test_with_the_identity_it_is_the_projection(seed, n):
    f = np.random.default_rng(seed).standard_normal(n)
    np.testing.assert_allclose(simplex_quadratic(np.eye(n), f), project_simplex_rows(f[None])[0], atol=1e-10)
