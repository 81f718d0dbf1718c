"""Updates, starts and projections that the factorisation methods share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import nnls

from mvarena.numerics.nmf import (
    coordinate_descent,
    leading_singular_triples,
    lee_seung,
    nndsvd,
    ratio_step,
)

seeds = st.integers(0, 100_000)


@given(seeds)
def test_coordinate_descent_reaches_nonnegative_least_squares(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, W = rng.standard_normal((6, 8)), rng.random((8, 3))
    found = coordinate_descent(np.zeros((6, 3)), W.T @ W, X @ W, sweeps=20_000)
    expected = np.array([nnls(W, row)[0] for row in X])
    np.testing.assert_allclose(found, expected, atol=1e-6)


@given(seeds, st.floats(0.0, 5.0))
def test_every_sweep_lowers_the_penalised_objective(seed: int, l1: float) -> None:
    rng = np.random.default_rng(seed)
    X, W, H = rng.random((6, 8)), rng.random((8, 3)), rng.random((6, 3))

    def objective(point: np.ndarray) -> float:
        return float(np.square(X - point @ W.T).sum() + l1 * point.sum())

    swept = coordinate_descent(H, W.T @ W, X @ W, l1=l1, sweeps=1)
    assert objective(swept) <= objective(H) + 1e-12
    assert (swept >= 0).all()


def test_an_empty_basis_column_stays_or_vanishes() -> None:
    gram, target = np.diag([1.0, 0.0]), np.array([[2.0, 0.0]])
    start = np.array([[1.0, 7.0]])
    np.testing.assert_allclose(coordinate_descent(start, gram, target), [[2.0, 7.0]])
    np.testing.assert_allclose(coordinate_descent(start, gram, target, l1=2.0), [[1.0, 0.0]])


@given(seeds)
def test_multiplicative_steps_lower_the_residual_and_scale_columns(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, H, W = rng.random((9, 7)), rng.random((9, 2)) + 0.1, rng.random((7, 2)) + 0.1
    residuals = [np.square(X - h @ w.T).sum() for h, w in (lee_seung(X, H, W, steps) for steps in range(5))]
    assert (np.diff(residuals) <= 1e-10).all()
    np.testing.assert_allclose(lee_seung(X, H, W, 3)[1].sum(axis=0), 1.0)


def test_ratio_step_leaves_zeros_and_never_divides_by_zero() -> None:
    factor, zero = np.array([[0.0, 2.0]]), np.zeros((1, 2))
    np.testing.assert_array_equal(ratio_step(factor, zero, zero, root=False), zero)
    np.testing.assert_allclose(ratio_step(factor, zero + 4.0, zero + 1.0, root=True), [[0.0, 4.0]])


@pytest.mark.parametrize("shape", [(12, 5), (5, 12)])
def test_leading_triples_are_those_of_the_svd(shape: tuple[int, int]) -> None:
    X = np.random.default_rng(0).standard_normal(shape)
    left, values, right = leading_singular_triples(X, 3)
    u, s, vt = np.linalg.svd(X, full_matrices=False)
    np.testing.assert_allclose(values, s[:3])
    np.testing.assert_allclose((left * values) @ right.T, (u[:, :3] * s[:3]) @ vt[:3], atol=1e-10)
    thin = leading_singular_triples(sparse.csr_array(X), 3)
    np.testing.assert_allclose((thin[0] * thin[1]) @ thin[2].T, (left * values) @ right.T, atol=1e-10)


def test_triples_beyond_the_rank_are_left_out() -> None:
    X = np.outer(np.arange(1.0, 6.0), np.ones(4))
    assert leading_singular_triples(X, 3)[1].shape == (1,)
    assert leading_singular_triples(np.zeros((4, 3)), 2)[1].shape == (0,)


def test_nndsvd_is_exact_at_rank_one_and_near_above() -> None:
    X = np.outer(np.arange(1.0, 6.0), np.arange(2.0, 6.0))
    H, W = nndsvd(X, 2)
    np.testing.assert_allclose(H @ W.T, X)
    rng = np.random.default_rng(0)
    Y = rng.random((20, 3)) @ rng.random((3, 9))
    H, W = nndsvd(Y, 3)
    assert (H >= 0).all()
    assert (W >= 0).all()
    assert np.linalg.norm(Y - H @ W.T) < 0.5 * np.linalg.norm(Y)
    filled = nndsvd(Y, 5, fill="mean")
    assert (filled[0] > 0).all()
    assert (filled[1] > 0).all()
    assert (nndsvd(np.zeros((4, 3)), 2, fill="mean")[0] > 0).all()
