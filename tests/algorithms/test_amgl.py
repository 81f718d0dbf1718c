"""amgl: the objective falls, the reference's numbers."""

from __future__ import annotations

import numpy as np
from comparisons import projector
from golden_numbers import golden_numbers
from hypothesis import given, settings
from hypothesis import strategies as st

from mvarena.algorithms.graph.amgl import AMGL, amgl
from mvarena.algorithms.graph.view_graphs import nearest_graph, symmetric_normalized
from mvarena.data import MultiViewData
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs

GOLDEN = golden_numbers("amgl")


def laplacian(rng, n):
    W = nearest_graph(np.exp(rng.standard_normal((n, n)) / 2), 5)
    return np.eye(n) - symmetric_normalized(W)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 4), st.integers(1, 4))
def test_objective_falls_and_F_stays_orthonormal(seed, views, k):
    rng = np.random.default_rng(seed)
    L = [laplacian(rng, 25) for _ in range(views)]
    found = amgl(L, k, Stopping(50, 1e-8))
    assert (np.diff(found.history.objective) <= 1e-10).all()
    np.testing.assert_allclose(found.F.T @ found.F, np.eye(k), atol=1e-10)


def test_nearest_graph_is_symmetric_and_keeps_the_nearest():
    S = np.random.default_rng(0).random((12, 12))
    S = S + S.T
    W = nearest_graph(S, 3)
    np.testing.assert_array_equal(W, W.T)
    assert (np.diag(W) == 0).all()
    assert ((W > 0).sum(axis=1) >= 3).all()
    assert (nearest_graph(np.ones((1, 1)), 5) == 0).all()


def test_the_estimator_with_the_published_graph_is_the_reference():
    features = golden_numbers("mvgl")
    data = MultiViewData.from_arrays([features[f"X{v}"] for v in range(3)], n_clusters=3)
    found = AMGL(graph="adaptive").represent(data)
    np.testing.assert_allclose(projector(found.embedding), projector(GOLDEN["F"]), atol=1e-5)
    np.testing.assert_allclose(found.details["weights"], GOLDEN["weights"], rtol=1e-4)


def test_rows_of_samples_that_views_miss_are_the_weighted_mean_of_their_neighbours():
    data = blobs(60, dims=(5, 5), spread=1.5, missing=0.3)
    found = AMGL(max_iter=200).represent(data)
    share = data.mask @ (found.details["weights"] / found.details["weights"].sum())
    F = found.embedding * share[:, None]
    np.testing.assert_allclose(F.T @ F, np.eye(3), atol=1e-8)
    lengths = np.linalg.norm(found.embedding, axis=1)
    once, always = share < 0.99, share > 0.99
    assert once.sum() > 10
    assert 0.8 < lengths[once].mean() / lengths[always].mean() < 1.25
