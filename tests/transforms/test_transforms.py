"""Transforms: missing rows stay missing, sparse equals dense, and each does what its formula says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from scipy.spatial.distance import cdist

from mvarena.contracts.parameters import parameters_of
from mvarena.data import MultiViewData
from mvarena.errors import Incompatible
from mvarena.testing.examples import blobs
from mvarena.transforms.filling import fill_mean
from mvarena.transforms.kernels import gaussian_kernel, polynomial_kernel
from mvarena.transforms.perturbation import perturb
from mvarena.transforms.scale_auto import scale_auto
from mvarena.transforms.scaling import minmax, shift_nonnegative, tfidf, unit_rows, unit_view, zscore

FEATURES = {
    "unit-rows": unit_rows,
    "unit-view": unit_view,
    "minmax": minmax,
    "zscore": zscore,
    "tfidf": tfidf,
    "scale-auto": scale_auto,
    "shift-nonnegative": shift_nonnegative,
}


@st.composite
def incomplete(draw):
    """Two views, one sample per row at least observed somewhere."""
    n = draw(st.integers(2, 8))
    values = st.integers(-50, 50).map(lambda x: 0.0 if x % 3 == 0 else x / 4)
    arrays = [draw(hnp.arrays(np.float64, (n, draw(st.integers(1, 4))), elements=values)) for _ in range(2)]
    mask = draw(hnp.arrays(np.bool_, (n, 2)))
    mask[:, 0] |= ~mask[:, 1]
    mask[0] = True
    return MultiViewData.from_arrays(arrays, mask=mask)


@settings(deadline=None, max_examples=40)
@given(data=incomplete())
def test_formulas_hold_on_the_observed_rows(data):
    lengths, ranges, scores = unit_rows(data), minmax(data), zscore(data)
    filled = fill_mean(data)
    for v, view in enumerate(data.views):
        seen = data.mask[:, v]
        rows = view.matrix[seen]
        norms = np.linalg.norm(rows, axis=1)
        np.testing.assert_allclose(np.linalg.norm(lengths.views[v].matrix[seen], axis=1), norms > 0, atol=1e-12)
        constant = np.ptp(rows, axis=0) == 0
        spread = np.where(constant, 1.0, np.ptp(rows, axis=0))
        np.testing.assert_allclose(ranges.views[v].matrix[seen], (rows - rows.min(axis=0)) / spread, atol=1e-12)
        std = np.where(constant, 1.0, rows.std(axis=0))
        np.testing.assert_allclose(scores.views[v].matrix[seen], (rows - rows.mean(axis=0)) / std, atol=1e-9)
        np.testing.assert_allclose(filled.views[v].matrix[~seen], np.tile(rows.mean(axis=0), ((~seen).sum(), 1)))
        np.testing.assert_array_equal(filled.views[v].matrix[seen], rows)


def test_a_column_that_is_constant_up_to_rounding_of_its_mean_becomes_zero():
    data = MultiViewData.from_arrays([np.full((7, 1), 0.1)])
    assert not zscore(data).views[0].matrix.any()
    assert not minmax(data).views[0].matrix.any()


def test_unit_rows_of_tiny_and_huge_numbers():
    data = MultiViewData.from_arrays([[[3e-200, 4e-200], [3e200, 4e200], [0.0, 0.0]]])
    np.testing.assert_allclose(unit_rows(data).views[0].matrix, [[0.6, 0.8], [0.6, 0.8], [0.0, 0.0]])


def test_tfidf_by_hand():
    counts = np.array([[2.0, 1.0, 0.0], [0.0, 3.0, 0.0], [0.0, 1.0, 5.0], [9.0, 9.0, 9.0]])
    mask = np.array([[1, 1], [1, 1], [1, 1], [0, 1]], dtype=bool)
    data = MultiViewData.from_arrays([counts, np.ones((4, 1))], mask=mask)
    expected = [[2 * np.log(3), 0, 0], [0, 0, 0], [0, 0, 5 * np.log(3)], [0, 0, 0]]
    np.testing.assert_allclose(tfidf(data).views[0].matrix, expected)


@pytest.mark.parametrize("transform", [fill_mean, unit_rows, minmax, tfidf])
def test_nonnegative_sparse_views_stay_sparse(transform):
    matrix = sparse.random_array((20, 30), density=0.1, rng=np.random.default_rng(0), format="csr")
    mask = np.ones((20, 2), dtype=bool)
    mask[:3, 0] = False
    data = transform(MultiViewData.from_arrays([matrix, np.ones((20, 1))], mask=mask))
    assert data.views[0].is_sparse


@settings(deadline=None, max_examples=30)
@given(data=incomplete())
def test_the_gaussian_kernel_has_its_bandwidth_at_the_median(data):
    for view, kernel, seen in zip(data.views, gaussian_kernel(data).views, data.mask.T, strict=True):
        distances = cdist(view.matrix[seen], view.matrix[seen])
        pairs = distances[np.triu_indices(len(distances), k=1)]
        assert kernel.kind == "kernel"
        np.testing.assert_array_equal(np.diag(kernel.matrix), seen)
        if pairs.size and np.median(pairs) > 0:
            expected = np.exp(-(distances**2) / (2 * np.median(pairs) ** 2))
            np.testing.assert_allclose(kernel.matrix[np.ix_(seen, seen)], expected, atol=1e-9)


@pytest.mark.parametrize("kind", ["features", "distance"])
def test_a_gaussian_kernel_of_a_chosen_length(kind):
    points = np.random.default_rng(0).normal(size=(9, 3))
    distances = cdist(points, points)
    data = MultiViewData.from_arrays([points if kind == "features" else distances], kinds=[kind])
    found = gaussian_kernel(data, sigma=1.7).views[0].matrix
    np.testing.assert_allclose(found, np.exp(-(distances**2) / (2 * 1.7**2)), atol=1e-12)


def test_what_may_be_set_is_declared():
    assert parameters_of(gaussian_kernel)["sigma"].words == "a number above 0 or none"
    assert parameters_of(polynomial_kernel)["degree"].words == "a whole number of at least 1"


def test_a_distance_view_becomes_the_kernel_of_its_points():
    points = np.random.default_rng(0).normal(size=(9, 3))
    distances = cdist(points, points)
    from_points = gaussian_kernel(MultiViewData.from_arrays([points]))
    from_distances = gaussian_kernel(MultiViewData.from_arrays([distances], kinds=["distance"]))
    np.testing.assert_allclose(from_points.views[0].matrix, from_distances.views[0].matrix, atol=1e-9)


def test_samples_that_mostly_coincide_get_the_limit_of_a_narrow_kernel():
    kernel = gaussian_kernel(MultiViewData.from_arrays([[[0.0], [0.0], [0.0], [0.0], [2.0]]])).views[0].matrix
    np.testing.assert_array_equal(kernel[0], [1, 1, 1, 1, 0])
    assert (gaussian_kernel(MultiViewData.from_arrays([np.zeros((3, 1))])).views[0].matrix == 1).all()


def test_kernel_views_stay_as_they_are():
    data = MultiViewData.from_arrays([np.eye(3)], kinds=["kernel"])
    np.testing.assert_array_equal(gaussian_kernel(data).views[0].matrix, np.eye(3))


@pytest.mark.parametrize("name", sorted(FEATURES))
def test_views_that_hold_no_features_stay_and_are_refused_alone(name):
    features, kernel = np.array([[1.0, 2.0], [3.0, 0.5], [2.0, 2.0]]), np.array([[2, 1, 0], [1, 2, 0], [0, 0, 1.0]])
    mixed = MultiViewData.from_arrays([features, kernel], kinds=["features", "kernel"])
    found, alone = FEATURES[name](mixed), FEATURES[name](mixed.select_views(["view0"]))
    np.testing.assert_array_equal(found.views[1].matrix, kernel)
    np.testing.assert_array_equal(found.views[0].matrix, alone.views[0].matrix)
    with pytest.raises(Incompatible, match=f"{name} works on features, and data.* holds kernel views only"):
        FEATURES[name](mixed.select_views(["view1"]))


@settings(deadline=None, max_examples=40)
@given(data=incomplete())
def test_a_unit_view_keeps_ratios_and_has_unit_size(data):
    for view, found, seen in zip(data.views, unit_view(data).views, data.mask.T, strict=True):
        rows, scaled = view.matrix[seen], found.matrix[seen]
        size = np.sqrt((rows**2).sum(axis=1).mean())
        np.testing.assert_allclose(scaled * size, rows, atol=1e-9)
        np.testing.assert_allclose((scaled**2).sum(axis=1).mean(), float(size > 0))


@settings(deadline=None, max_examples=40)
@given(data=incomplete())
def test_a_shift_keeps_distances_and_leaves_nothing_negative(data):
    for view, found, seen in zip(data.views, shift_nonnegative(data).views, data.mask.T, strict=True):
        rows, shifted = view.matrix[seen], found.matrix[seen]
        assert found.matrix.min() >= 0
        np.testing.assert_allclose(cdist(shifted, shifted), cdist(rows, rows), atol=1e-9)
        fine = rows.min(axis=0) >= 0
        np.testing.assert_array_equal(shifted[:, fine], rows[:, fine])


def test_complete_data_need_no_filling():
    data = MultiViewData.from_arrays([np.eye(3)], kinds=["kernel"])
    assert fill_mean(data) is data


@pytest.mark.parametrize("kind", ["features", "kernel", "distance"])
def test_perturbed_data_differ_by_rounding_and_by_seed(kind):
    data = blobs(30, kind=kind)
    first, again, second = perturb(data), perturb(data), perturb(data, seed=2)
    for before, *changed in zip(data.views, first.views, again.views, second.views, strict=True):
        one, same, other = (view.matrix for view in changed)
        np.testing.assert_array_equal(one, same)
        assert (one != before.matrix).any()
        assert (one != other).any()
        np.testing.assert_allclose(one, before.matrix, rtol=4e-15, atol=0)
        if kind != "features":
            np.testing.assert_array_equal(one, one.T)


def test_tfidf_refuses_negative_counts():
    with pytest.raises(Incompatible, match="holds negative values"):
        tfidf(MultiViewData.from_arrays([[[1.0, -1.0]]]))
