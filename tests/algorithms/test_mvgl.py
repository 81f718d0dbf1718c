"""mvgl: weights are optimal, on sparse graphs as on dense ones; edges that are allowed; equally near neighbours."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from mvarena.algorithms.graph import _mvgl_graphs
from mvarena.algorithms.graph._mvgl_graphs import DenseViews, Edges, SparseViews, projected_anywhere
from mvarena.algorithms.graph.mvgl import MVGL, learned_graph
from mvarena.testing import examples


def random_graph(n, share, seed):
    rng = np.random.default_rng(seed)
    graph = np.where(rng.random((n, n)) < share, rng.random((n, n)), 0.0)
    return graph + graph.T


@given(st.integers(0, 10**6), st.integers(1, 4))
def test_weights_sum_to_one_and_are_the_best(seed, views):
    rng = np.random.default_rng(seed)
    A, *S = rng.random((views + 1, 6, 6))
    weights = DenseViews(S).weights(A, np.ones((6, views), dtype=bool))
    np.testing.assert_allclose(weights.sum(axis=0), 1)
    for i in range(6):
        columns = np.array([S_v[:, i] for S_v in S])
        best = np.linalg.norm(A[:, i] - weights[:, i] @ columns)
        for _ in range(5):
            step = rng.standard_normal(views)
            other = weights[:, i] + 0.1 * (step - step.mean())
            assert best <= np.linalg.norm(A[:, i] - other @ columns) + 1e-9


def test_views_that_nearly_agree_share_the_weight_and_do_not_cancel():
    rng = np.random.default_rng(0)
    A, S, other = rng.random((3, 8, 8))
    nearly = S + 1e-6 * rng.standard_normal((8, 8))
    weights = DenseViews([S, nearly, other]).weights(A, np.ones((8, 3), dtype=bool))
    np.testing.assert_allclose(weights.sum(axis=0), 1)
    np.testing.assert_allclose(weights[0], weights[1], atol=1e-5)  # G^-1 1 gives some hundreds with opposite signs
    alone = DenseViews([S, other]).weights(A, np.ones((8, 2), dtype=bool))
    np.testing.assert_allclose(weights[0] + weights[1], alone[0], atol=1e-4)


@pytest.mark.parametrize("local", [True, False])
def test_the_graph_is_that_of_the_programs_weights_where_views_do_not_nearly_agree(local, monkeypatch):
    """On drawn inputs, which no program has seen: G^-1 1 in every step gives the same graph."""
    data = examples.blobs(60, dims=(12, 8, 10), spread=1.0, seed=0)
    model = MVGL(n_neighbors=10, local_views=local, local_global=local, n_clusters=3, max_iter=6)
    ours = model.represent(data)

    def as_published(gram, seen):
        gram = np.triu(gram) + np.swapaxes(np.triu(gram, 1), 1, 2)
        weights = np.linalg.solve(gram, np.ones((*gram.shape[:2], 1)))[..., 0]
        return (weights / weights.sum(axis=1, keepdims=True)).T

    monkeypatch.setattr(_mvgl_graphs, "best_weights", as_published)
    theirs = model.represent(data)
    assert np.abs(theirs.details["weights"]).max() < 10
    assert ours.history.n_iter == theirs.history.n_iter > 2
    np.testing.assert_allclose(ours.details["graph"], theirs.details["graph"], atol=1e-8)


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(2, 30))
def test_sparse_views_have_the_sum_and_the_weights_of_dense_ones(seed, views, n):
    rng = np.random.default_rng(seed)
    S = [random_graph(n, 0.1, [seed, v]) for v in range(views)]
    seen = rng.random((n, views)) < 0.8
    seen[:, 0] = True
    weights = rng.standard_normal((views, n))
    full, few = DenseViews(S), SparseViews([sparse.csr_array(S_v) for S_v in S])
    combined = few.combined(weights)
    np.testing.assert_allclose(combined.toarray(), full.combined(weights), atol=1e-14)
    # A has the same entries stored, and zeros elsewhere
    np.testing.assert_allclose(few.weights(combined, seen), full.weights(combined.toarray(), seen), atol=1e-6)


@given(st.integers(0, 10**6), st.integers(1, 300), st.floats(0.0, 1.0))
def test_edges_are_projected_where_they_are_allowed(seed, n, share):
    rng = np.random.default_rng(seed)
    base = sparse.csr_array(random_graph(n, 0.1, seed))
    allowed = rng.random(base.nnz) < share
    F = rng.standard_normal((n, 3))
    found = Edges(base, allowed).projected(F, 0.7)
    np.testing.assert_array_equal(found.indices, base.indices)
    # what may not be lies so low that it projects to zero
    places = base.copy()
    places.data = np.where(allowed, 1.0, 0.0)
    lowest = np.where(places.toarray() > 0, base.toarray(), -1e6)
    expected = projected_anywhere(lowest, F, 0.7)
    expected[~places.toarray().any(axis=1)] = 0.0
    np.testing.assert_allclose(found.toarray(), expected, atol=1e-9)


def test_equally_near_neighbours_leave_a_finite_graph():
    # copies, as filled rows are, and samples as far from each other as from the copies. The sums of such distances lie
    # between 1 and 2, where what rounding leaves of their difference may cancel the constant against division by zero
    m = 15
    for seed in range(20):
        squared = np.random.default_rng(seed).uniform(1 / m, 2 / m) * (1 - np.eye(40))
        squared[:20, :20] = 0.0
        graph = learned_graph(squared, 2, m)
        assert np.isfinite(graph).all()
        assert (graph >= 0).all()


def test_a_view_has_no_weight_for_samples_that_it_misses():
    data = examples.blobs(60, dims=(4, 4, 4), spread=5, missing=0.2)
    found = MVGL(n_neighbors=10).represent(data)
    assert (found.details["weights"].T[~data.mask] == 0).all()
    np.testing.assert_allclose(found.details["weights"].sum(axis=0), 1)
