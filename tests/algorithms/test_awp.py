"""AWP: views start alike, however their eigenvectors are rotated, and weigh by their fit; ties."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms import AWP
from mvarena.algorithms.graph.awp import awp, neighbour_similarities, towards_an_indicator, turned_together
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.kernels import squared_distances
from mvarena.numerics.polar import polar_factor
from mvarena.testing.comparisons import same_partition
from mvarena.testing.examples import blobs


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 3))
def test_the_start_of_all_views_does_not_hang_on_their_rotations(seed, k, n_views):
    rng = np.random.default_rng(seed)
    F = [np.linalg.qr(rng.standard_normal((20, k)))[0] for _ in range(n_views)]
    turned = [f @ np.linalg.qr(rng.standard_normal((k, k)))[0] for f in F]
    started = turned_together(F)
    for one, other, f in zip(started, turned_together(turned), F, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)
        np.testing.assert_allclose(one @ one.T, f @ f.T, atol=1e-8)
    if n_views == 1:
        np.testing.assert_allclose(started[0], towards_an_indicator(F[0]), atol=1e-8)


def test_embeddings_without_full_rank_keep_what_they_span():
    indicator = np.kron(np.eye(3), np.ones((4, 1))) / 2
    narrow = indicator @ np.diag([1.0, 1.0, 0.0])
    F = turned_together([indicator, narrow, narrow[:, ::-1]])
    np.testing.assert_allclose(F[1] @ F[1].T, narrow @ narrow.T, atol=1e-12)
    np.testing.assert_allclose(F[1], F[2], atol=1e-12)
    np.testing.assert_array_equal(np.argmax(F[0], axis=1)[:8], np.argmax(F[1], axis=1)[:8])


@given(st.integers(0, 10**6))
def test_at_the_end_clusters_are_those_of_the_views_weighted_by_their_fit(seed):
    rng = np.random.default_rng(seed)
    F = [np.linalg.qr(np.eye(3)[np.arange(30) % 3] + s * rng.standard_normal((30, 3)))[0] for s in (0.2, 0.5, 2.0)]
    found = awp(F, Stopping(300))
    Y = np.eye(3)[found.labels]
    turned = [f @ polar_factor(f.T @ Y) for f in F]
    scores = np.sum([t / np.linalg.norm(Y - t) for t in turned], axis=0)
    np.testing.assert_array_equal(scores.argmax(axis=1), found.labels)


def test_of_neighbours_equally_far_none_is_preferred():
    points = np.array([[0.0], [1.0], [-1.0], [9.0]])
    A = neighbour_similarities(squared_distances(points), 1)
    assert A[0, 1] == A[0, 2] > 0
    assert not A.diagonal().any()


def test_columns_that_views_order_differently_merge_no_clusters():
    # with each view turned for itself two of the eight clusters became one in the first step
    data = blobs(160, dims=(10, 14, 11), n_clusters=8, seed=2)
    assert adjusted_rand_score(data.labels, AWP(random_state=0).fit(data).labels_) > 0.98


def test_of_tied_samples_the_order_decides_nothing():
    rng = np.random.default_rng(1)
    classes = np.arange(60) % 3
    views = [(rng.random((3, d)) < 0.5)[classes] ^ (rng.random((60, d)) < 0.2) for d in (6, 8)]
    data = MultiViewData.from_arrays([view.astype(float) for view in views], n_clusters=3)
    found = AWP(random_state=0).fit(data).labels_
    for order in (np.random.default_rng(s).permutation(60) for s in range(3)):
        assert same_partition(AWP(random_state=0).fit(data.take(order)).labels_, found[order])
