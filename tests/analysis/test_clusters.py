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
    silhouettes_of,
    telling_features,
)
from mvarena.data import MultiViewData
from mvarena.numerics.kmeans import Labelling


def blobs(k: int = 3, n: int = 60) -> tuple[MultiViewData, np.ndarray]:
    """Groups far apart in every direction, in two views."""
    generator = np.random.default_rng(0)
    classes = np.arange(n) % k
    views = [10.0 * np.eye(k)[classes] + generator.normal(size=(n, k)) for _ in range(2)]
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


def test_of_one_method_the_restart_of_lowest_inertia_decides_ties_and_the_largest_cluster_is_the_first():
    data, classes = blobs()
    labels = np.repeat([0, 1, 2], [10, 30, 20])
    assert combined({"a": [Labelling(labels, 1.0)]}, data).sizes.tolist() == [30, 20, 10]
    moved = classes.copy()
    moved[5] = (classes[5] + 1) % 3
    found = combined({"a": [Labelling(moved, 2.0), Labelling(classes, 1.0)]}, data)
    assert len(set(zip(found.labels, classes, strict=True))) == 3
    assert found.agreement[5] == pytest.approx(0.5)


def test_silhouettes_are_means_over_the_views_that_observe_a_sample():
    data, classes = blobs()
    plain = [silhouette_samples(view.matrix, classes) for view in data.views]
    assert silhouettes_of(data, classes) == pytest.approx(np.mean(plain, axis=0))
    mask = np.ones((60, 2), dtype=bool)
    mask[:7, 1] = False
    partly = MultiViewData(data.name, data.views, mask=mask)
    assert silhouettes_of(partly, classes)[:7] == pytest.approx(plain[0][:7])


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


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_effects_of_columns_far_from_zero_and_of_columns_that_are_the_cluster(form):
    labels = np.repeat([0, 1], 25)
    times = 1.7e9 + 3.0 * labels + np.random.default_rng(0).normal(size=50)
    data = MultiViewData.from_arrays([form(np.c_[times, labels])], name="one")
    of_last = telling_features(data, labels).query("cluster == 2")
    assert of_last["feature"].tolist() == ["column 2", "column 1"]
    assert of_last["effect"].iloc[0] == np.inf
    assert of_last["effect"].iloc[1] == pytest.approx(3, abs=0.8)


def test_rows_that_a_view_misses_decide_no_effect():
    data, classes = blobs()
    mask = np.ones((60, 2), dtype=bool)
    mask[::5, 0] = False
    seen = MultiViewData(data.name, data.views, mask=mask)
    table = telling_features(seen, classes)
    inside = data.views[0].matrix[(classes == 0) & mask[:, 0]]
    row = table[(table["cluster"] == 1) & (table["view"] == data.views[0].name)].iloc[0]
    assert row["mean"] == pytest.approx(inside.mean(axis=0)[int(row["feature"].split()[1]) - 1])
