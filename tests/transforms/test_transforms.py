"""Scalings: each does what its formula says on the rows that a view observes; perturbation; sparse stays sparse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from scipy.spatial.distance import cdist

from mvarena.data import MultiViewData
from mvarena.errors import Incompatible
from mvarena.testing.examples import blobs
from mvarena.transforms.filling import fill_knn, fill_mean
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
    found = {name: transform(data) for name, transform in FEATURES.items() if name not in ("tfidf", "scale-auto")}
    filled = fill_mean(data)
    for v, view in enumerate(data.views):
        seen = data.mask[:, v]
        rows = view.matrix[seen]
        after = {name: other.views[v].matrix[seen] for name, other in found.items()}
        norms = np.linalg.norm(rows, axis=1)
        np.testing.assert_allclose(np.linalg.norm(after["unit-rows"], axis=1), norms > 0, atol=1e-12)
        constant = np.ptp(rows, axis=0) == 0
        spread = np.where(constant, 1.0, np.ptp(rows, axis=0))
        np.testing.assert_allclose(after["minmax"], (rows - rows.min(axis=0)) / spread, atol=1e-12)
        std = np.where(constant, 1.0, rows.std(axis=0))
        np.testing.assert_allclose(after["zscore"], (rows - rows.mean(axis=0)) / std, atol=1e-9)
        size = np.sqrt((rows**2).sum(axis=1).mean())
        np.testing.assert_allclose(after["unit-view"] * size, rows, atol=1e-9)
        np.testing.assert_allclose((after["unit-view"] ** 2).sum(axis=1).mean(), float(size > 0))
        shifted, fine = after["shift-nonnegative"], rows.min(axis=0) >= 0
        assert shifted.min() >= 0
        np.testing.assert_allclose(cdist(shifted, shifted), cdist(rows, rows), atol=1e-9)
        np.testing.assert_array_equal(shifted[:, fine], rows[:, fine])
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
    with pytest.raises(Incompatible, match="holds negative values"):
        tfidf(MultiViewData.from_arrays([-counts]))


@pytest.mark.parametrize("transform", [fill_mean, fill_knn, unit_rows, minmax, tfidf])
def test_nonnegative_sparse_views_stay_sparse(transform):
    matrix = sparse.random_array((20, 30), density=0.1, rng=np.random.default_rng(0), format="csr")
    mask = np.ones((20, 2), dtype=bool)
    mask[:3, 0] = False
    data = transform(MultiViewData.from_arrays([matrix, np.ones((20, 1))], mask=mask))
    assert data.views[0].is_sparse


@pytest.mark.parametrize("name", FEATURES)
def test_views_that_hold_no_features_stay_and_are_refused_alone(name):
    features, kernel = np.array([[1.0, 2.0], [3.0, 0.5], [2.0, 2.0]]), np.array([[2, 1, 0], [1, 2, 0], [0, 0, 1.0]])
    mixed = MultiViewData.from_arrays([features, kernel], kinds=["features", "kernel"])
    found, alone = FEATURES[name](mixed), FEATURES[name](mixed.select_views(["view0"]))
    np.testing.assert_array_equal(found.views[1].matrix, kernel)
    np.testing.assert_array_equal(found.views[0].matrix, alone.views[0].matrix)
    with pytest.raises(Incompatible, match=f"{name} works on features, and data.* holds kernel views only"):
        FEATURES[name](mixed.select_views(["view1"]))


@pytest.mark.parametrize("kind", ["features", "kernel", "distance"])
def test_perturbed_data_differ_by_rounding_and_by_seed(kind):
    data = blobs(30, kind=kind)
    first, second = perturb(data), perturb(data, seed=2)
    for before, one, other in zip(data.views, first.views, second.views, strict=True):
        assert (one.matrix != before.matrix).any()
        assert (one.matrix != other.matrix).any()
        np.testing.assert_allclose(one.matrix, before.matrix, rtol=4e-15, atol=0)
        if kind != "features":
            np.testing.assert_array_equal(one.matrix, one.matrix.T)
