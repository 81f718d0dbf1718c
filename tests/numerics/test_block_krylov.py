"""The warm block eigen-solver against dense LAPACK."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.numerics.block_krylov import leading_eigenpairs, start_block


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(12, 60))
def test_agrees_with_dense_eigenvectors(seed, k, n):
    rng = np.random.default_rng(seed)
    basis = np.linalg.qr(rng.standard_normal((n, n)))[0]
    values = np.sort(rng.uniform(-1, 1, n))[::-1]
    values[:k] += 1.0 + 0.1 * np.arange(k)[::-1]
    A = (basis * values) @ basis.T
    theta, X = leading_eigenpairs(lambda B: A @ B, start_block(n, k + 2), k, tol=1e-10)
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

    _, X = leading_eigenpairs(multiply, start_block(80, 6), 3)
    cold, products = products, 0
    leading_eigenpairs(multiply, X, 3)
    assert products == 1 < cold
    start = start_block(80, 6, X[:, :3])
    np.testing.assert_allclose(start @ (start.T @ X[:, :3]), X[:, :3], atol=1e-12)


def test_repeated_and_zero_eigenvalues_are_no_trouble():
    A = np.zeros((50, 50))
    A[:5, :5] = 1.0
    theta, X = leading_eigenpairs(lambda B: A @ B, start_block(50, 6), 3)
    np.testing.assert_allclose(theta[:3], [5.0, 0.0, 0.0], atol=1e-10)
    np.testing.assert_allclose(X.T @ X, np.eye(6), atol=1e-10)
    theta, _ = leading_eigenpairs(lambda B: B, start_block(20, 4), 4)
    np.testing.assert_allclose(theta, 1.0)
