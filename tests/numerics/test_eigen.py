"""Eigenpairs above a bound against NumPy's, and leading ones by a block search against LAPACK's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.numerics.eigen import eigenpairs_above, leading_eigenpairs, start_block

PRECISIONS = [np.float32, np.float64]


def gram(n: int, rank: int, dtype, seed: int = 0) -> np.ndarray:
    M = np.random.default_rng(seed).standard_normal((n, rank)).astype(dtype)
    return M @ M.T


@given(
    n=st.sampled_from([1, 2, 3, 7, 64, 130]),
    share=st.floats(0.1, 1.0),
    dtype=st.sampled_from(PRECISIONS),
    seed=st.integers(0, 5),
)
def test_all_pairs_solve_the_equation(n, share, dtype, seed):
    G = gram(n, max(1, int(share * n)), dtype, seed)
    values, vectors = eigenpairs_above(G.copy(), -np.inf)
    eps, scale = np.finfo(dtype).eps, float(np.abs(G).max()) * n
    assert values.dtype == vectors.dtype == dtype
    np.testing.assert_allclose(values, np.linalg.eigvalsh(G), atol=10 * eps * scale)
    np.testing.assert_allclose(G @ vectors, vectors * values, atol=10 * eps * scale)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(n), atol=20 * eps * np.sqrt(n))


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(12, 60))
def test_agrees_with_dense_eigenvectors(seed, k, n):
    rng = np.random.default_rng(seed)
    basis = np.linalg.qr(rng.standard_normal((n, n)))[0]
    values = np.sort(rng.uniform(-1, 1, n))[::-1]
    values[:k] += 1.0 + 0.1 * np.arange(k)[::-1]
    A = (basis * values) @ basis.T
    theta, X, *_ = leading_eigenpairs(lambda B: A @ B, start_block(n, k + 2), k, tol=1e-10)
    np.testing.assert_allclose(theta[:k], values[:k], atol=1e-9)
    np.testing.assert_allclose(X.T @ X, np.eye(k + 2), atol=1e-10)
    np.testing.assert_allclose(X[:, :k] @ X[:, :k].T, basis[:, :k] @ basis[:, :k].T, atol=1e-7)


def test_a_warm_start_needs_no_further_round():
    A = np.diag(np.linspace(0, 1, 80) ** 4)
    products = 0

    def multiply(X):
        nonlocal products
        products += 1
        return A @ X

    _, X, *_ = leading_eigenpairs(multiply, start_block(80, 6), 3)
    cold, products = products, 0
    leading_eigenpairs(multiply, X, 3)
    assert products == 1 < cold
    start = start_block(80, 6, X[:, :3])
    np.testing.assert_allclose(start @ (start.T @ X[:, :3]), X[:, :3], atol=1e-12)


def test_repeated_and_zero_eigenvalues_are_no_trouble():
    A = np.zeros((50, 50))
    A[:5, :5] = 1.0
    theta, X, *_ = leading_eigenpairs(lambda B: A @ B, start_block(50, 6), 3)
    np.testing.assert_allclose(theta[:3], [5.0, 0.0, 0.0], atol=1e-10)
    np.testing.assert_allclose(X.T @ X, np.eye(6), atol=1e-10)
    theta, *_ = leading_eigenpairs(lambda B: B, start_block(20, 4), 4)
    np.testing.assert_allclose(theta, 1.0)


def test_one_short_round_never_lowers_the_sum_and_known_images_save_a_product():
    rng = np.random.default_rng(3)
    A = rng.standard_normal((90, 90))
    A += A.T
    X, sums, products = start_block(90, 6), [], 0

    def multiply(B):
        nonlocal products
        products += 1
        return A @ B

    images = None
    for _ in range(15):
        theta, X, _, images = leading_eigenpairs(multiply, X, 3, depth=1, max_rounds=1, images=images)
        np.testing.assert_allclose(images, A @ X, atol=1e-11)
        sums.append(theta[:3].sum())
    assert products == 16
    assert (np.diff(sums) >= -1e-12).all()
    assert sums[-1] <= np.linalg.eigvalsh(A)[-3:].sum() + 1e-9


@pytest.mark.parametrize("max_rounds", [1, 100])
def test_a_block_that_spans_everything_ends_at_once(max_rounds):
    A = np.diag([3.0, 2.0, 1.0])
    theta, *_ = leading_eigenpairs(lambda B: A @ B, start_block(3, 3), 3, max_rounds=max_rounds)
    np.testing.assert_allclose(theta, [3, 2, 1])


def test_single_precision_stays_single_and_finds_the_same_pairs():
    rng = np.random.default_rng(5)
    basis = np.linalg.qr(rng.standard_normal((120, 120)))[0]
    values = np.r_[3.0, 2.0, 1.5, np.linspace(1, -1, 117)]
    A = ((basis * values) @ basis.T).astype(np.float32)
    start = start_block(120, 6).astype(np.float32)
    theta, X, residual, images = leading_eigenpairs(lambda B: A @ B, start, 3, tol=1e-5)
    assert residual <= 1e-5
    assert X.dtype == images.dtype == np.float32
    np.testing.assert_allclose(theta[:3], values[:3], rtol=1e-5)
    np.testing.assert_allclose(X.T @ X, np.eye(6), atol=2e-6)
    np.testing.assert_allclose(X[:, :3] @ X[:, :3].T, basis[:, :3] @ basis[:, :3].T, atol=1e-4)
    # a start that is exact to rounding leaves only noise to go on with, which must not spoil it
    for _ in range(5):
        theta, X, *_ = leading_eigenpairs(lambda B: A @ B, X, 3, depth=1, max_rounds=1)
        np.testing.assert_allclose(X.T @ X, np.eye(6), atol=2e-6)
        np.testing.assert_allclose(theta[:3], values[:3], rtol=1e-5)
