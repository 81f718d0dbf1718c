"""Rows on the simplex with some entries allowed: on each row's own support they are the plain projection."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.simplex import project_simplex_support


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 9), st.floats(0, 1))
def test_on_its_support_each_row_is_the_plain_projection(seed, n, m, share):
    rng = np.random.default_rng(seed)
    matrix = rng.standard_normal((n, m)) * 10 ** rng.uniform(-3, 3)
    allowed = rng.random((n, m)) < share
    found = project_simplex_support(matrix, allowed)
    for row, own, result in zip(matrix, allowed, found, strict=True):
        assert not result[~own].any()
        if own.any():
            np.testing.assert_allclose(result[own], project_simplex_rows(row[own][None])[0], atol=1e-12)
