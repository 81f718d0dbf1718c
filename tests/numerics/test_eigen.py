"""Eigenpairs above a bound: against NumPy's, in both precisions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.numerics.eigen import eigenpairs_above

PRECISIONS = [np.float32, np.float64]


def gram(n: int, rank: int, dtype, seed: int = 0) -> np.ndarray:
    M = np.random.default_rng(seed).standard_normal((n, rank)).astype(dtype)
    return M @ M.T


@settings(max_examples=40)
@given(
    n=st.sampled_from([1, 2, 3, 7, 64, 127, 130, 300]),
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


@pytest.mark.parametrize("dtype", PRECISIONS)
def test_only_pairs_above_the_bound_come_back(dtype):
    G = gram(200, 120, dtype)
    values, vectors = eigenpairs_above(G.copy(), 50.0)
    expected = np.linalg.eigvalsh(G.astype(np.float64))
    expected = expected[expected > 50]
    assert 0 < len(expected) < 120
    assert vectors.shape == (200, len(expected))
    np.testing.assert_allclose(values, expected, rtol=1e-5)
    np.testing.assert_allclose(G @ vectors, vectors * values, atol=1e-6 * len(G) * expected[-1])
    none = eigenpairs_above(G.copy(), 1e9)
    assert none[0].shape == (0,)
    assert none[1].shape == (200, 0)
