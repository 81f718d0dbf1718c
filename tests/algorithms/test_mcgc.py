"""MCGC: its graph is symmetric, and the objective that of its parts."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mvarena.algorithms.graph.mcgc import mcgc
from mvarena.algorithms.graph.mvgl import learned_graph
from mvarena.numerics.iteration import Stopping
from mvarena.numerics.kernels import squared_distances


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 3), st.floats(0.1, 5))
def test_the_consensus_is_a_symmetric_graph_and_the_objective_that_of_its_parts(seed, k, n_views, beta):
    rng = np.random.default_rng(seed)
    A = [learned_graph(squared_distances(rng.standard_normal((20, 3))), k, 5, local=True) for _ in range(n_views)]
    found = mcgc(A, k, Stopping(3), agreement=beta)
    np.testing.assert_array_equal(found.S, found.S.T)
    assert found.S.min() >= 0
    # a mean of two matrices with rows on the simplex
    np.testing.assert_allclose(found.S.sum(), 20)
    for U in found.U:
        np.testing.assert_allclose(U.T @ U, np.eye(k), atol=1e-9)
    nearest = [np.trace(U.T @ (graph + beta * found.S) @ U) for U, graph in zip(found.U, A, strict=True)]
    np.testing.assert_allclose(found.history.objective[-1], (found.S**2).sum() / 2 - sum(nearest))
