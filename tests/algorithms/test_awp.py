"""AWP: it matches the collected program from its start; the objective never rises; the start is free of rotations."""

from __future__ import annotations

import numpy as np
import pytest
from comparisons import projector
from golden_numbers import golden_numbers
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from mvarena.algorithms import AWP
from mvarena.algorithms.graph.awp import awp, neighbour_similarities, towards_an_indicator
from mvarena.algorithms.graph.view_graphs import symmetric_normalized
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.kernels import squared_distances
from mvarena.numerics.spectral import top_eigenvectors
from mvarena.testing.examples import blobs

GOLDEN = golden_numbers("awp")


@pytest.mark.parametrize("run", range(3))
def test_it_matches_the_program_from_its_start(run):
    found = awp([GOLDEN[f"F{run}_{v}"] for v in range(3)], Stopping(300))
    steps = GOLDEN[f"p{run}"]
    # the program runs one step more before it sees that nothing changes
    np.testing.assert_allclose(found.history.objective, steps.sum(axis=0)[: found.history.n_iter], rtol=1e-12)
    np.testing.assert_allclose(found.distances, steps[:, -1], rtol=1e-12)
    np.testing.assert_array_equal(found.labels, GOLDEN[f"labels{run}"])
    for v in range(3):
        np.testing.assert_allclose(found.rotations[v], GOLDEN[f"R{run}_{v}"], atol=1e-11)
    assert found.history.converged


@pytest.mark.parametrize("run", range(3))
def test_graphs_and_start_match(run):
    for v in range(3):
        A = neighbour_similarities(squared_distances(GOLDEN[f"X{v}"]), int(GOLDEN[f"knn{run}"]))
        if run == 0:
            np.testing.assert_allclose(A, GOLDEN[f"affinity{v}"], atol=1e-12)
        F = top_eigenvectors(symmetric_normalized(A), 3, direct=True)[1]
        np.testing.assert_allclose(projector(F), projector(GOLDEN[f"raw{run}_{v}"]), atol=1e-11)
        np.testing.assert_allclose(towards_an_indicator(GOLDEN[f"raw{run}_{v}"]), GOLDEN[f"F{run}_{v}"], atol=1e-12)


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
