"""What is made of users' .mat and .npz files: views, labels, sides, masks and kinds, and what is said about it."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import io, sparse
from user_files import load_user_data, understand

from mvarena.data import MultiViewData
from mvarena.errors import DataUnavailable, InvalidData, InvalidSetting
from mvarena.readers.npz import write_npz
from mvarena.readers.orientation import Ambiguous

N = 20
LABELS = np.repeat([1, 2, 3, 4], 5)
RNG = np.random.default_rng(0)
VIEWS = [RNG.random((N, 7)), RNG.random((N, 30))]


def cell(*items) -> np.ndarray:
    made = np.empty(len(items), dtype=object)
    for i, item in enumerate(items):
        made[i] = item
    return made


def saved(folder: Path, **variables) -> Path:
    io.savemat(folder / "a.mat", variables, do_compression=True)
    return folder / "a.mat"


def check(path: Path, views=VIEWS, labels=LABELS, **options) -> MultiViewData:
    data = understand(path, **options).data
    assert data.n_views == len(views)
    for ours, theirs in zip(data.to_arrays(), views, strict=True):
        assert np.array_equal(ours.toarray() if sparse.issparse(ours) else ours, theirs, equal_nan=True)
    if labels is None:
        assert data.labels is None
    else:
        assert [data.classes[code] for code in data.labels] == [str(label) for label in labels]
    return data


def test_cells_and_labels_under_any_usual_name(tmp_path: Path) -> None:
    truths = ("y", "Y", "gt", "gnd", "truth", "truelabel", "label", "labels", "True_Label")
    for name, truth in zip(cycle(["X", "data", "fea", "views", "anything"]), truths, strict=False):
        check(saved(tmp_path, **{name: cell(*VIEWS), truth: LABELS}))


def test_samples_as_columns(tmp_path: Path) -> None:
    check(saved(tmp_path, X=cell(*(view.T for view in VIEWS)), y=LABELS))


def test_samples_on_different_sides(tmp_path: Path) -> None:
    check(saved(tmp_path, X=cell(VIEWS[0].T, VIEWS[1]), y=LABELS))


def test_numbered_matrices_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    many = [RNG.random((N, 3 + i)) for i in range(11)]
    path = saved(tmp_path, **{f"X{i}": many[i] for i in (10, 2, 1, 0, 3, 4, 5, 6, 7, 8, 9)}, y=LABELS)
    assert check(path, many).view_names == tuple(f"X{i}" for i in range(11))


def test_matrices_under_names_of_their_own(tmp_path: Path) -> None:
    path = saved(tmp_path, text=VIEWS[0], image=VIEWS[1], centre=RNG.random((3, 3)), y=LABELS)
    assert check(path).view_names == ("text", "image")
    assert any(entry.startswith("centre (3 x 3") for entry in understand(path).not_used)


def test_a_single_matrix_and_what_is_left_over(tmp_path: Path) -> None:
    path = saved(tmp_path, fea=VIEWS[1], gnd=LABELS, trainIdx=np.arange(10), note="text")
    check(path, VIEWS[1:])
    assert [entry.partition(" ")[0] for entry in understand(path).not_used] == ["trainIdx", "note"]


def test_training_and_test_parts_are_joined(tmp_path: Path) -> None:
    path = saved(
        tmp_path, Train_X=VIEWS[1][:12].T, Test_X=VIEWS[1][12:].T, trainlabels=LABELS[:12], testlabels=LABELS[12:]
    )
    check(path, VIEWS[1:])


def test_views_without_labels_are_read_by_the_side_they_share(tmp_path: Path) -> None:
    check(saved(tmp_path, X=cell(*(view.T for view in VIEWS))), labels=None)


def test_what_is_ambiguous_is_asked_for(tmp_path: Path) -> None:
    path = saved(tmp_path, X=VIEWS[0])
    with pytest.raises(Ambiguous, match="give the orientation, rows or columns"):
        understand(path)
    check(path, VIEWS[:1], None, orientation="rows")
    check(path, [VIEWS[0].T], None, orientation="columns")
    square = saved(tmp_path, X=cell(RNG.random((N, N))), y=LABELS)
    with pytest.raises(Ambiguous, match="20 x 20"):
        understand(square)


def test_an_impossible_orientation_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, X=cell(*VIEWS), y=LABELS)
    with pytest.raises(InvalidData, match="cannot be columns"):
        understand(path, orientation="columns")
    with pytest.raises(InvalidSetting, match="'rows' or 'columns'"):
        understand(path, orientation="sideways")


def test_labels_that_fit_no_view(tmp_path: Path) -> None:
    with pytest.raises(InvalidData, match="y holds 19 labels"):
        understand(saved(tmp_path, X=cell(*VIEWS), y=LABELS[:19]))


def test_a_file_without_views(tmp_path: Path) -> None:
    with pytest.raises(InvalidData, match="labels but no views"):
        understand(saved(tmp_path, y=LABELS))
    with pytest.raises(InvalidData, match="nothing that could be a view"):
        understand(saved(tmp_path, words=cell("a", "b")))


MASK = np.ones((N, 2), dtype=bool)
MASK[:4, 0] = False
MASK[10:13, 1] = False


def with_gaps(fill: float) -> list[np.ndarray]:
    return [np.where(MASK[:, [i]], view, fill) for i, view in enumerate(VIEWS)]


@pytest.mark.parametrize("fill", [0.0, np.nan, 7.0])
@pytest.mark.parametrize(
    ("name", "value"),
    [("M", MASK), ("mask", MASK.T), ("ind", MASK.astype(float)), ("missing", ~MASK)],
    ids=["M", "mask in columns", "ind", "missing"],
)
def test_masks(tmp_path: Path, fill: float, name: str, value: np.ndarray) -> None:
    data = check(saved(tmp_path, X=cell(*with_gaps(fill)), y=LABELS, **{name: value}), with_gaps(np.nan))
    assert np.array_equal(data.mask, MASK)


def test_a_mask_of_the_other_meaning_is_recognised_by_the_blank_rows(tmp_path: Path) -> None:
    data = check(saved(tmp_path, X=cell(*with_gaps(0.0)), y=LABELS, M=~MASK), with_gaps(np.nan))
    assert np.array_equal(data.mask, MASK)


def test_rows_of_nan_are_missing_samples(tmp_path: Path) -> None:
    data = check(saved(tmp_path, X=cell(*(view.T for view in with_gaps(np.nan))), y=LABELS), with_gaps(np.nan))
    assert np.array_equal(data.mask, MASK)


@pytest.mark.parametrize(
    ("name", "marks"),
    [("missing", ~MASK), ("observed", MASK), ("index", MASK)],
)
def test_lists_of_sample_numbers(tmp_path: Path, name: str, marks: np.ndarray) -> None:
    lists = cell(*(np.flatnonzero(column)[:, None] + 1 for column in marks.T))
    data = check(saved(tmp_path, X=cell(*with_gaps(0.0)), y=LABELS, **{name: lists}), with_gaps(np.nan))
    assert np.array_equal(data.mask, MASK)


@pytest.mark.parametrize("names", [("X1", "X2"), ("fourier", "gist")])
@pytest.mark.parametrize("labelled", [True, False])
def test_views_of_other_lengths_are_refused(tmp_path: Path, names: tuple[str, str], labelled: bool) -> None:
    views = {names[0]: RNG.random((20, 5)), names[1]: RNG.random((18, 4))}
    path = saved(tmp_path, **views, **({"y": LABELS} if labelled else {}))
    with pytest.raises(InvalidData, match="rows of NaN where"):
        understand(path)


def test_lists_of_unclear_meaning_are_not_used(tmp_path: Path) -> None:
    lists = cell(*(np.flatnonzero(column)[:, None] + 1 for column in MASK.T))
    path = saved(tmp_path, X=cell(*VIEWS), y=LABELS, index=lists)
    assert understand(path).data.is_complete
    assert understand(path).not_used == ("index (a cell array of 2)",)


NO_LABELS = [
    (np.linspace(0.0, 1.0, N), "y (1 x 20 numbers; no labels: not all are whole numbers)"),
    (np.full(N, 7), "the labels (all labelled samples are of one class)"),
    (np.r_[np.full(N - 3, np.nan), 7, 7, 7], "the labels (all labelled samples are of one class)"),
    (np.arange(N), "the labels (each of 20 samples is its own class)"),
    (np.array([f"sample {i}" for i in range(N)], dtype=object), "the labels (each of 20 samples is its own class)"),
]


@pytest.mark.parametrize(("values", "said"), NO_LABELS, ids=["measured", "one class", "one known", "numbers", "names"])
def test_labels_that_are_no_labels_are_said_and_the_data_have_none(tmp_path: Path, values, said: str) -> None:
    path = saved(tmp_path, X=cell(*VIEWS), y=values)
    data = check(path, labels=None)
    assert data.n_clusters is None
    assert understand(path).not_used == (said,)


def test_a_single_class_of_the_clean_form_is_no_labels_either(tmp_path: Path) -> None:
    write_npz(MultiViewData.from_arrays(VIEWS, labels=np.zeros(N, dtype=int)), tmp_path / "a.npz")
    read = understand(tmp_path / "a.npz")
    assert (read.data.labels, read.data.n_clusters) == (None, None)
    assert read.not_used == ("the labels (all labelled samples are of one class)",)
    write_npz(MultiViewData.from_arrays(VIEWS, labels=np.zeros(N, dtype=int), n_clusters=3), tmp_path / "a.npz")
    assert understand(tmp_path / "a.npz").data.n_clusters == 3


def test_views_that_hold_only_their_own_samples_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, X=cell(*(view[MASK[:, i]] for i, view in enumerate(VIEWS))), gt=LABELS)
    with pytest.raises(InvalidData, match="gt holds 20 labels, but the views"):
        understand(path)


def test_sparse_matrices_with_entries_out_of_order(tmp_path: Path) -> None:
    rows, columns = np.array([3, 1, 3, 0]), np.array([0, 0, 0, 2])
    matrix = sparse.coo_array((np.array([1.0, 2.0, 4.0, 3.0]), (rows, columns)), shape=(N, 5))
    path = tmp_path / "a.npz"
    csr = sparse.csr_array(matrix)
    np.savez(path, X0=VIEWS[0], X1_data=[4.0, 1, 2, 5], X1_indices=[2, 0, 1, 0],
             X1_indptr=[0, 1, 3] + [4] * (N - 2), X1_shape=csr.shape, y=LABELS)  # fmt: skip
    first = understand(path).data.views[1].matrix.toarray()[:3, :3]
    assert first.tolist() == [[0, 0, 4], [1, 2, 0], [5, 0, 0]]


@given(st.integers(2, 6), st.booleans(), st.booleans(), st.booleans(), st.integers(0, 2**32 - 1))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_clean_form_comes_back_whole(tmp_path: Path, n, gaps, labelled, kernel, seed) -> None:
    rng = np.random.default_rng(seed)
    square = rng.random((n, n))
    arrays = [rng.random((n, 3)), sparse.random_array((n, 9), density=0.3, rng=rng), square + square.T]
    mask = rng.random((n, 3)) < 0.7 if gaps else np.ones((n, 3), dtype=bool)
    mask[:, 0] = True
    mask[0] = True
    labels = np.r_[0, 1, rng.integers(-1, 2, n - 2)] if labelled else None
    data = MultiViewData.from_arrays(
        arrays, mask=mask, labels=labels, n_clusters=2, name="b", view_names=["x", "y z", "ü"],
        kinds=["features", "features", "kernel" if kernel else "distance"],
    )  # fmt: skip
    write_npz(data, tmp_path / "b.npz")
    read = understand(tmp_path / "b.npz")
    assert read.data.fingerprint == data.fingerprint
    assert read.data.classes == data.classes
    assert not read.not_used
    written = (tmp_path / "b.npz").read_bytes()
    write_npz(read.data, tmp_path / "b.npz")
    assert (tmp_path / "b.npz").read_bytes() == written


def test_a_file_is_read_once_and_then_mapped(tmp_path: Path) -> None:
    path = saved(tmp_path, X=cell(*VIEWS), y=LABELS)
    first, second = load_user_data(path), load_user_data(path)
    assert first.fingerprint == second.fingerprint == understand(path).data.fingerprint
    check_changed = saved(tmp_path, X=cell(VIEWS[0] + 1, VIEWS[1]), y=LABELS)
    assert load_user_data(check_changed).fingerprint != first.fingerprint


def test_what_cannot_be_asked_for(tmp_path: Path) -> None:
    path = saved(tmp_path, X=cell(*VIEWS), y=LABELS)
    (tmp_path / "a.xlsx").write_bytes(b"x")
    with pytest.raises(DataUnavailable, match="There is no file"):
        understand(tmp_path / "nowhere.mat")
    with pytest.raises(InvalidSetting, match=r"data files end in .*\.mat, \.npz"):
        understand(tmp_path / "a.xlsx")
    with pytest.raises(InvalidSetting, match=r"one \.csv file per view"):
        understand([path, path])
    with pytest.raises(InvalidSetting, match=r"A file of labels is for \.csv"):
        understand(path, labels=path)


@pytest.mark.parametrize(
    ("file", "n", "dimensions", "k", "kind"),
    [
        ("bbcsport/bbcsport4vbigRnSp.mat", 116, [1991, 2063, 2113, 2158], 5, "features"),
        ("bdgp/BDGP.mat", 2500, [1750, 79], 5, "features"),
        ("ccv-20d/CCV.mat", 6773, [20, 20, 20], 20, "features"),
        ("citeseer/CiteSeer.mat", 3312, [3312, 3703], 6, "features"),
        ("cora/Cora.mat", 2708, [2708, 1433, 2706, 2706], 7, "features"),
        ("hdigit/Hdigit.mat", 10000, [784, 256], 10, "features"),
        ("kernel-cornell/cornell_Kmatrix.mat", 195, [195] * 2, 5, "kernel"),
        ("kernel-yale/YALE_Kmatrix.mat", 165, [165] * 5, 15, "kernel"),
        ("leaves100/100Leaves.mat", 1600, [64, 64, 64], 100, "features"),
        ("msrcv1/MSRC-v5.mat", 210, [24, 576, 512, 256, 254], 7, "features"),
        ("orl/ORL_64x64.mat", 400, [4096], 40, "features"),
        ("orl-4view/ORL.mat", 400, [512, 59, 864, 254], 40, "features"),
        ("prokaryotic/prokaryotic.mat", 551, [438, 3, 393], 4, "features"),
        ("scene15/Scene-15.mat", 4485, [20, 59, 40], 15, "features"),
        ("usps/USPS.mat", 9298, [256], 10, "features"),
        ("webkb-course/WebKB.mat", 1051, [1840, 3000], 2, "features"),
    ],
)
def test_files_as_they_circulate(real_data: Path, file: str, n: int, dimensions, k: int, kind: str) -> None:
    data = understand(real_data / file).data
    assert (data.n_samples, data.n_clusters) == (n, k)
    assert [view.n_features for view in data.views] == dimensions
    assert {view.kind for view in data.views} == {kind}


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("cnn/CNN_TFIDF.mat", "either rows or columns could be"),
        ("cnn/CNN_TFIDF_Normalized.mat", "either rows or columns could be"),
        ("fox/FOX_TFIDF.mat", "either rows or columns could be"),
        ("fox/FOX_TFIDF_Normalized.mat", "either rows or columns could be"),
        ("fox/FOX_ImageFeatureNormalizedMat.mat", "either rows or columns could be"),
        ("cnn/CNN_LabelMat.mat", "holds labels but no views"),
        ("fox/FOX_LabelMat.mat", "holds labels but no views"),
    ],
)
def test_files_that_cannot_stand_alone(real_data: Path, file: str, message: str) -> None:
    with pytest.raises(InvalidData, match=message):
        understand(real_data / file)


def test_lists_of_sample_numbers_from_0(tmp_path: Path) -> None:
    lists = cell(*(np.flatnonzero(column)[:, None] for column in MASK[::-1].T))
    data = check(
        saved(tmp_path, X=cell(*VIEWS), y=LABELS, observed=lists),
        [np.where(m[:, None], v, np.nan) for v, m in zip(VIEWS, MASK[::-1].T, strict=True)],
    )
    assert np.array_equal(data.mask, MASK[::-1])


@pytest.mark.parametrize(
    ("name", "mask"),
    [
        ("observed_mask", MASK),
        ("missing_mask", ~MASK),
        ("mask", np.where(MASK, 1, -1)),
        ("mask1", MASK[:, :1]),
        ("mask_a", MASK * 2),
        ("missings", MASK[:, 0]),
    ],
)
def test_a_mask_is_understood_or_refused(tmp_path: Path, name: str, mask: np.ndarray) -> None:
    path = saved(tmp_path, rna=VIEWS[0], prot=VIEWS[1], y=LABELS, **{name: mask})
    if name.endswith("_mask"):
        assert np.array_equal(understand(path).data.mask, MASK)
        return
    with pytest.raises(InvalidData, match=rf"{name} \(.*\) is no mask of these views; save it as 0 and 1, {N} x 2"):
        understand(path)
