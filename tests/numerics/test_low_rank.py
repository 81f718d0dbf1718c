"""Singular value thresholding by partial and full decompositions, thin QR, and rotations of wide matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from mvarena.numerics.low_rank import SingularThreshold, thin_qr, without_surplus_columns


@given(st.integers(0, 10**6), st.integers(2, 12), st.floats(0.01, 5))
def test_is_the_proximal_map_of_the_trace_norm(seed, n, t):
    M = np.random.default_rng(seed).standard_normal((n, n))
    found = SingularThreshold()(M, t)
    Q, trace_norm = found.rows(slice(None)), found.trace_norm
    assert trace_norm == pytest.approx(np.linalg.norm(Q, "nuc"), abs=1e-9)
    # Optimal: (M - Q) / t is a subgradient: spectral norm at most 1, and its product with Q is the trace norm.
    G = (M - Q) / t
    assert np.linalg.norm(G, 2) <= 1 + 1e-9
    assert (G * Q).sum() == pytest.approx(trace_norm, abs=1e-8)


def test_from_many_singular_values_to_few_and_back():
    rng = np.random.default_rng(2)
    left, right = (np.linalg.qr(rng.standard_normal((450, 450)))[0] for _ in range(2))
    sigma = 1.0 / np.arange(1, 451)
    M = (left * sigma) @ right.T
    threshold = SingularThreshold()
    for t in (0.5, 0.01, 0.2, 0.001, 2.0, 0.1):
        found = threshold(M, t)
        shrunk = np.maximum(sigma - t, 0)
        np.testing.assert_allclose(found.rows(slice(None)), (left * shrunk) @ right.T, atol=1e-7)
        assert found.trace_norm == pytest.approx(shrunk.sum(), abs=1e-7)


def test_single_precision_serves_where_all_pairs_are_taken():
    rng = np.random.default_rng(4)
    left, right = (np.linalg.qr(rng.standard_normal((200, 200)))[0] for _ in range(2))
    sigma = 1.0 / np.arange(1, 201)
    M = (left * sigma) @ right.T
    threshold = SingularThreshold()
    kinds = []
    for t in (0.05, 0.02, 0.3, 0.2):  # many, many, few, few
        found = threshold(M, t, single=True)
        kinds.append(found.right.dtype)
        shrunk = np.maximum(sigma - t, 0)
        np.testing.assert_allclose(found.rows(slice(None)), (left * shrunk) @ right.T, atol=1e-6 / t)
        assert found.trace_norm == pytest.approx(shrunk.sum(), rel=1e-4)
    assert kinds == [np.float64, np.float32, np.float32, np.float64]


@given(st.integers(1, 12), st.integers(1, 8), st.integers(0, 8), st.integers(-12, 0), st.integers(0, 999))
def test_it_is_a_qr_decomposition_of_any_rank_and_condition(n, p, rank, smallest, seed):
    rng = np.random.default_rng(seed)
    scales = np.logspace(0, smallest, p)
    H = rng.standard_normal((n, min(rank, p))) @ rng.standard_normal((min(rank, p), p)) * scales
    Q, R = thin_qr(H)
    assert Q.shape == (n, min(n, p))
    np.testing.assert_allclose(Q @ R, H, atol=1e-13 * max(np.abs(H).max(), 1.0))
    np.testing.assert_allclose(Q.T @ Q, np.eye(min(n, p)), atol=1e-11)
    np.testing.assert_array_equal(np.tril(R, -1), 0.0)


@pytest.mark.parametrize("density", [0.1, 0.9])
def test_the_rotated_matrix_has_the_same_inner_products(density):
    wide = sparse.random(9, 30, density, format="csr", rng=np.random.default_rng(0))
    for X in (sparse.csr_array(wide), wide.toarray()):
        found = without_surplus_columns(X)
        assert found.shape == (9, 9)
        np.testing.assert_allclose(found @ found.T, (wide @ wide.T).toarray(), atol=1e-12)


def test_what_is_narrow_or_very_sparse_stays_as_it_is():
    narrow, very_sparse = np.ones((5, 5)), sparse.csr_array(([1.0], ([0], [3])), shape=(40, 90))
    assert without_surplus_columns(narrow) is narrow
    assert without_surplus_columns(very_sparse) is very_sparse
