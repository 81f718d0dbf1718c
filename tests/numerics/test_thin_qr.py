"""Thin QR: it is one, of any rank; and the rotated matrix has the inner products of the wide one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from mvarena.numerics.low_rank import thin_qr, without_surplus_columns


@given(st.integers(1, 12), st.integers(1, 8), st.integers(0, 8), st.integers(-9, 0), st.integers(0, 999))
def test_it_is_a_qr_decomposition_of_any_rank_and_condition(n, p, rank, smallest, seed):
    rng = np.random.default_rng(seed)
    scales = np.logspace(0, smallest, p)
    H = rng.standard_normal((n, min(rank, p))) @ rng.standard_normal((min(rank, p), p)) * scales
    Q, R = thin_qr(H)
    assert Q.shape == (n, min(n, p))
    np.testing.assert_allclose(Q @ R, H, atol=1e-13 * max(np.abs(H).max(), 1.0))
    np.testing.assert_allclose(Q.T @ Q, np.eye(min(n, p)), atol=1e-11)
    np.testing.assert_array_equal(np.tril(R, -1), 0.0)


@pytest.mark.parametrize("smallest", [0, -3, -5, -8, -12])
def test_each_way_keeps_q_orthonormal(smallest):
    H = np.random.default_rng(0).standard_normal((60, 6)) * np.logspace(0, smallest, 6)
    H = H @ np.linalg.qr(np.random.default_rng(1).standard_normal((6, 6)))[0]
    Q, R = thin_qr(H)
    np.testing.assert_allclose(Q.T @ Q, np.eye(6), atol=1e-11)
    np.testing.assert_allclose(Q @ R, H, atol=1e-13)


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
