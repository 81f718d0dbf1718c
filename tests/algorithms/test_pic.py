"""PIC: distances of standardised samples, completed rows, angles between eigenspaces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mvarena.algorithms.graph.pic import angle_gaps, completed_graphs
from mvarena.algorithms.graph.view_graphs import standard_sample_distances
from mvarena.data import View
from mvarena.numerics.kernels import squared_distances


@given(st.integers(0, 10**6), st.integers(2, 20), st.integers(2, 8))
def test_distances_of_standardised_samples(seed, n, d):
    X = np.random.default_rng(seed).integers(0, 4, (n, d)).astype(float)
    found = standard_sample_distances(View("x", X))
    with np.errstate(all="ignore"):
        Z = (X - X.mean(axis=1, keepdims=True)) / X.std(axis=1, ddof=1, keepdims=True)
    clear = np.ptp(X, axis=1) > 0
    assume(clear.any())
    np.testing.assert_allclose(found[np.ix_(clear, clear)], squared_distances(Z[clear]), atol=1e-9)


def test_a_missing_row_is_the_mean_of_the_others():
    mask = np.array([[True, True, False], [True, True, True], [True, True, True]])
    rows = [np.full((3, 3), value) * seen[:, None] for value, seen in zip((0.2, 0.4, 0.9), mask.T, strict=True)]
    S = completed_graphs(rows, mask)[2]
    assert S[0, 0] == pytest.approx(0.3)
    assert S[0, 1] == pytest.approx((0.3 + 0.9) / 2)


def test_the_same_eigenspace_has_no_angle_and_an_orthogonal_one_a_right_one():
    phi = angle_gaps([np.eye(4, 2), np.eye(4, 2) @ np.array([[0.6, -0.8], [0.8, 0.6]]), np.eye(4)[:, [0, 3]]])
    assert phi[0, 1] == pytest.approx(np.pi, abs=1e-6)
    assert phi[0, 2] == pytest.approx(np.pi / 2)
    assert (phi == phi.T).all()
