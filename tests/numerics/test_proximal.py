"""Projection onto the simplex: feasibility and optimality."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.numerics.proximal import project_simplex_rows


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 8), st.integers(1, 9), st.sampled_from([1e-3, 1.0, 1e3]))
def test_projection_is_feasible_and_nearest(seed, n, m, scale):
    rng = np.random.default_rng(seed)
    B = rng.standard_normal((n, m)) * scale
    P = project_simplex_rows(B, block=3)
    assert P.min() >= 0
    np.testing.assert_allclose(P.sum(axis=1), 1, atol=1e-9)
    # Nearest: (B - P) . (X - P) <= 0 for every corner X of the simplex.
    slope = B - P
    assert (slope.max(axis=1) - (slope * P).sum(axis=1) <= 1e-9 * max(1, scale)).all()
    np.testing.assert_allclose(project_simplex_rows(P), P, atol=1e-12)
