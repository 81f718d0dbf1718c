"""Features of kernels and distances: their products and distances are those of the view."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from mvarena.data import MultiViewData
from mvarena.testing.examples import blobs
from mvarena.transforms.kernels import distance_features, kernel_features

POINTS = np.random.default_rng(0).normal(size=(20, 4))
MADE = {"kernel": (kernel_features, POINTS @ POINTS.T), "distance": (distance_features, cdist(POINTS, POINTS))}


@pytest.mark.parametrize("kind", MADE)
def test_distances_between_samples_are_those_of_the_points_behind(kind):
    transform, matrix = MADE[kind]
    view = transform(MultiViewData.from_arrays([matrix], kinds=[kind])).views[0]
    assert (view.kind, view.n_features) == ("features", 4)
    np.testing.assert_allclose(cdist(view.matrix, view.matrix), cdist(POINTS, POINTS), atol=1e-9)


@pytest.mark.parametrize("kind", MADE)
def test_fewer_features_are_the_leading_ones(kind):
    transform, matrix = MADE[kind]
    data = MultiViewData.from_arrays([matrix], kinds=[kind])
    few, all_of_them = (transform(data, n_features=n).views[0].matrix for n in (2, 9))
    np.testing.assert_allclose(few, all_of_them[:, :2], atol=1e-12)
    assert (np.diff((all_of_them**2).sum(axis=0)) < 0).all()


@pytest.mark.parametrize("kind", MADE)
def test_missing_samples_stay_missing_and_change_nothing(kind):
    transform, matrix = MADE[kind]
    mask = np.ones((20, 2), dtype=bool)
    mask[:6, 0] = False
    data = MultiViewData.from_arrays([matrix, np.ones((20, 1))], mask=mask, kinds=[kind, "features"])
    found = transform(data)
    alone = transform(MultiViewData.from_arrays([matrix[6:, 6:]], kinds=[kind]))
    np.testing.assert_array_equal(found.mask, mask)
    assert not found.views[0].matrix[:6].any()
    np.testing.assert_allclose(found.views[0].matrix[6:], alone.views[0].matrix, atol=1e-9)


def test_views_of_other_kinds_stay():
    data = blobs(20)
    assert [view.kind for view in kernel_features(blobs(20, kind="distance")).views] == ["distance", "distance"]
    assert kernel_features(data).fingerprint == data.fingerprint


def test_samples_that_are_all_alike_have_one_constant_feature():
    found = kernel_features(MultiViewData.from_arrays([np.full((5, 5), 3.0)], kinds=["kernel"]))
    np.testing.assert_array_equal(found.views[0].matrix, np.zeros((5, 1)))
