"""amgl: the objective falls, orders do not matter, the reference's numbers."""

from __future__ import annotations

import numpy as np
import pytest
from golden_numbers import golden_numbers
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.algorithms.graph.amgl import AMGL, amgl
from mvarena.algorithms.graph.view_graphs import nearest_graph, symmetric_normalized
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs

GOLDEN = golden_numbers("amgl")


def laplacian(rng, n):
    W = nearest_graph(np.exp(rng.standard_normal((n, n)) / 2), 5)
    return np.eye(n) - symmetric_normalized(W)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 4), st.integers(1, 4))
def test_objective_falls_and_view_order_does_not_matter(seed, views, k):
    rng = np.random.default_rng(seed)
    L = [laplacian(rng, 25) for _ in range(views)]
    found = amgl(L, k, Stopping(50, 1e-8))
    assert (np.diff(found.history.objective) <= 1e-10).all()
    np.testing.assert_allclose(found.F.T @ found.F, np.eye(k), atol=1e-10)
    turned = amgl(L[::-1], k, Stopping(50, 1e-8))
    assert turned.history.objective[-1] == pytest.approx(found.history.objective[-1], rel=1e-6)


def test_matches_the_reference():
    found = amgl(list(GOLDEN["L"]), 3, Stopping(len(GOLDEN["objective"])))
    np.testing.assert_allclose(found.F @ found.F.T, GOLDEN["F"] @ GOLDEN["F"].T, atol=1e-12)
    np.testing.assert_allclose(found.weights, GOLDEN["weights"], rtol=1e-10)
    np.testing.assert_allclose(found.history.objective, GOLDEN["objective"], rtol=1e-12)


def test_nearest_graph_is_symmetric_and_keeps_the_nearest():
    S = np.random.default_rng(0).random((12, 12))
    S = S + S.T
    W = nearest_graph(S, 3)
    np.testing.assert_array_equal(W, W.T)
    assert (np.diag(W) == 0).all()
    assert ((W > 0).sum(axis=1) >= 3).all()
    assert (nearest_graph(np.ones((1, 1)), 5) == 0).all()


def test_estimator_finds_clusters_in_any_order_of_samples():
    data = blobs(45, dims=(4, 4), spread=5)
    order = np.random.default_rng(0).permutation(45)
    labels = AMGL(random_state=0).fit(data).labels_
    moved = AMGL(random_state=0).fit(data.take(order)).labels_
    assert (np.equal.outer(labels, labels)[np.ix_(order, order)] == np.equal.outer(moved, moved)).all()
    assert (np.equal.outer(labels, labels) == np.equal.outer(data.labels, data.labels)).mean() > 0.9
