"""Nearest rows: the right ones, the first of those equally far, whatever the storage; and graphs made of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from scipy.spatial.distance import cdist

from mvarena.numerics import kernels
from mvarena.numerics.neighbours import mean_reach, nearest_rows, neighbour_graph

# few whole numbers: most distances are tied
tied = arrays(np.float64, st.tuples(st.integers(1, 12), st.just(3)), elements=st.sampled_from([0.0, 1.0, 2.0]))


@given(tied, tied, st.integers(1, 6))
def test_the_first_of_equally_far_anchors_are_taken(X, anchors, m):
    indices, squared = nearest_rows(X, anchors, m)
    exact = np.rint(cdist(X, anchors, "sqeuclidean"))
    expected = np.argsort(exact, axis=1, kind="stable")[:, :m]
    np.testing.assert_array_equal(np.sort(indices), np.sort(expected))
    np.testing.assert_allclose(squared, np.take_along_axis(exact, indices, axis=1), atol=1e-9)
    assert (np.diff(squared, axis=1) >= 0).all()


@given(tied, tied, st.integers(1, 6), st.floats(0.1, 10.0))
def test_sparse_rows_find_the_anchors_of_dense_ones(X, anchors, m, scale):
    X, anchors = X * scale, anchors * scale
    dense = nearest_rows(X, anchors, m)
    for left, right in ((sparse.csr_array(X), sparse.csr_array(anchors)), (sparse.csr_array(X), anchors)):
        found = nearest_rows(left, right, m)
        np.testing.assert_array_equal(np.sort(found[0]), np.sort(dense[0]))
        np.testing.assert_allclose(found[1], dense[1], atol=1e-9 * scale**2)


def test_blocks_change_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    X, anchors = rng.standard_normal((57, 4)), rng.standard_normal((20, 4))
    whole = nearest_rows(X, anchors, 5)
    monkeypatch.setattr(kernels, "_BLOCK_ENTRIES", 100)
    parts = nearest_rows(X, anchors, 5)
    np.testing.assert_array_equal(parts[0], whole[0])
    np.testing.assert_allclose(parts[1], whole[1], rtol=1e-12)


def test_fewer_anchors_than_asked_are_all_used():
    indices, squared = nearest_rows(np.zeros((3, 2)), np.ones((2, 2)), 10)
    assert indices.shape == squared.shape == (3, 2)
    assert mean_reach(squared) == pytest.approx(np.sqrt(2))


def test_neighbour_graph_leaves_other_rows_empty():
    graph = neighbour_graph(np.array([[2, 0], [1, 2]]), np.array([[0.5, 0.25], [1.0, 2.0]]), 3, np.array([1, 3]), 5)
    expected = np.zeros((5, 3))
    expected[1, [2, 0]] = 0.5, 0.25
    expected[3, [1, 2]] = 1.0, 2.0
    np.testing.assert_array_equal(graph.toarray(), expected)
    assert graph.has_sorted_indices
