"""APMC: the operator is the paper's n x n matrix, the embedding its eigenvectors; anchors, ties, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from comparisons import projector
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms.bandwidth import mean_squared_distance
from mvarena.algorithms.graph import apmc
from mvarena.algorithms.graph.apmc import (
    APMC,
    FusedSimilarity,
    anchor_similarities,
    balanced,
    choose_anchors,
    fused_embedding,
    left_singular_vectors,
    linked_pairs,
    pair_graph,
    presence,
)
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible
from mvarena.testing import examples


def blobs(n: int = 60, n_views: int = 2, seed: int = 0, missing: float = 0.4) -> MultiViewData:
    """Three well separated groups; about `missing` of the samples lack a view."""
    return examples.blobs(n, dims=range(3, 3 + n_views), spread=8, seed=seed, missing=missing / 2)


def graphs_of(data: MultiViewData, m: int = 4):
    pairs = linked_pairs(data.mask)
    graphs = []
    for pair in pairs:
        mask = data.mask[:, pair]
        views = tuple(data.views[v].matrix for v in pair)
        anchors = tuple(view[mask.all(axis=1)] for view in views)
        graphs.append(pair_graph(views, mask, anchors, m, "nearest")[0])
    return pairs, graphs


def dense_similarity(graph) -> np.ndarray:
    """S = Z Lambda^-1 Z^T, term by term."""
    Z = graph.toarray()
    loads = Z.sum(axis=0)
    return (Z[:, loads > 0] / loads[loads > 0]) @ Z[:, loads > 0].T


def dense_fusion(data: MultiViewData, pairs, graphs) -> np.ndarray:
    """The mean over the pairs in which both samples appear, entry by entry."""
    n = data.n_samples
    parts = [dense_similarity(graph) for graph in graphs]
    fused = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            shared = [p for p, pair in enumerate(pairs) if data.mask[i, pair].any() and data.mask[j, pair].any()]
            fused[i, j] = np.mean([parts[p][i, j] for p in shared]) if shared else 0.0
    return fused


masks = st.integers(2, 4).flatmap(lambda v: arrays(bool, (16, v))).filter(lambda mask: mask.any(axis=1).all())


@given(masks, st.integers(0, 99))
def test_the_operator_is_the_explicit_matrix(mask, seed):
    assume(mask.any(axis=0).all() and linked_pairs(mask))
    assume(presence(mask, linked_pairs(mask)).any(axis=1).all())
    rng = np.random.default_rng(seed)
    data = MultiViewData.from_arrays([rng.standard_normal((16, 3)) for _ in mask.T], mask=mask)
    pairs, graphs = graphs_of(data)
    operator = FusedSimilarity([balanced(graph) for graph in graphs], presence(mask, pairs))
    explicit = dense_fusion(data, pairs, graphs)
    np.testing.assert_allclose(operator @ np.eye(16), explicit, atol=1e-12)
    vector = rng.standard_normal(16)
    np.testing.assert_allclose(operator @ vector, explicit @ vector, atol=1e-12)
    D = np.diag(explicit.sum(axis=1))
    meant = {"laplacian": explicit - D, "similarity": explicit}
    for fusion, matrix in meant.items():
        values, vectors = np.linalg.eigh(matrix)
        if values[-3] - values[-4] > 1e-3:
            found = fused_embedding(operator, 3, fusion)
            np.testing.assert_allclose(projector(found), projector(vectors[:, -3:]), atol=1e-7)


@pytest.mark.parametrize(
    ("reach", "expected"), [("nearest", (1 + 1 + 3) / 3), ("all", 2 * np.sqrt((1 + 16 + 9) * 2 / 9)), (0.7, 0.7)]
)
def test_a_reach_may_be_that_of_all_anchors_or_of_the_mth_or_a_number(reach, expected):
    X = np.array([[0.0], [1.0], [4.0]])
    _, weights, used = anchor_similarities(X, X, 2, reach)
    assert used == pytest.approx(expected)
    np.testing.assert_allclose(weights[0, 1] / weights[0, 0], np.exp(-1 / used**2))


@pytest.mark.parametrize("far", [0.0, 1e6])
@pytest.mark.parametrize("wrap", [np.asarray, sparse.csr_array])
def test_the_mean_squared_distance_needs_no_matrix_of_distances(wrap, far):
    rng = np.random.default_rng(0)
    X, U = rng.standard_normal((40, 3)) + far, rng.standard_normal((9, 3)) + far
    accuracy = 1e-3 if far and wrap is not np.asarray else 1e-9  # moving CSR to its mean would fill it
    assert mean_squared_distance(wrap(X), wrap(U)) == pytest.approx((cdist(X, U) ** 2).mean(), rel=accuracy)
    assert mean_squared_distance(wrap(X[:1]), wrap(X[:1])) == 0


def test_similarities_below_rounding_are_no_edges():
    X = np.array([[0.0], [1.0], [4.9]])
    _, weights, _ = anchor_similarities(X, X, 3, 1.0)
    assert weights[0, 2] == 0
    assert weights[0, 1] > 0


def test_many_anchors_give_the_top_eigenvectors_of_s_too(monkeypatch):
    monkeypatch.setattr(apmc, "_SMALL", 5)
    (graph,) = graphs_of(blobs(90, missing=0.3, seed=3), 10)[1]
    vectors = np.linalg.eigh(dense_similarity(graph))[1]
    embedding = left_singular_vectors(balanced(graph), 3)
    np.testing.assert_allclose(projector(embedding), projector(vectors[:, -3:]), atol=1e-6)


def test_the_first_direction_of_a_connected_graph_is_constant():
    rng = np.random.default_rng(0)
    data = MultiViewData.from_arrays([rng.standard_normal((50, 3)), rng.standard_normal((50, 2))])
    first = APMC(n_clusters=3, unit_rows=False).represent(data).embedding[:, 0]
    np.testing.assert_allclose(first, first[0], atol=1e-9)


@pytest.mark.parametrize("settings", [{}, {"n_anchors": 48}, {"n_anchors": 12, "anchors": "kmeans"}])
def test_a_graph_in_many_pieces_still_follows_the_permutation(settings):
    rng = np.random.default_rng(0)
    centres = 100 * rng.standard_normal((8, 3))
    X = np.repeat(centres, 12, axis=0) + rng.standard_normal((96, 3))
    data, order = MultiViewData.from_arrays([X, X @ rng.standard_normal((3, 2))], n_clusters=4), rng.permutation(96)
    model = APMC(n_neighbors=3, random_state=0, **settings)
    np.testing.assert_allclose(
        model.represent(data).embedding[order], model.represent(data.take(order)).embedding, atol=1e-12
    )


def test_kmeans_anchors_of_sparse_views_lie_among_the_samples():
    rng = np.random.default_rng(7)
    X = np.repeat(10 * np.eye(5), 8, axis=0) + (rng.random((40, 5)) < 0.3)
    for wrap in (np.asarray, sparse.csr_array):
        first, second = choose_anchors(wrap(X), wrap(2 * X), np.arange(40), 5, "kmeans", rng)
        assert first.shape == second.shape == (5, 5)
        np.testing.assert_allclose(second, 2 * first)
        assert (first >= 0).all()
        assert (first <= X.max(axis=0) + 1e-9).all()


def test_fewer_anchors_than_neighbours_and_clusters_are_enough():
    rng = np.random.default_rng(0)
    mask = np.array([[True, False], [False, True]] * 10)
    mask[:2] = True
    data = MultiViewData.from_arrays([rng.standard_normal((20, 2)) for _ in range(2)], mask=mask)
    found = APMC(n_clusters=4, n_neighbors=10).fit(data)
    assert found.embedding_.shape == (20, 2)
    assert found.representation_.details["n_anchors"] == 2


def test_pairs_without_a_common_sample_are_left_out():
    data = blobs(60, 3, missing=0.0)
    mask = np.zeros((60, 3), dtype=bool)
    mask[:40, :2] = mask[30:, 1:] = True
    mask[30:40, 0] = False
    bridged = data.with_mask(mask)
    assert linked_pairs(bridged.mask) == [(0, 1), (1, 2)]
    found = APMC(n_neighbors=4).fit(bridged)
    assert found.representation_.details["reach"].shape == (2, 2)
    assert adjusted_rand_score(data.labels, found.labels_) == 1.0


def test_no_common_sample_is_refused_in_a_sentence():
    mask = np.array([[True, False], [False, True]] * 5)
    data = MultiViewData.from_arrays([np.ones((10, 2))] * 2, mask=mask, n_clusters=2, name="apart")
    with pytest.raises(Incompatible, match="apmc cannot take apart: no sample is seen in two views"):
        APMC().represent(data)


def test_a_view_that_shares_no_sample_is_refused_by_name():
    mask = np.zeros((10, 3), dtype=bool)
    mask[:6, :2] = mask[6:, 2] = True
    data = MultiViewData.from_arrays([np.ones((10, 2))] * 3, mask=mask, n_clusters=2, view_names=["a", "b", "c"])
    with pytest.raises(Incompatible, match="4 samples, the first in row 6, are seen only in c"):
        APMC().fit(data)
