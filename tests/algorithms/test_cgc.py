"""cgc: the objective is the formula and never rises; factors are zero where a view misses the sample."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.algorithms.graph.cgc import cgc
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


@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.1, 1.0, 10.0]), st.integers(1, 4))
def test_objective_never_rises_and_is_the_formula(seed, lam, views):
    A, mask, start = problem(seed, views=views)
    H, history = cgc(A, mask, start, Stopping(40), lam=lam)
    assert (np.diff(history.objective) <= 1e-9 * history.objective[:-1]).all()
    assert history.objective[-1] == pytest.approx(stated_objective(A, mask, H, lam))
    for v, H_v in enumerate(H):
        assert H_v.min() >= 0
        assert (H_v[~mask[:, v]] == 0).all()
