"""Internal metrics against scikit-learn, on dense, sparse and incomplete views, and where they are not defined."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics as reference

from mvarena.contracts.metric import Points, Restarts, Space
from mvarena.data import MultiViewData
from mvarena.metrics import internal
from mvarena.metrics.internal import silhouette, silhouette_views, stability
from mvarena.testing.examples import blobs


def points_in(n, k, seed, p=3):
    """(n, p) points in k overlapping groups, and their groups."""
    data = blobs(n, dims=(p,), n_clusters=k, spread=2.0, seed=seed)
    return data.views[0].matrix + 5, data.labels


@settings(deadline=None, max_examples=15)
@given(n=st.integers(6, 40), k=st.integers(2, 5), seed=st.integers(0, 10**6), stored_sparse=st.booleans())
def test_agrees_with_scikit_learn(n, k, seed, stored_sparse):
    points, codes = points_in(n, k, seed)
    matrix = sparse.csr_array(points) if stored_sparse else points
    labels = codes * 3 + 1
    found = silhouette(Points(labels, Space.of_embedding(matrix)))
    assert found == pytest.approx(reference.silhouette_score(points, labels), rel=1e-9)
    data = MultiViewData.from_arrays([matrix])
    assert silhouette_views(Points(labels, None, Space.of_views(data))) == pytest.approx(found, rel=1e-9)


def test_views_count_with_the_samples_that_they_observe():
    first, codes = points_in(30, 3, seed=0)
    second, _ = points_in(30, 3, seed=1, p=5)
    mask = np.ones((30, 3), dtype=bool)
    mask[5:12, 0] = mask[12:20, 1] = False
    arrays = [first, sparse.csr_array(second), second @ second.T]
    data = MultiViewData.from_arrays(arrays, mask=mask, kinds=["features", "features", "kernel"])
    by_hand = [
        reference.silhouette_score(part[mask[:, v]], codes[mask[:, v]]) for v, part in enumerate([first, second])
    ]
    assert silhouette_views(Points(codes, views=Space.of_views(data))) == pytest.approx(np.mean(by_hand))
    assert silhouette(Points(codes, Space.of_embedding(first))) == pytest.approx(
        reference.silhouette_score(first, codes)
    )


def test_not_defined_for_one_cluster_or_without_a_space():
    points, _codes = points_in(10, 2, seed=0)
    space = Space.of_embedding(points)
    assert math.isnan(silhouette(Points(np.zeros(10, dtype=int), space)))
    assert math.isnan(silhouette(Points(np.arange(10) % 2)))
    assert math.isnan(silhouette_views(Points(np.arange(10) % 2, space)))
    assert math.isnan(silhouette_views(Points(np.zeros(10, dtype=int), None, (space,))))


def test_a_view_that_observes_one_cluster_only_is_left_out_of_the_mean():
    points, codes = points_in(12, 2, seed=3)
    one_cluster = Space(points[codes == 0], np.flatnonzero(codes == 0))
    both = Space.of_embedding(points)
    assert silhouette_views(Points(codes, None, (both, one_cluster))) == silhouette(Points(codes, both))


@pytest.mark.parametrize(
    ("labels", "points", "expected"),
    [([0, 0, 1, 1], [0.0, 0.0, 2.0, 2.0], 1.0), ([0, 0, 1, 1], [0.0] * 4, 0.0), ([0, 1, 2, 3], [0.0, 1, 2, 3], 0.0)],
    ids=["exact clusters", "equal points", "single points"],
)
def test_clusters_of_equal_or_single_points(labels, points, expected):
    assert silhouette(Points(np.array(labels), Space.of_embedding(np.array(points)[:, None]))) == expected


def test_the_silhouette_of_many_samples_is_estimated_from_some(monkeypatch):
    points, codes = points_in(700, 4, seed=4)
    exact = silhouette(Points(codes, Space.of_embedding(points)))
    monkeypatch.setattr(internal, "_ALL_UP_TO", 200)
    drawn = np.sort(np.random.default_rng(0).choice(700, 200, replace=False))
    estimate = silhouette(Points(codes, Space.of_embedding(points)))
    assert estimate == pytest.approx(reference.silhouette_samples(points, codes)[drawn].mean())
    assert estimate == pytest.approx(exact, abs=0.05)


def test_stability_is_the_mean_agreement_of_all_pairs():
    first, second, third = np.array([0, 0, 1, 1, 2]), np.array([1, 1, 0, 0, 0]), np.array([0, 1, 0, 1, 0])
    pairs = [(first, second), (first, third), (second, third)]
    expected = np.mean([reference.adjusted_rand_score(*pair) for pair in pairs])
    assert stability(Restarts([first, second, third])) == pytest.approx(expected)
    assert stability(Restarts([first, first * 2, 5 - first])) == 1.0
    assert math.isnan(stability(Restarts([first])))
