"""Projections, quadratic programmes and medians over the simplex: optimality conditions and special cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.numerics import simplex
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.simplex import project_simplex_support, simplex_median_rows, simplex_quadratic_rows, sorted_across


@given(st.integers(0, 10**6), st.integers(1, 8), st.integers(1, 9), st.sampled_from([1e-3, 1.0, 1e3]))
def test_projection_is_feasible_and_nearest(seed, n, m, scale):
    rng = np.random.default_rng(seed)
    B = rng.standard_normal((n, m)) * scale
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mvarena.numerics.proximal._ROWS", 3)
        P = project_simplex_rows(B)
    assert P.min() >= 0
    np.testing.assert_allclose(P.sum(axis=1), 1, atol=1e-9)
    # Nearest: (B - P) . (X - P) <= 0 for every corner X of the simplex.
    slope = B - P
    assert (slope.max(axis=1) - (slope * P).sum(axis=1) <= 1e-9 * max(1, scale)).all()
    np.testing.assert_allclose(project_simplex_rows(P), P, atol=1e-12)


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 9), st.floats(0, 1))
def test_where_some_entries_are_allowed_each_row_is_the_plain_projection_of_these(seed, n, m, share):
    rng = np.random.default_rng(seed)
    matrix = rng.standard_normal((n, m)) * 10 ** rng.uniform(-3, 3)
    allowed = rng.random((n, m)) < share
    found = project_simplex_support(matrix, allowed)
    for row, own, result in zip(matrix, allowed, found, strict=True):
        assert not result[~own].any()
        if own.any():
            np.testing.assert_allclose(result[own], project_simplex_rows(row[own][None])[0], atol=1e-12)


@given(st.integers(0, 10**6), st.integers(1, 20), st.integers(1, 9), st.sampled_from([1e-3, 1.0, 100.0]))
def test_no_entry_would_gain_by_growing(seed, n, r, ridge):
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((r, 4))
    Q, F = root @ root.T + ridge * np.eye(r), 3 * rng.standard_normal((n, r))
    Z = simplex_quadratic_rows(Q, F)
    assert (Z >= 0).all()
    np.testing.assert_allclose(Z.sum(axis=1), 1.0)
    slopes = Z @ Q - F
    lowest = slopes.min(axis=1)
    for z, slope, low in zip(Z, slopes, lowest, strict=True):
        assert slope[z > 1e-9].max() <= low + 1e-8 * max(1.0, np.abs(Q).max())


@pytest.mark.parametrize(
    ("limit", "value", "r"),
    [
        ("_BLOCK_ENTRIES", 100, 5),  # blocks of rows
        ("_NUMBERED", 0, 3),  # rows on the same face share no matrix
        ("_WELL_CONDITIONED", 0.0, 1),  # from the corners
        ("_WELL_CONDITIONED", 0.0, 70),
    ],
)
def test_the_solution_is_the_same_beyond_each_limit(limit, value, r, monkeypatch):
    rng = np.random.default_rng(r)
    root = rng.standard_normal((r, 6))
    Q, F = root @ root.T + np.eye(r), 3 * rng.standard_normal((60, r))
    Z = simplex_quadratic_rows(Q, F)
    monkeypatch.setattr(simplex, limit, value)
    np.testing.assert_allclose(simplex_quadratic_rows(Q, F), Z, atol=1e-9)


def test_a_matrix_that_is_not_positive_definite_is_refused():
    with pytest.raises(np.linalg.LinAlgError):
        simplex_quadratic_rows(np.diag([1.0, 0.0]), np.ones((1, 2)))


def objective(P, T, G, tau):
    return tau * sum(np.abs(T_v - P).sum(axis=1) for T_v in T) + ((P - G) ** 2).sum(axis=1) / 2


@given(
    st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 8), st.sampled_from([0.0, 1e-3, 0.05, 1.0]),
    st.sampled_from([0.01, 1.0, 30.0]), st.sampled_from([1.0, 1e6]),
)  # fmt: skip
def test_no_point_of_the_simplex_is_lower_wherever_it_begins(seed, views, n, tau, spread, far):
    rng = np.random.default_rng(seed)
    T = [rng.dirichlet(np.ones(n), 4) for _ in range(views)]
    G = spread * rng.standard_normal((4, n))
    P = simplex_median_rows(sorted_across(T), G, tau, far * rng.standard_normal(4))
    assert P.min() >= 0
    np.testing.assert_allclose(P.sum(axis=1), 1, atol=1e-12)
    lowest = objective(P, T, G, tau)
    # the objective is convex: a lower point anywhere would make a small step towards it lower as well
    for other in (*T, rng.dirichlet(np.full(n, 0.1), 4), *(np.tile(corner, (4, 1)) for corner in np.eye(n))):
        for step in (1e-3, 0.1, 1.0):
            assert (objective((1 - step) * P + step * other, T, G, tau) >= lowest - 1e-9 * (1 + lowest)).all()


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
