"""Nearest and near rows, the smallest entries of rows, whatever the storage and the ties; graphs made of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from scipy.spatial.distance import cdist

from mvarena.numerics import kernels, neighbours
from mvarena.numerics.neighbours import (
    near_rows,
    nearest_other_row,
    nearest_rows,
    neighbour_graph,
    smallest_in_rows,
)

# few whole numbers: most distances are tied
tied = arrays(np.float64, st.tuples(st.integers(1, 12), st.just(3)), elements=st.sampled_from([0.0, 1.0, 2.0]))


@given(tied, tied, st.integers(1, 6))
def test_the_first_of_equally_far_anchors_are_taken(X, anchors, m):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "_BLOCK_ENTRIES", 20)  # blocks of a few rows
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


def test_neighbour_graph_leaves_other_rows_empty():
    graph = neighbour_graph(np.array([[2, 0], [1, 2]]), np.array([[0.5, 0.25], [1.0, 2.0]]), 3, np.array([1, 3]), 5)
    expected = np.zeros((5, 3))
    expected[1, [2, 0]] = 0.5, 0.25
    expected[3, [1, 2]] = 1.0, 2.0
    np.testing.assert_array_equal(graph.toarray(), expected)
    assert graph.has_sorted_indices


@given(st.integers(0, 10**6), st.integers(2, 200), st.integers(1, 6))
def test_with_all_cells_probed_they_are_the_nearest(seed, n, m):
    m = min(m, n)
    points = np.random.default_rng(seed).standard_normal((n, 3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "_CROWDED", n)
        patch.setattr(neighbours, "_PROBES", n)
        np.testing.assert_array_equal(near_rows(points, m), nearest_rows(points, points, m)[0])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_most_are_found_among_groups_and_each_row_is_its_own_nearest(form):
    rng = np.random.default_rng(0)
    points = rng.standard_normal((2000, 6)) + 10 * rng.standard_normal((8, 6))[np.arange(2000) % 8]
    found, nearest = near_rows(form(points), 4), nearest_rows(points, points, 4)[0]
    np.testing.assert_array_equal(found[:, 0], np.arange(2000))
    assert np.mean([len(set(a) & set(b)) / 4 for a, b in zip(found, nearest, strict=True)]) > 0.85
    assert all(len(set(row)) == 4 for row in found)


def test_where_the_rows_stand_changes_nothing():
    rng = np.random.default_rng(1)
    points = rng.standard_normal((500, 3))
    order = rng.permutation(500)
    np.testing.assert_array_equal(order[near_rows(points[order], 3)], near_rows(points, 3)[order])


def test_a_crowd_of_equal_rows_is_searched_in_parts(monkeypatch):
    compared = []

    def counted(points, others, m):
        compared.append(points.shape[0] * others.shape[0])
        return nearest_rows(points, others, m)

    monkeypatch.setattr(neighbours, "nearest_rows", counted)
    n = 4_000
    points = np.zeros((n, 2))
    points[:200] = np.random.default_rng(0).standard_normal((200, 2))
    found = near_rows(points, 3)
    assert not points[found[200:]].any()
    assert sum(compared) < 20 * n**1.5


@given(st.integers(1, 40), st.integers(1, 30), st.data())
def test_they_are_those_that_a_stable_sort_puts_first(n, width, data):
    m = data.draw(st.integers(1, width))
    values = data.draw(st.integers(1, 20))
    matrix = np.random.default_rng(values).integers(0, values, (n, width)).astype(float)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "_ROWS", 7)  # blocks of rows
        columns, smallest = smallest_in_rows(matrix, m)
    np.testing.assert_array_equal(columns, np.argsort(matrix, axis=1, kind="stable")[:, :m])
    np.testing.assert_array_equal(smallest, np.sort(matrix, axis=1)[:, :m])


@given(st.integers(0, 10**6), st.integers(2, 30))
def test_nearest_other_row_is_the_brute_force_one(seed, n):
    points = np.random.default_rng(seed).random((n, 3))
    squared = np.square(points[:, None] - points[None]).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    np.testing.assert_array_equal(nearest_other_row(points), squared.argmin(axis=1))
    np.testing.assert_array_equal(nearest_other_row(sparse.csr_array(points)), squared.argmin(axis=1))


def test_nearest_other_row_of_twins_and_of_one():
    np.testing.assert_array_equal(nearest_other_row(np.zeros((3, 2))), [1, 0, 0])
    np.testing.assert_array_equal(nearest_other_row(np.zeros((1, 2))), [0])
