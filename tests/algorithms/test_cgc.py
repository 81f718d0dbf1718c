"""cgc: the gradient behind the update, a falling objective, the mask, orders, and a run on incomplete data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.algorithms.graph.cgc import CGC, cgc, shared_start
from mvarena.data import MultiViewData
from mvarena.errors import InvalidSetting


def problem(seed, n=14, k=2, views=3):
    rng = np.random.default_rng(seed)
    mask = rng.random((n, views)) < 0.7
    mask[np.arange(n), rng.integers(views, size=n)] = True
    A = []
    for v in range(views):
        S = rng.random((n, n)) * np.outer(mask[:, v], mask[:, v])
        A.append((S + S.T) / n)
    return A, mask, [rng.random((n, k)) + 0.1 for _ in range(views)]


def stated_objective(A, mask, H, lam):
    total = sum(np.linalg.norm(A_v - H_v @ H_v.T) ** 2 for A_v, H_v in zip(A, H, strict=True))
    for v in range(len(A)):
        for w in range(v):
            S = np.diag((mask[:, v] & mask[:, w]).astype(float))
            total += lam * np.linalg.norm(S @ H[v] - S @ H[w]) ** 2
    return total


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.1, 1.0, 10.0]), st.integers(1, 4))
def test_objective_never_rises_and_is_the_formula(seed, lam, views):
    A, mask, start = problem(seed, views=views)
    found = cgc(A, mask, start, lam, max_iter=40, tol=0)
    assert (np.diff(found.objective) <= 1e-9 * found.objective[:-1]).all()
    assert found.objective[-1] == pytest.approx(stated_objective(A, mask, found.H, lam))
    for v, H_v in enumerate(found.H):
        assert H_v.min() >= 0
        assert (H_v[~mask[:, v]] == 0).all()


def test_converges_to_a_stationary_point():
    A, mask, start = problem(1, n=8)
    found = cgc(A, mask, start, 0.5, max_iter=20000, tol=0)
    step = 1e-6
    for v in range(3):
        for i in np.flatnonzero(mask[:, v]):
            for c in range(2):
                values = []
                for sign in (1, -1):
                    H = [H_v.copy() for H_v in found.H]
                    H[v][i, c] += sign * step
                    values.append(stated_objective(A, mask, H, 0.5))
                slope = (values[0] - values[1]) / (2 * step)
                assert abs(slope * found.H[v][i, c]) < 1e-4
                assert slope > -1e-2


def blobs(seed=0):
    rng = np.random.default_rng(seed)
    truth = np.arange(60) % 3
    arrays = [rng.standard_normal((3, 4))[truth] * 4 + rng.standard_normal((60, 4)) for _ in range(2)]
    mask = np.ones((60, 2), dtype=bool)
    mask[:10, 0] = False
    mask[20:30, 1] = False
    return arrays, mask, truth


def test_values_under_missing_rows_change_nothing():
    arrays, mask, _ = blobs()
    spoiled = [X.copy() for X in arrays]
    spoiled[0][:10] = 1e6
    spoiled[1][20:30] = -3.0
    here = CGC(n_clusters=3).represent(MultiViewData.from_arrays(arrays, mask=mask, n_clusters=3))
    there = CGC(n_clusters=3).represent(MultiViewData.from_arrays(spoiled, mask=mask, n_clusters=3))
    np.testing.assert_array_equal(here.embedding, there.embedding)


def test_finds_clusters_in_incomplete_data_in_any_order():
    arrays, mask, truth = blobs()
    labels = CGC(n_clusters=3, random_state=0).fit_predict(arrays, mask=mask)
    assert (np.equal.outer(labels, labels) == np.equal.outer(truth, truth)).mean() > 0.9
    order = np.random.default_rng(4).permutation(60)
    moved = CGC(n_clusters=3, random_state=0).fit_predict([X[order] for X in arrays], mask=mask[order])
    assert (np.equal.outer(labels, labels)[np.ix_(order, order)] == np.equal.outer(moved, moved)).all()


def test_start_is_positive_and_settings_are_checked():
    A, mask, _ = problem(3)
    assert shared_start(A, mask, 2).min() > 0
    with pytest.raises(InvalidSetting, match="lam must not be negative"):
        CGC(n_clusters=3, lam=-1).fit(blobs()[0])
