"""Distances and kernels: they agree with the textbook form, dense and sparse, and survive degenerate rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from scipy.spatial.distance import cdist, pdist

from mvarena.numerics import kernels
from mvarena.numerics.kernels import (
    cosine_kernel,
    gaussian,
    median_distance,
    row_blocks,
    squared_distances,
)

points = arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(1, 5)), elements=st.floats(-1e3, 1e3, width=32))


@given(points)
def test_squared_distances_match_the_textbook(X):
    reference = cdist(X, X, "sqeuclidean")
    found = squared_distances(X)
    np.testing.assert_allclose(found, reference, atol=1e-9 * max(1.0, reference.max()))
    assert (np.diagonal(found) == 0).all()
    assert (found >= 0).all()
    np.testing.assert_array_equal(found, found.T)


@given(points)
def test_sparse_rows_give_the_distances_of_dense_ones(X):
    dense = squared_distances(X)
    np.testing.assert_allclose(squared_distances(sparse.csr_array(X)), dense, atol=1e-9 * max(1.0, (X**2).max()))
    mixed = squared_distances(sparse.csr_array(X), X[:1])
    np.testing.assert_allclose(mixed, dense[:, :1], atol=1e-9 * max(1.0, (X**2).max()))


def test_a_far_away_origin_does_not_cost_digits():
    X = np.random.default_rng(0).standard_normal((30, 4))
    np.testing.assert_allclose(squared_distances(X + 1e6), cdist(X, X, "sqeuclidean"), atol=1e-7)


def test_equal_rows_are_exactly_zero_apart():
    X = np.random.default_rng(1).standard_normal((6, 50))
    assert (np.diagonal(squared_distances(X, X.copy())) == 0).all()
    assert (np.diagonal(squared_distances(sparse.csr_array(X), sparse.csr_array(X.copy()))) == 0).all()


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array])
def test_single_precision_is_wrong_by_the_rounding_it_promises(convert):
    rng = np.random.default_rng(4)
    X = np.vstack([rng.standard_normal((40, 300)) * rng.uniform(0.1, 10, (40, 1)), np.zeros((2, 300))])
    X[7] = X[6]
    found = squared_distances(convert(X), dtype=np.float32)
    assert found.dtype == np.float32
    assert found[6, 7] == found[40, 41] == 0
    assert (found.diagonal() == 0).all()
    lengths = np.square(X - (X.mean(axis=0) if convert is np.asarray else 0)).sum(axis=1)
    assert (np.abs(found - cdist(X, X, "sqeuclidean")) <= 2e-6 * np.add.outer(lengths, lengths)).all()


def test_gaussian_is_the_exponential_and_its_limit_at_scale_zero():
    squared = np.array([[0.0, 4.0], [4.0, 0.0]])
    np.testing.assert_allclose(gaussian(squared, 2.0), np.exp(-squared / 2.0))
    np.testing.assert_array_equal(gaussian(squared, 0.0), np.eye(2))


@given(points.filter(lambda X: len(X) > 1))
def test_median_distance_is_the_median_over_pairs(X):
    np.testing.assert_allclose(median_distance(X), np.median(pdist(X)), atol=1e-5 * max(1.0, np.abs(X).max()))


def test_median_distance_of_a_subsample_is_fixed_and_near(monkeypatch):
    X = np.random.default_rng(2).standard_normal((600, 3))
    whole = median_distance(X)
    monkeypatch.setattr(kernels, "_MEDIAN_EXACT_UP_TO", 300)
    sampled = median_distance(X)
    assert sampled == median_distance(X)
    assert sampled != whole
    assert sampled == pytest.approx(whole, rel=0.05)


@given(points)
def test_cosine_kernel_has_unit_diagonal_except_for_zero_rows(X):
    X[0] = 0.0
    kernel = cosine_kernel(X)
    filled = np.linalg.norm(X, axis=1) > 1e-30
    assert np.isfinite(kernel).all()
    assert (kernel[0] == 0).all()
    np.testing.assert_allclose(np.diagonal(kernel)[filled], 1.0)
    np.testing.assert_allclose(cosine_kernel(sparse.csr_array(X)), kernel, atol=1e-12)


@given(st.integers(0, 10_000), st.integers(0, 10**8))
def test_row_blocks_cover_every_row_once(n, width):
    rows = [row for block in row_blocks(n, max(width, 400)) for row in range(block.start, block.stop)]
    assert rows == list(range(n))
