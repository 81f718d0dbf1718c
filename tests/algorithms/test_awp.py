"""AWP: it matches the collected program from its start; the objective never rises; the start is free of rotations."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms import AWP
from mvarena.algorithms.graph.awp import awp, neighbour_similarities, towards_an_indicator
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.kernels import squared_distances
from mvarena.testing.examples import blobs


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 3))
def test_the_objective_never_rises(seed, k, n_views):
    rng = np.random.default_rng(seed)
    F = [np.linalg.qr(rng.standard_normal((25, k)))[0] for _ in range(n_views)]
    found = awp(F, Stopping(50))
    assert (np.diff(found.history.objective) <= 1e-9).all()
    Y = np.eye(k)[found.labels]
    apart = [np.linalg.norm(Y - f @ r) for f, r in zip(F, found.rotations, strict=True)]
    np.testing.assert_allclose(found.history.objective[-1], sum(apart))


@given(st.integers(0, 10**6), st.integers(2, 4))
def test_the_start_does_not_hang_on_the_rotation_of_the_eigenvectors(seed, k):
    rng = np.random.default_rng(seed)
    F = np.linalg.qr(rng.standard_normal((20, k)))[0]
    turned = F @ np.linalg.qr(rng.standard_normal((k, k)))[0]
    np.testing.assert_allclose(towards_an_indicator(turned), towards_an_indicator(F), atol=1e-7)


def test_of_neighbours_equally_far_none_is_preferred():
    points = np.array([[0.0], [1.0], [-1.0], [9.0]])
    A = neighbour_similarities(squared_distances(points), 1)
    assert A[0, 1] == A[0, 2] > 0
    assert not A.diagonal().any()


def test_clear_clusters_are_found():
    data = blobs(150, dims=(12, 15), seed=1)
    assert adjusted_rand_score(data.labels, AWP(random_state=0).fit(data).labels_) > 0.9
