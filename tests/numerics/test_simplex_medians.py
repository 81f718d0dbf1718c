"""The sum of absolute deviations over the simplex: nothing feasible is lower, and known special cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.simplex import simplex_median_rows, sorted_across


def objective(P, T, G, tau):
    return tau * sum(np.abs(T_v - P).sum(axis=1) for T_v in T) + ((P - G) ** 2).sum(axis=1) / 2


@given(
    st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 8), st.sampled_from([0.0, 1e-3, 0.05, 1.0]),
    st.sampled_from([0.01, 1.0, 30.0]),
)  # fmt: skip
def test_no_point_of_the_simplex_is_lower(seed, views, n, tau, spread):
    rng = np.random.default_rng(seed)
    T = [rng.dirichlet(np.ones(n), 4) for _ in range(views)]
    G = spread * rng.standard_normal((4, n))
    P = simplex_median_rows(sorted_across(T), G, tau, rng.standard_normal(4))
    assert P.min() >= 0
    np.testing.assert_allclose(P.sum(axis=1), 1, atol=1e-12)
    lowest = objective(P, T, G, tau)
    # the objective is convex: a lower point anywhere would make a small step towards it lower as well
    for other in (*T, rng.dirichlet(np.full(n, 0.1), 4), *(np.tile(corner, (4, 1)) for corner in np.eye(n))):
        for step in (1e-3, 0.1, 1.0):
            assert (objective((1 - step) * P + step * other, T, G, tau) >= lowest - 1e-9 * (1 + lowest)).all()


def test_where_it_begins_does_not_matter():
    rng = np.random.default_rng(0)
    ordered = sorted_across([rng.dirichlet(np.full(30, 0.2), 5) for _ in range(4)])
    G = rng.standard_normal((5, 30)) / 10
    shift = np.zeros(5)
    here = simplex_median_rows(ordered, G, 0.02, shift)
    for start in (shift.copy(), np.full(5, -1e6), np.full(5, 1e6), rng.standard_normal(5)):
        np.testing.assert_allclose(simplex_median_rows(ordered, G, 0.02, start), here, atol=1e-10)


def test_without_deviations_it_is_the_projection_and_with_nothing_else_the_median():
    rng = np.random.default_rng(1)
    T = [rng.dirichlet(np.ones(6), 3) for _ in range(2)]
    G = rng.standard_normal((3, 6))
    np.testing.assert_allclose(
        simplex_median_rows(sorted_across(T), G, 0.0, np.zeros(3)), project_simplex_rows(G), atol=1e-12
    )
    equal = sorted_across([T[0]] * 3)
    np.testing.assert_allclose(simplex_median_rows(equal, G, 1e3, np.zeros(3)), T[0], atol=1e-12)


@pytest.mark.parametrize("overwrite", [False, True])
def test_sorting_across_matrices(overwrite):
    rng = np.random.default_rng(2)
    matrices = [rng.random((70, 3)) for _ in range(4)]
    copies = [matrix.copy() for matrix in matrices]
    ordered = sorted_across(copies, overwrite=overwrite)
    np.testing.assert_array_equal(ordered, np.sort(matrices, axis=0))
    assert all((a is b) == overwrite for a, b in zip(ordered, copies, strict=True))
    if not overwrite:
        np.testing.assert_array_equal(copies, matrices)
