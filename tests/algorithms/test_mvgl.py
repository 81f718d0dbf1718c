"""mvgl: weights are optimal, k components, orders do not matter, the reference's numbers."""

from __future__ import annotations

import numpy as np
import pytest
from golden_numbers import golden_numbers
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.algorithms.graph.mvgl import MVGL, learned_graph, mvgl, view_weights
from mvarena.errors import InvalidSetting
from mvarena.numerics.iteration import Stopping
from mvarena.testing import examples

GOLDEN = golden_numbers("mvgl")


def distances(X):
    return ((X[:, None] - X) ** 2).sum(-1)


def blobs(seed=0, n=45):
    data = examples.blobs(n, dims=(4, 4), spread=5, seed=seed)
    return [view.matrix.copy() for view in data.views], data.labels


RULE = Stopping(30, 1e-3, relative_to="old")


def same_pairs(labels):
    return np.equal.outer(labels, labels)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4))
def test_weights_sum_to_one_and_are_the_best(seed, views):
    rng = np.random.default_rng(seed)
    A, *S = rng.random((views + 1, 6, 6))
    weights = view_weights(A, S)
    np.testing.assert_allclose(weights.sum(axis=0), 1)
    for i in range(6):
        columns = np.array([S_v[:, i] for S_v in S])
        best = np.linalg.norm(A[:, i] - weights[:, i] @ columns)
        for _ in range(5):
            step = rng.standard_normal(views)
            other = weights[:, i] + 0.1 * (step - step.mean())
            assert best <= np.linalg.norm(A[:, i] - other @ columns) + 1e-9


def test_equal_views_share_the_weight():
    A, S = np.random.default_rng(0).random((2, 5, 5))
    np.testing.assert_allclose(view_weights(A, [S, S]), 0.5, atol=1e-6)


@pytest.mark.parametrize("local", [True, False])
def test_learned_graph_is_symmetric_with_k_components(local):
    arrays, _ = blobs()
    S = learned_graph(distances(arrays[0]), 3, 10, local=local)
    np.testing.assert_allclose(S, S.T)
    assert S.min() >= 0
    L = np.diag(S.sum(axis=1)) - S
    assert (np.linalg.eigvalsh(L) < 1e-9).sum() == 3


def test_global_graph_is_on_the_simplex_with_k_components_for_any_order():
    arrays, truth = blobs(1)
    # The views disagree on three samples, so that their sum does not fall apart by itself.
    arrays[1][[0, 1, 2]] = arrays[1][[3, 4, 5]]
    S = [learned_graph(distances(X), 3, 10, local=True) for X in arrays]
    found = mvgl(S, 3, RULE)
    np.testing.assert_allclose(found.A.sum(axis=1), 1, atol=1e-9)
    assert found.A.min() >= 0
    assert found.components.max() == 2
    assert (same_pairs(found.components) == same_pairs(truth)).mean() > 0.9
    order = np.random.default_rng(2).permutation(45)
    moved = mvgl([S_v[np.ix_(order, order)] for S_v in S[::-1]], 3, RULE)
    np.testing.assert_allclose(moved.A, found.A[np.ix_(order, order)], atol=1e-6)


@pytest.mark.parametrize("q", range(3))
def test_view_graphs_match_the_reference(q):
    m, local, _ = GOLDEN[f"config{q}"]
    for v in range(3):
        S = learned_graph(distances(GOLDEN[f"X{v}"]), 3, int(m), local=bool(local))
        np.testing.assert_allclose(S, GOLDEN[f"S{q}"][v], atol=1e-12)


@pytest.mark.parametrize("q", range(3))
def test_global_graph_matches_the_reference(q):
    # The reference was cut off at its thirtieth iteration, before it wrote that objective down.
    objective = GOLDEN[f"objective{q}"]
    found = mvgl(list(GOLDEN[f"S{q}"]), 3, RULE, local=bool(GOLDEN[f"config{q}"][2]))
    np.testing.assert_allclose(found.history.objective[: len(objective)], objective, atol=1e-7)
    np.testing.assert_allclose(found.A, GOLDEN[f"A{q}"], atol=1e-7)
    assert (same_pairs(found.components) == same_pairs(GOLDEN[f"components{q}"])).all()
    if q < 2:
        # In the third setting two views agree where it matters: the weights are not unique, their graph is.
        np.testing.assert_allclose(found.weights, GOLDEN[f"weights{q}"], rtol=1e-4, atol=1e-6)


def test_estimator_gives_the_components_and_asks_for_three_samples():
    arrays, truth = blobs(4)
    model = MVGL(n_clusters=3, n_neighbors=10)
    labels = model.fit_predict(arrays)
    assert (same_pairs(labels) == same_pairs(truth)).mean() > 0.9
    order = np.random.default_rng(1).permutation(45)
    moved = MVGL(n_clusters=3, n_neighbors=10).fit_predict([X[order] for X in arrays])
    assert (same_pairs(moved) == same_pairs(labels)[np.ix_(order, order)]).all()
    with pytest.raises(InvalidSetting, match="at least 3 samples"):
        MVGL(n_clusters=1).fit([np.eye(2)])


@pytest.mark.parametrize("seed", range(20))
def test_equally_near_neighbours_leave_a_finite_graph(seed):
    # copies, as filled rows are, and samples as far from each other as from the copies. The sums of such distances lie
    # between 1 and 2, where what rounding leaves of their difference may cancel the constant against division by zero
    m = 15
    squared = np.random.default_rng(seed).uniform(1 / m, 2 / m) * (1 - np.eye(40))
    squared[:20, :20] = 0.0
    graph = learned_graph(squared, 2, m)
    assert np.isfinite(graph).all()
    assert (graph >= 0).all()
