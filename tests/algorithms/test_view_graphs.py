"""Gaussian similarities in single precision beside those in double, and where single precision must not be taken."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from mvarena.algorithms.graph.view_graphs import gaussian_similarity, symmetric_normalized
from mvarena.data import MultiViewData, View
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


def test_equal_samples_are_fully_similar():
    assert (gaussian_similarity(view_of(np.ones((5, 3))), None, dtype=np.float32) == 1).all()


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
