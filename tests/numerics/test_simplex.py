"""Projections onto the simplex and quadratic programmes over it: their optimality conditions hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.numerics import simplex
from mvarena.numerics.proximal import project_simplex_rows
from mvarena.numerics.simplex import project_simplex_support, simplex_quadratic_rows


@settings(max_examples=40)
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


@given(st.integers(0, 10**6), st.integers(1, 8))
def test_with_the_identity_rows_are_projected(seed, r):
    F = np.random.default_rng(seed).standard_normal((30, r))
    projected = project_simplex_rows(F)
    np.testing.assert_allclose(simplex_quadratic_rows(np.eye(r), F), projected, atol=1e-10)


def test_rows_are_solved_each_by_itself_whatever_the_block(monkeypatch):
    rng = np.random.default_rng(0)
    root = rng.standard_normal((5, 5))
    Q, F = root @ root.T + 0.1 * np.eye(5), rng.standard_normal((40, 5))
    whole = simplex_quadratic_rows(Q, F)
    monkeypatch.setattr(simplex, "_BLOCK_ENTRIES", 100)
    np.testing.assert_allclose(simplex_quadratic_rows(Q, F), whole, atol=1e-12)


@pytest.mark.parametrize("r", [3, 65])
def test_rows_on_the_same_face_share_a_matrix_and_the_solution_stays(r, monkeypatch):
    rng = np.random.default_rng(r)
    root = rng.standard_normal((r, r))
    Q, F = root @ root.T / r + 0.1 * np.eye(r), rng.standard_normal((60, r))
    shared = simplex_quadratic_rows(Q, F)
    monkeypatch.setattr(simplex, "_NUMBERED", 0)
    np.testing.assert_allclose(simplex_quadratic_rows(Q, F), shared, atol=1e-9)


@pytest.mark.parametrize(("r", "ridge"), [(1, 1.0), (9, 0.1), (30, 1.0), (70, 100.0)])
def test_the_solution_is_that_from_the_corners(r, ridge, monkeypatch):
    rng = np.random.default_rng(r)
    root = rng.standard_normal((r, 6))
    Q, F = root @ root.T + ridge * np.eye(r), 3 * rng.standard_normal((40, r))
    Z = simplex_quadratic_rows(Q, F)
    monkeypatch.setattr(simplex, "_WELL_CONDITIONED", 0.0)
    np.testing.assert_allclose(simplex_quadratic_rows(Q, F), Z, atol=1e-12)


def test_a_matrix_that_is_not_positive_definite_is_refused():
    with pytest.raises(np.linalg.LinAlgError):
        simplex_quadratic_rows(np.diag([1.0, 0.0]), np.ones((1, 2)))
