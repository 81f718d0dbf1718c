"""Combining labellings: votes, agreement, silhouettes, the number of clusters, and what tells clusters apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import silhouette_samples

from mvarena.analysis.clusters import (
    combined,
    matched,
    modularity,
    neighbour_graph,
    number_of_clusters,
    silhouettes_of,
    telling_features,
)
from mvarena.data import MultiViewData
from mvarena.numerics.kmeans import Labelling


def blobs(k: int = 3, n: int = 60) -> tuple[MultiViewData, np.ndarray]:
    generator = np.random.default_rng(0)
    classes = np.arange(n) % k
    views = [classes[:, None] * 10.0 * scale + generator.normal(size=(n, 2)) for scale in (1.0, -1.0)]
    return MultiViewData.from_arrays(views, name="blobs"), classes


@given(st.permutations(range(4)), st.lists(st.integers(0, 3), min_size=8, max_size=30))
def test_other_numbers_of_the_same_clusters_are_matched(order, given_labels):
    labels = np.array([0, 1, 2, 3, *given_labels])
    assert np.array_equal(matched(np.array(order)[labels], labels, 4), labels)


def test_each_sample_goes_where_most_methods_put_it_and_agreement_is_their_share():
    data, classes = blobs()
    wrong = classes.copy()
    wrong[0] = 1
    runs = {"a": [Labelling(classes, 1.0)], "b": [Labelling((classes + 1) % 3, 1.0)], "c": [Labelling(wrong, 1.0)]}
    found = combined(runs, data)
    assert len({(cluster, actual) for cluster, actual in zip(found.labels, classes, strict=True)}) == 3
    assert found.agreement[0] == pytest.approx(2 / 3)
    assert found.agreement[1:] == pytest.approx(1.0)
    assert found.by_method["c"][0] != found.labels[0]
    assert np.array_equal(found.by_method["b"], found.labels)


def test_a_method_counts_once_however_many_restarts_it_has():
    data, classes = blobs()
    other = (np.arange(60) // 20) % 3
    runs = {"a": [Labelling(classes, 1.0)], "b": [Labelling(classes, 1.0)], "c": [Labelling(other, 1.0)] * 20}
    found = combined(runs, data)
    assert len(set(zip(found.labels, classes, strict=True))) == 3
    assert found.agreement.min() == pytest.approx(2 / 3)


def test_of_one_method_the_restart_of_lowest_inertia_decides_ties():
    data, classes = blobs()
    moved = classes.copy()
    moved[5] = (classes[5] + 1) % 3
    found = combined({"a": [Labelling(moved, 2.0), Labelling(classes, 1.0)]}, data)
    assert len(set(zip(found.labels, classes, strict=True))) == 3
    assert found.agreement[5] == pytest.approx(0.5)


def test_the_largest_cluster_is_the_first():
    data, _ = blobs()
    labels = np.repeat([0, 1, 2], [10, 30, 20])
    assert combined({"a": [Labelling(labels, 1.0)]}, data).sizes.tolist() == [30, 20, 10]


def test_silhouettes_are_means_over_the_views_that_observe_a_sample():
    data, classes = blobs()
    plain = [silhouette_samples(view.matrix, classes) for view in data.views]
    assert silhouettes_of(data, classes) == pytest.approx(np.mean(plain, axis=0))
    mask = np.ones((60, 2), dtype=bool)
    mask[:7, 1] = False
    partly = MultiViewData(data.name, data.views, mask=mask)
    assert silhouettes_of(partly, classes)[:7] == pytest.approx(plain[0][:7])


def test_without_features_there_are_no_silhouettes_and_neighbours_come_from_the_kernel():
    kernel = np.kron(np.eye(2), np.ones((15, 15))) + np.eye(30)
    data = MultiViewData.from_arrays([kernel], kinds=["kernel"], name="kernel")
    halves = combined({"a": [Labelling(np.repeat([0, 1], 15), 1.0)]}, data)
    thirds = combined({"a": [Labelling(np.repeat([0, 1, 2], 10), 1.0)]}, data)
    assert np.isnan(halves.silhouettes).all()
    assert number_of_clusters({2: halves, 3: thirds}, data).suggested == 2


def test_the_number_of_clear_clusters_is_suggested_with_certainty():
    data, classes = blobs(k=4)
    found = {k: combined({"a": [Labelling(np.minimum(classes, k - 1), 1.0)]}, data) for k in (2, 3, 4)}
    halves = np.where(np.arange(60) < 30, classes, classes + 4)
    found[8] = combined({"a": [Labelling(halves, 1.0)]}, data)
    chosen = number_of_clusters(found, data)
    assert (chosen.suggested, chosen.share) == (4, 1.0)
    assert chosen.curve["share"].sum() == pytest.approx(1.0)


def test_modularity_is_that_of_the_definition():
    generator = np.random.default_rng(0)
    weights = generator.integers(0, 3, size=(12, 12))
    weights = np.triu(weights, 1) + np.triu(weights, 1).T
    labels = generator.integers(0, 3, size=12)
    degrees, total = weights.sum(axis=1), weights.sum()
    expected = sum(
        (weights[i, j] - degrees[i] * degrees[j] / total) / total
        for i in range(12)
        for j in range(12)
        if labels[i] == labels[j]
    )
    assert modularity(sparse.csr_array(weights), labels) == pytest.approx(expected)
    assert modularity(sparse.csr_array(weights), np.zeros(12, dtype=int)) == pytest.approx(0.0)


def test_neighbours_are_counted_over_the_views_that_observe_both():
    data, _ = blobs(n=30)
    mask = np.ones((30, 2), dtype=bool)
    mask[3, 1] = False
    graph = neighbour_graph(MultiViewData(data.name, data.views, mask=mask)).toarray()
    assert np.array_equal(graph, graph.T)
    assert set(np.unique(graph)) == {0.0, 1.0, 2.0}
    assert graph[3].max() == 1.0
    assert (np.diag(graph) == 0).all()
    assert ((graph > 0).sum(axis=1) >= 10).all()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_the_feature_that_was_shifted_tells_a_cluster_apart(form):
    generator = np.random.default_rng(0)
    matrix = generator.normal(size=(50, 6))
    labels = np.repeat([0, 1], 25)
    matrix[labels == 1, 4] += 3.0
    data = MultiViewData.from_arrays([form(matrix)], name="one")
    table = telling_features(data, labels, [[f"gene{i}" for i in range(6)]], most=1)
    assert table["feature"].tolist() == ["gene4", "gene4"]
    inside, outside = matrix[25:, 4], matrix[:25, 4]
    pooled = np.sqrt((inside.var(ddof=1) + outside.var(ddof=1)) / 2)
    assert table["effect"].tolist()[1] == pytest.approx((inside.mean() - outside.mean()) / pooled)
    assert table["mean"].tolist()[1] == pytest.approx(inside.mean())


def test_rows_that_a_view_misses_decide_no_effect():
    data, classes = blobs()
    mask = np.ones((60, 2), dtype=bool)
    mask[::5, 0] = False
    seen = MultiViewData(data.name, data.views, mask=mask)
    table = telling_features(seen, classes)
    inside = data.views[0].matrix[(classes == 0) & mask[:, 0]]
    row = table[(table["cluster"] == 1) & (table["view"] == data.views[0].name)].iloc[0]
    assert row["mean"] == pytest.approx(inside.mean(axis=0)[int(row["feature"].split()[1]) - 1])
