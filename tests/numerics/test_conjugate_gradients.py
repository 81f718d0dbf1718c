"""Conjugate gradients: they solve what a direct solver solves, from any start."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from mvarena.numerics.conjugate_gradients import solve_positive


@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(1, 4), st.booleans(), st.booleans())
def test_the_solution_is_that_of_a_direct_solver(seed, n, k, is_sparse, started):
    rng = np.random.default_rng(seed)
    W = rng.random((n, n)) * (rng.random((n, n)) < 0.3)
    W += W.T
    A = np.diag(W.sum(axis=1) + rng.integers(1, 4, n)) - W
    B = rng.standard_normal((n, k))
    start = rng.standard_normal((n, k)) if started else None
    found = solve_positive(sparse.csr_array(A) if is_sparse else A, B, start=start)
    np.testing.assert_allclose(found, np.linalg.solve(A, B), atol=1e-9)


def test_a_column_of_zeros_has_the_solution_zero():
    A = np.diag([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(solve_positive(A, np.zeros((3, 2))), np.zeros((3, 2)))


@pytest.mark.parametrize("A", [np.diag([1.0, 0.0]), np.array([[1.0, 2.0], [2.0, 1.0]])])
def test_a_matrix_that_is_not_positive_definite_is_refused(A):
    with pytest.raises(np.linalg.LinAlgError, match="positive"):
        solve_positive(A, np.array([[1.0], [-1.0]]))
