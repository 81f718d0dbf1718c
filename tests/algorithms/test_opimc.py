"""OPIMC: the objective of all blocks falls within one, blocks counted in and out, limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.algorithms import OPIMC, OPMC
from mvarena.algorithms.nmf.opimc import Block, Past, nearest_clusters, solve_block
from mvarena.numerics.iteration import Stopping
from mvarena.testing.examples import blobs


@given(st.integers(0, 10**6), st.floats(0, 0.5), st.sampled_from([1e-3, 1.0, 10.0]))
def test_within_a_block_the_objective_never_rises_and_is_what_it_says(seed, missing, alpha):
    data = blobs(40, dims=(6, 9), missing=missing, seed=seed, spread=1.0)
    matrices, mask = [view.matrix for view in data.views], data.mask.astype(float)
    early, late = (Block([x[s] for x in matrices], mask[s]) for s in (slice(0, 15), slice(15, 40)))
    rng = np.random.default_rng(seed)
    old = np.eye(3)[np.arange(15) % 3]
    past = Past([6, 9], 3)
    past.add(early, old)
    found = solve_block(
        past, late, np.eye(3)[rng.integers(0, 3, 25)], [rng.random((6, 3)), rng.random((9, 3))], alpha, Stopping(12)
    )
    # a cluster that a view does not observe at all keeps its basis; with these every view observes some of each
    assert (np.diff(found.history.objective) <= 1e-9 * found.history.objective[0]).all()
    V = np.vstack([old, np.eye(3)[found.labels]])
    apart = sum(np.square((x - V @ u.T) * m[:, None]).sum() for x, u, m in zip(matrices, found.U, mask.T, strict=True))
    assert found.history.objective[-1] == pytest.approx(apart + alpha * sum(np.square(u).sum() for u in found.U))
    np.testing.assert_array_equal(found.labels, nearest_clusters(late, found.U))


def test_a_block_counted_in_and_out_leaves_nothing():
    data, V = blobs(20, dims=(6, 9), missing=0.3), np.eye(3)[np.arange(20) % 3]
    past, block = Past([6, 9], 3), Block([view.matrix for view in data.views], data.mask.astype(float))
    past.add(block, V)
    past.add(block, V, sign=-1)
    assert (past.n_samples, past.norm) == (0, 0.0)
    assert max(abs(one).max() for one in [*past.T, *past.R]) < 1e-12


@pytest.mark.parametrize("method", [OPIMC, OPMC])
def test_of_random_starts_the_one_that_ends_lowest_is_taken(method):
    data = blobs(60, dims=(6, 7), spread=0.7, seed=3)
    one, ten = (method(start="random", n_starts=count, random_state=0).represent(data) for count in (1, 10))
    assert ten.objective[-1] < one.objective[-1] - 1e-3


def test_blocks_that_hit_the_limit_are_said():
    data = blobs(90, dims=(6, 7), missing=0.3, spread=0.7, seed=3)
    found = OPIMC(block_size=30, max_iter=1, random_state=0).represent(data)
    assert not found.converged
    assert "in 2 earlier blocks the limit of 1 iterations came first" in found.stopped_because
