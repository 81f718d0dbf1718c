"""Views' graphs: similarities in both precisions, isolated samples, adaptive neighbours, distances of kernels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from mvarena.algorithms.baselines.similarities import view_kernel
from mvarena.algorithms.graph.view_graphs import (
    adaptive_graph,
    adaptive_rows,
    gaussian_similarity,
    median_with_diagonal,
    nearest_graph,
    squared_distances,
    symmetric_normalized,
    transition_probabilities,
    view_graphs,
)
from mvarena.data import MultiViewData, View
from mvarena.numerics import kernels
from mvarena.testing import examples


def view_of(X) -> View:
    return MultiViewData.from_arrays([X]).views[0]


def blobs(scale: float = 1.0, offset: float = 0.0) -> np.ndarray:
    return scale * examples.blobs(90, dims=(7,), spread=4).views[0].matrix + offset


@pytest.mark.parametrize("sigma", [None, 1.5])
@pytest.mark.parametrize("X", [blobs(), blobs(offset=1e4), sparse.csr_array(np.maximum(blobs(), 0))])
def test_single_precision_gives_the_similarities_of_double(X, sigma):
    double = gaussian_similarity(view_of(X), sigma)
    single = gaussian_similarity(view_of(X), sigma, dtype=np.float32)
    assert (double.dtype, single.dtype) == (np.float64, np.float32)
    np.testing.assert_allclose(single, double, atol=2e-5)
    assert (single.diagonal() == 1).all()
    np.testing.assert_allclose(symmetric_normalized(single), symmetric_normalized(double), rtol=5e-5, atol=1e-7)


def test_a_narrow_bandwidth_is_computed_in_double_precision():
    # neighbours 1e-3 apart at a distance of 10 from the mean: single precision takes them for equal
    X = np.add.outer([-10.0, 10.0], 1e-3 * np.arange(20)).reshape(-1, 1)
    double = gaussian_similarity(view_of(X), 1e-3)
    single = gaussian_similarity(view_of(X), 1e-3, dtype=np.float32)
    assert double[0, 1] == pytest.approx(np.exp(-0.5), rel=1e-6)
    np.testing.assert_array_equal(single, double.astype(np.float32))


@pytest.mark.parametrize("scale", [1e-25, 1e25])
def test_values_that_single_precision_cannot_square_are_no_trouble(scale):
    similarity = gaussian_similarity(view_of(blobs(scale)), None, dtype=np.float32)
    np.testing.assert_allclose(similarity, gaussian_similarity(view_of(blobs()), None), atol=1e-6)


def test_other_kinds_of_view_come_in_the_precision_asked_for():
    rng = np.random.default_rng(1)
    points = rng.standard_normal((12, 2))
    distances = np.linalg.norm(points[:, None] - points, axis=2)
    for view in (
        MultiViewData.from_arrays([distances], kinds=["distance"]).views[0],
        MultiViewData.from_arrays([np.exp(-distances)], kinds=["kernel"]).views[0],
    ):
        single = gaussian_similarity(view, None, dtype=np.float32)
        assert single.dtype == np.float32
        np.testing.assert_allclose(single, gaussian_similarity(view, None), atol=1e-6)


def with_a_row_of_zeros(graph):
    graph[4] = graph[:, 4] = 0.0
    return graph


def test_a_sample_without_similarities_stays_isolated():
    S = np.exp(-squared_distances(view_of(blobs()[:12])) / 20)
    assert (symmetric_normalized(with_a_row_of_zeros(S.copy()))[4] == 0).all()
    W = nearest_graph(with_a_row_of_zeros(S.copy()), 3)
    np.testing.assert_array_equal(W, W.T)
    assert (W[4] == 0).all()
    assert (W.diagonal() == 0).all()
    assert (np.delete(W, 4, axis=0) > 0).sum(axis=1).min() >= 3
    assert (nearest_graph(np.ones((1, 1)), 5) == 0).all()
    T = transition_probabilities(with_a_row_of_zeros(S.copy()))
    np.testing.assert_array_equal(T[4], np.eye(12)[4])
    assert (np.delete(T[:, 4], 4) == 0).all()
    np.testing.assert_allclose(T.sum(axis=1), 1)


@pytest.mark.parametrize("kind", examples.KINDS)
def test_a_view_misses_samples_as_if_they_were_not_there(kind):
    data = examples.blobs(40, dims=(4, 4), missing=0.3, kind=kind)
    graphs = view_graphs(data, None, symmetric_normalized)
    for v, graph in enumerate(graphs):
        seen = np.flatnonzero(data.mask[:, v])
        alone = view_graphs(data.select_views([f"v{v}"]), None, symmetric_normalized)[0]
        np.testing.assert_allclose(graph[np.ix_(seen, seen)], alone, rtol=0, atol=1e-15)
        assert np.count_nonzero(graph) == np.count_nonzero(alone)


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 5), st.booleans())
def test_adaptive_neighbours_are_on_the_simplex_in_any_order_and_copies_may_have_none(seed, n, m, copies):
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 3, (n, 2)).astype(float) if copies else rng.standard_normal((n, 2))
    rows = adaptive_rows(kernels.squared_distances(points), m)
    assert (rows >= 0).all()
    assert (rows.diagonal() == 0).all()
    if n > 2:
        np.testing.assert_allclose(rows.sum(axis=1), 1.0)
    order = rng.permutation(n)
    again = adaptive_rows(kernels.squared_distances(points[order]), m)
    np.testing.assert_allclose(again, rows[np.ix_(order, order)], atol=1e-9)
    without = adaptive_rows(kernels.squared_distances(points), m, equally_near=False)
    held = without.any(axis=1)
    np.testing.assert_array_equal(without[held], rows[held])
    graph = adaptive_graph(kernels.squared_distances(points), m)
    np.testing.assert_array_equal(graph, (without + without.T) / 2)
    if n > 2:
        others = kernels.squared_distances(points) + np.diag([np.inf] * n)
        nearest = np.sort(others)[:, : min(m, n - 2) + 1]
        np.testing.assert_array_equal(held, nearest[:, 0] < nearest[:, -1] * (1 - 1e-12))


def test_negative_entries_of_a_kernel_are_no_similarity():
    signed = np.array([[1.0, -0.5, 0.2], [-0.5, 1.0, 0.0], [0.2, 0.0, 1.0]])
    for matrix in (signed, sparse.csr_array(signed)):
        for similarity in (
            gaussian_similarity(View("k", matrix, "kernel"), None),
            view_kernel(View("k", matrix, "kernel")),
        ):
            np.testing.assert_array_equal(similarity, np.maximum(signed, 0.0))


def test_the_distances_of_a_kernel_are_those_of_its_features():
    X = blobs()
    kernel = MultiViewData.from_arrays([X @ X.T], kinds=["kernel"]).views[0]
    np.testing.assert_allclose(squared_distances(kernel), squared_distances(view_of(X)), atol=1e-9)


@pytest.mark.parametrize("n", [1, 2, 5, 12, 31])
def test_the_median_with_the_diagonal_is_that_of_all_entries(n):
    squared = squared_distances(view_of(blobs()[:n]))
    expected = np.median(np.sqrt(squared))
    assert median_with_diagonal(squared) == pytest.approx(expected if expected > 0 else 1.0, rel=1e-12)
