"""MultiViewData: validation names the view and the row, and content is what counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from mvarena import MultiViewData, View
from mvarena.errors import InvalidData, UnknownName

SMALL = st.integers(-3, 3).map(float)


def two_views(n: int = 6) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.normal(size=(n, 3)), rng.integers(0, 4, size=(n, 5)).astype(float)]


def test_nan_rows_become_the_mask_and_come_back():
    views = two_views()
    views[0][2] = np.nan
    data = MultiViewData.from_arrays(views)
    assert data.mask[:, 0].tolist() == [True, True, False, True, True, True]
    assert data.mask[:, 1].all()
    assert (data.views[0].matrix[2] == 0).all()
    for given_view, back in zip(views, data.to_arrays(), strict=True):
        np.testing.assert_array_equal(given_view, back)
    garbage = [view.copy() for view in views]
    garbage[0][2] = [np.nan, np.inf, 1e300]
    assert MultiViewData.from_arrays(garbage, mask=data.mask).fingerprint == data.fingerprint


def test_the_callers_arrays_are_neither_changed_nor_frozen():
    views = two_views()
    views[0][3] = np.nan
    before = [view.copy() for view in views]
    data = MultiViewData.from_arrays(views)
    with pytest.raises(ValueError, match="read-only"):
        data.views[1].matrix[0, 0] = 1.0
    for view, copy in zip(views, before, strict=True):
        np.testing.assert_array_equal(view, copy)
        assert view.flags.writeable


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v: v[1].__setitem__((4, 0), np.nan), "'view1' has NaN or infinity in row 4"),
        (lambda v: v[0].__setitem__((2, 1), np.inf), "'view0' has NaN or infinity in row 2"),
        (lambda v: v.__setitem__(1, v[1][:5]), "'view1' has 5 rows and view 'view0' has 6"),
        (lambda v: v.__setitem__(0, v[0][:, 0]), "'view0' has 1 dimension"),
        (lambda v: v.__setitem__(0, v[0].astype(complex)), "'view0' is not a matrix of real numbers"),
        (lambda v: v.__setitem__(0, v[0][:, :0]), "'view0' is empty"),
        (lambda v: v.clear(), "there is no view"),
        (lambda v: [view.__setitem__(3, np.nan) for view in v], "no view observes row 3"),
        (lambda v: v[1].__setitem__(slice(None), np.nan), "view 'view1' observes no sample"),
    ],
)
def test_bad_data_get_a_sentence_that_names_view_and_row(change, message):
    views = two_views()
    change(views)
    with pytest.raises(InvalidData, match=message):
        MultiViewData.from_arrays(views)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"mask": np.ones(6)}, r"mask is \(6,\)"),
        ({"mask": np.full((6, 2), 2)}, "only True / False"),
        ({"labels": [1, 2]}, "one per sample"),
        ({"ids": ["a"] * 5}, "5 sample ids and 6 samples"),
        ({"ids": list("abcdea")}, "id 'a' occurs 2 times"),
    ],
)
def test_masks_labels_and_ids_fit_the_samples(given, message):
    with pytest.raises(InvalidData, match=message):
        MultiViewData.from_arrays(two_views(), **given)


@pytest.mark.parametrize("wrong", [2.5, float("nan"), float("inf"), "2", 0])
def test_the_number_of_clusters_is_a_whole_number(wrong):
    with pytest.raises(InvalidData, match="n_clusters must be a whole number from 1"):
        MultiViewData.from_arrays(two_views(), n_clusters=wrong)
    number = MultiViewData.from_arrays(two_views(), n_clusters=np.float64(2)).n_clusters
    assert (number, type(number)) == (2, int)


def test_kernels_are_square_symmetric_and_lose_rows_and_columns():
    kernel = np.eye(4) + 1.0
    data = MultiViewData("k", (View("k", kernel, "kernel"), View("x", np.ones((4, 2)))))
    mask = np.ones((4, 2), dtype=bool)
    mask[1, 0] = False
    blanked = data.with_mask(mask).views[0].matrix
    assert (blanked[1] == 0).all()
    assert (blanked[:, 1] == 0).all()
    lopsided = kernel.copy()
    lopsided[0, 1] = 5
    with pytest.raises(InvalidData, match="not symmetric"):
        MultiViewData("k", (View("k", lopsided, "kernel"),))
    with pytest.raises(InvalidData, match="must be n x n"):
        MultiViewData("k", (View("k", np.ones((4, 3)), "distance"),))


def test_classes_say_how_many_clusters_also_where_labels_are_taken_off():
    data = MultiViewData.from_arrays(two_views(), labels=["b", "a", "b", "a", None, "b"])
    assert data.n_clusters == 2
    assert data.without_labels().labels is None
    assert data.without_labels().n_clusters == 2


def test_select_views_keeps_the_samples_that_one_of_them_sees():
    views = [*two_views(), np.arange(12.0).reshape(6, 2)]
    views[0][0] = views[1][0] = np.nan
    data = MultiViewData.from_arrays(views, labels=range(6))
    picked = data.select_views(["view1", "view0"])
    assert picked.view_names == ("view1", "view0")
    assert picked.n_samples == 5
    assert picked.labels is not None
    assert picked.labels.tolist() == [1, 2, 3, 4, 5]
    with pytest.raises(UnknownName, match="Did you mean view1"):
        data.select_views(["vieww1"])
    with pytest.raises(InvalidData, match="at least one view"):
        data.select_views(["view1", "view1"])


@settings(max_examples=50, deadline=None)
@given(arrays(np.float64, (7, 4), elements=SMALL), st.lists(st.integers(0, 6), max_size=3, unique=True))
def test_the_fingerprint_sees_numbers_not_storage(matrix, missing):
    other = np.arange(7.0)[:, None]
    mask = np.ones((7, 2), dtype=bool)
    mask[missing, 0] = False
    if not mask[:, 0].any():
        mask[0, 0] = True
    forms = [matrix, matrix.astype(np.float32), matrix.astype(np.int8), sparse.csr_matrix(matrix)]
    prints = {MultiViewData.from_arrays([form, other], mask=mask).fingerprint for form in forms}
    assert len(prints) == 1
    changed = matrix.copy()
    row = int(np.flatnonzero(mask[:, 0])[0])
    changed[row, 0] += 1
    assert MultiViewData.from_arrays([changed, other], mask=mask).fingerprint not in prints


def test_the_fingerprint_of_data_of_several_blocks_does_not_depend_on_storage():
    wide = sparse.random_array((520, 16_000), density=1e-3, rng=np.random.default_rng(1), format="csr")
    dense = MultiViewData.from_arrays([wide.toarray()])
    assert dense.fingerprint == MultiViewData.from_arrays([wide]).fingerprint


def test_the_fingerprint_sees_mask_labels_and_clusters_but_no_name_and_no_ids():
    views = two_views()
    views[0][2] = 0
    mask = np.ones((6, 2), dtype=bool)
    mask[2, 0] = False
    labels = [0, 1, 0, 1, 0, 1]
    given = [
        {},
        {"labels": labels},
        {"labels": [0, 1, 0, 1, 1, 0]},
        {"labels": labels, "mask": mask},
        {"labels": labels, "n_clusters": 3},
        {"labels": labels, "view_names": ["a", "b"]},
    ]
    made = [MultiViewData.from_arrays(views, **further) for further in given]
    assert len({data.fingerprint for data in made}) == len(made)
    named = MultiViewData.from_arrays(views, name="other", ids="uvwxyz")
    assert named.fingerprint == made[0].renamed("third").fingerprint == made[0].fingerprint


def test_sparse_data_stay_sparse_and_lose_masked_rows():
    matrix = sparse.random_array((6, 8), density=0.5, rng=np.random.default_rng(0), format="csr")
    data = MultiViewData.from_arrays([matrix, np.ones((6, 1))])
    mask = np.ones((6, 2), dtype=bool)
    mask[4, 0] = False
    masked = data.with_mask(mask)
    assert masked.views[0].is_sparse
    expected = matrix.toarray()
    expected[4] = 0
    np.testing.assert_array_equal(masked.views[0].matrix.toarray(), expected)
    order = np.array([5, 4, 3, 2, 1, 0])
    np.testing.assert_array_equal(masked.take(order).views[0].matrix.toarray(), expected[::-1])
    np.testing.assert_array_equal(np.isnan(masked.to_arrays()[0]).all(axis=1), ~mask[:, 0])


def test_ids_stay_with_their_samples_whatever_is_taken_or_reordered():
    views = two_views()
    views[1][[2, 4]] = np.nan
    data = MultiViewData.from_arrays(views, labels=list("aabbab"), ids=[f"P{row}" for row in range(6)])
    order = np.array([5, 4, 0, 3])
    assert data.take(order).ids == ("P5", "P4", "P0", "P3")
    assert data.select_views(["view1"]).ids == ("P0", "P1", "P3", "P5")
    doubled = data.with_views(View(view.name, 2 * view.matrix, view.kind) for view in data.views)
    held = data.holding(data.views, data.mask, None)
    assert data.without_labels().ids is None
    assert MultiViewData.from_arrays(two_views(), ids=range(6)).ids == tuple("012345")
    for same in (doubled, held, data.with_mask(data.mask), data.in_double(), data.renamed("other")):
        assert same.ids == data.ids


@pytest.mark.parametrize("place", [(0, 1), (0, 599), (300, 599), (598, 599)])
def test_a_large_kernel_that_is_not_symmetric_anywhere_is_refused(place):
    kernel = np.eye(600)  # more than is looked at in one go
    kernel[place] = 1e-6
    for matrix in (kernel, kernel.T):
        with pytest.raises(InvalidData, match="not symmetric"):
            MultiViewData("x", [View("k", matrix, "kernel")])


def test_what_a_kernel_holds_of_missing_samples_is_dropped_though_only_a_column_holds_it():
    kernel = np.eye(6)
    kernel[0, 0] = 0.0
    kernel[1, 0] = 1e-10  # symmetric up to rounding
    mask = np.array([[False, True]] + 5 * [[True, True]])
    data = MultiViewData("x", [View("k", kernel, "kernel"), View("f", np.ones((6, 2)))], mask)
    assert not data.views[0].matrix[:, 0].any()
    kernel[1, 0] = 0.0
    data = MultiViewData("x", [View("k", kernel, "kernel"), View("f", np.ones((6, 2)))], mask)
    assert np.shares_memory(data.views[0].matrix, kernel), "nothing had to be dropped"
