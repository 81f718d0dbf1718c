"""Singular value thresholding: the same answer by the partial and the full decomposition, and its optimality."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.numerics import low_rank
from mvarena.numerics.low_rank import SingularThreshold
from mvarena.numerics.proximal import right_singular_pairs


@settings(max_examples=25, deadline=None)
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


def test_partial_and_full_agree_cold_and_warm():
    rng = np.random.default_rng(0)
    left, right = (np.linalg.qr(rng.standard_normal((420, 420)))[0] for _ in range(2))
    sigma = 0.8 ** np.arange(420)
    partial = SingularThreshold()
    for t in (0.5, 0.3, 0.05):
        M = (left * sigma) @ right.T
        found = partial(M, t)
        Q, trace_norm = found.rows(slice(None)), found.trace_norm
        shrunk = np.maximum(sigma - t, 0)
        np.testing.assert_allclose(Q, (left * shrunk) @ right.T, atol=1e-7)
        assert trace_norm == pytest.approx(shrunk.sum(), abs=1e-7)


def test_nothing_above_the_threshold_gives_zero_and_full_rank_falls_back():
    M = np.random.default_rng(1).standard_normal((410, 410))
    found = SingularThreshold()(M, 1e6)
    assert not found.rows(slice(None)).any()
    assert found.trace_norm == 0
    Q = SingularThreshold()(M, 1e-3).rows(slice(None))
    assert np.linalg.norm(M - Q, 2) == pytest.approx(1e-3, rel=1e-6)


def test_from_many_singular_values_to_few_and_back():
    rng = np.random.default_rng(2)
    left, right = (np.linalg.qr(rng.standard_normal((450, 450)))[0] for _ in range(2))
    sigma = 1.0 / np.arange(1, 451)
    M = (left * sigma) @ right.T
    threshold = SingularThreshold()
    for t in (0.5, 0.01, 0.2, 0.003, 2.0, 0.1):
        found = threshold(M, t)
        shrunk = np.maximum(sigma - t, 0)
        np.testing.assert_allclose(found.rows(slice(None)), (left * shrunk) @ right.T, atol=1e-7)
        assert found.trace_norm == pytest.approx(shrunk.sum(), abs=1e-7)


@pytest.mark.parametrize(("growth", "searches"), [(0.0, 2), (0.5, 1)])
def test_a_partial_search_allows_for_as_many_more_values_as_are_said(growth, searches, monkeypatch):
    rng = np.random.default_rng(3)
    left, right = (np.linalg.qr(rng.standard_normal((450, 450)))[0] for _ in range(2))
    sigma = 0.9 ** np.arange(450)
    M = (left * sigma) @ right.T
    full = []

    def counted(*arguments, **options):
        full.append(arguments)
        return right_singular_pairs(*arguments, **options)

    monkeypatch.setattr(low_rank, "right_singular_pairs", counted)
    threshold = SingularThreshold(growth=growth)
    for t in (sigma[15] * 0.95, sigma[25] * 0.95):  # 16 values, and then 10 more
        found = threshold(M, t)
        assert found.right.shape[1] == np.count_nonzero(sigma > t)
        np.testing.assert_allclose(found.rows(slice(None)), (left * np.maximum(sigma - t, 0)) @ right.T, atol=1e-7)
    assert len(full) == searches


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
