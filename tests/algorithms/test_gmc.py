"""GMC: rows of its graph, and components that are counted."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mvarena.algorithms.graph.gmc import NearestOthers, gmc
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.kernels import squared_distances


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 3))
def test_the_graph_is_on_the_simplex_and_its_components_are_counted(seed, k, n_views):
    rng = np.random.default_rng(seed)
    X = [rng.integers(0, 3, (20, 2)).astype(float) for _ in range(n_views)]
    found = gmc([NearestOthers.among(squared_distances(x), 4) for x in X], k, Stopping(20))
    np.testing.assert_allclose(found.U.sum(axis=1), 1.0)
    assert found.U.min() >= 0
    assert not found.U.diagonal().any()
    assert (found.weights > 0).all()
    if found.history.converged:
        assert found.components.max() + 1 == k


def test_samples_that_all_coincide_share_their_rows():
    view = NearestOthers.among(np.zeros((5, 5)), 3)
    np.testing.assert_allclose(view.weights(), 1 / 3)
