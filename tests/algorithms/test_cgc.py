"""cgc: the gradient behind the update, a falling objective, the mask."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.algorithms.graph.cgc import cgc, shared_start
from mvarena.numerics.iteration import Stopping


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
    H, history = cgc(A, mask, start, Stopping(40), lam=lam)
    assert (np.diff(history.objective) <= 1e-9 * history.objective[:-1]).all()
    assert history.objective[-1] == pytest.approx(stated_objective(A, mask, H, lam))
    for v, H_v in enumerate(H):
        assert H_v.min() >= 0
        assert (H_v[~mask[:, v]] == 0).all()


@pytest.mark.slow
def test_converges_to_a_stationary_point():
    A, mask, start = problem(1, n=8)
    found, _ = cgc(A, mask, start, Stopping(20000), lam=0.5)
    step = 1e-6
    for v in range(3):
        for i in np.flatnonzero(mask[:, v]):
            for c in range(2):
                values = []
                for sign in (1, -1):
                    H = [H_v.copy() for H_v in found]
                    H[v][i, c] += sign * step
                    values.append(stated_objective(A, mask, H, 0.5))
                slope = (values[0] - values[1]) / (2 * step)
                assert abs(slope * found[v][i, c]) < 1e-4
                assert slope > -1e-2


def test_start_is_positive():
    A, mask, _ = problem(3)
    assert shared_start(A, mask, 2).min() > 0
