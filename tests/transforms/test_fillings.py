"""Fillings: complete afterwards, observed numbers untouched, and the same in a kernel as in the features behind it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from mvarena.data import MultiViewData, View
from mvarena.errors import Incompatible
from mvarena.testing.examples import blobs
from mvarena.transforms.filling import fill_knn, fill_mean, fill_zero

FILLINGS = {"mean": fill_mean, "zero": fill_zero, "knn": fill_knn}


@pytest.mark.parametrize("name", FILLINGS)
@pytest.mark.parametrize("kind", ["features", "kernel", "distance"])
def test_what_was_observed_stays(name, kind):
    data = blobs(30, missing=0.3, kind=kind)
    if (name, kind) == ("zero", "distance"):
        with pytest.raises(Incompatible, match="zero means the same"):
            fill_zero(data)
        return
    found = FILLINGS[name](data)
    assert found.is_complete
    for old, new, seen in zip(data.views, found.views, data.mask.T, strict=True):
        place = np.ix_(seen, seen) if kind != "features" else np.flatnonzero(seen)
        np.testing.assert_array_equal(new.matrix[place], old.matrix[place])


@pytest.mark.parametrize("fill", [fill_mean, fill_knn])
def test_kernels_and_distances_are_filled_as_the_features_behind_them(fill):
    features = blobs(30, missing=0.3)
    filled = [view.matrix for view in fill(features).views]
    for kind in ("kernel", "distance"):
        products = [v.matrix @ v.matrix.T if kind == "kernel" else cdist(v.matrix, v.matrix) for v in features.views]
        behind = fill(MultiViewData.from_arrays(products, mask=features.mask, kinds=[kind] * 2))
        for points, found in zip(filled, behind.views, strict=True):
            expected = points @ points.T if kind == "kernel" else cdist(points, points)
            np.testing.assert_allclose(found.matrix, expected, atol=1e-6)


def test_neighbours_in_the_other_view_fill_the_missing_row():
    other = np.array([[0.0], [1.0], [2.0], [10.0], [11.0]])
    view = np.array([[np.nan, np.nan], [1, 2], [3, 4], [50, 60], [70, 80]])
    found = fill_knn(MultiViewData.from_arrays([view, other]), n_neighbors=2)
    np.testing.assert_allclose(found.views[0].matrix[0], [2, 3])


def test_all_at_the_distance_of_the_last_neighbour_count_whatever_the_order():
    other = np.array([[0.0], [1.0], [-1.0], [1.0], [9.0]])
    view = np.array([[np.nan], [1], [2], [6], [100]])
    order = np.array([4, 2, 3, 0, 1])
    for rows, place in ((slice(None), 0), (order, 3)):
        found = fill_knn(MultiViewData.from_arrays([view[rows], other[rows]]), n_neighbors=1)
        np.testing.assert_allclose(found.views[0].matrix[place], [3])


def test_a_sample_without_a_shared_view_gets_the_mean():
    first = np.array([[1.0], [3.0], [np.nan], [np.nan]])
    second = np.array([[np.nan], [np.nan], [5.0], [9.0]])
    found = fill_knn(MultiViewData.from_arrays([first, second]))
    np.testing.assert_allclose(found.views[0].matrix.ravel(), [1, 3, 2, 2])
    np.testing.assert_allclose(found.views[1].matrix.ravel(), [7, 7, 5, 9])


def test_many_rows_are_filled_block_by_block_as_at_once(monkeypatch):
    data = blobs(missing=0.4)
    whole = fill_knn(data)
    monkeypatch.setattr("mvarena.numerics.kernels._BLOCK_ENTRIES", 500)
    for one, other in zip(fill_knn(data).views, whole.views, strict=True):
        np.testing.assert_allclose(one.matrix, other.matrix, rtol=1e-12)


def test_seven_neighbours_fill_unless_told():
    other = np.arange(12.0)[:, None]
    view = np.array([[np.nan], *([2.0**place] for place in range(11))])
    found = fill_knn(MultiViewData.from_arrays([view, other])).views[0].matrix[0]
    np.testing.assert_allclose(found, [np.mean(2.0 ** np.arange(7))])


def test_a_neighbour_that_shares_more_views_is_not_farther_for_that() -> None:
    """By the mean over shared views the second sample is nearer, 1.8 to 2.7; by their sum the third, 3.6 to 2.7."""
    columns = ([0.0, 1.0, 1.3], [0.0, 1.0, 0.0], [0.0, 10.0, 20.0])
    views = tuple(View(f"v{i}", np.array(column)[:, None]) for i, column in enumerate(columns))
    mask = np.array([[True, True, False], [True, True, True], [True, False, True]])
    filled = fill_knn(MultiViewData("three", views, mask), n_neighbors=1)
    assert filled.views[2].matrix[0, 0] == 10.0
