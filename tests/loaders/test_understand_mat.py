"""What is made of users' .mat and .npz files: views, labels, sides, masks and kinds, and what is said about it."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from array_files import cell, mat, npz
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse
from user_files import understand

from mvarena.data import MultiViewData
from mvarena.errors import InvalidData, InvalidSetting
from mvarena.readers.npz import write_npz
from mvarena.readers.orientation import Ambiguous

N = 20
LABELS = np.repeat([1, 2, 3, 4], 5)
RNG = np.random.default_rng(0)
VIEWS = [RNG.random((N, 7)), RNG.random((N, 30))]
X = cell(*VIEWS)


def check(path: Path, views=VIEWS, labels=LABELS, **options) -> MultiViewData:
    """The data in the file, after comparing the views and the classes."""
    data = understand(path, **options).data
    assert data.n_views == len(views)
    for ours, theirs in zip(data.to_arrays(), views, strict=True):
        assert np.array_equal(ours.toarray() if sparse.issparse(ours) else ours, theirs, equal_nan=True)
    if labels is None:
        assert data.labels is None
    else:
        assert [data.classes[code] for code in data.labels] == [str(label) for label in labels]
    return data


# views ---------------------------------------------------------------------------------------------------------


def test_cells_and_labels_under_any_usual_name(tmp_path: Path) -> None:
    truths = ("y", "Y", "gt", "gnd", "truth", "truelabel", "label", "labels", "True_Label")
    for name, truth in zip(cycle(["X", "data", "fea", "views", "anything"]), truths, strict=False):
        check(mat(tmp_path, **{name: X, truth: LABELS}))


def test_samples_as_columns_of_all_or_some_views(tmp_path: Path) -> None:
    turned = cell(*(view.T for view in VIEWS))
    check(mat(tmp_path, X=turned, y=LABELS))
    check(mat(tmp_path, X=turned), labels=None)
    check(mat(tmp_path, X=cell(VIEWS[0].T, VIEWS[1]), y=LABELS))


def test_numbered_matrices_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    many = [RNG.random((N, 3 + i)) for i in range(11)]
    path = mat(tmp_path, **{f"X{i}": many[i] for i in (10, 2, 1, 0, 3, 4, 5, 6, 7, 8, 9)}, y=LABELS)
    assert check(path, many).view_names == tuple(f"X{i}" for i in range(11))


def test_matrices_under_names_of_their_own_and_what_is_left_over(tmp_path: Path) -> None:
    path = mat(tmp_path, text=VIEWS[0], image=VIEWS[1], centre=RNG.random((3, 3)), y=LABELS)
    assert check(path).view_names == ("text", "image")
    assert understand(path).not_used == ("centre (3 x 3 numbers)",)
    path = mat(tmp_path, fea=VIEWS[1], gnd=LABELS, trainIdx=np.arange(10), note="text")
    check(path, VIEWS[1:])
    assert [entry.partition(" ")[0] for entry in understand(path).not_used] == ["trainIdx", "note"]


@pytest.mark.parametrize("names", [("CD4", "CD8", "rna", "y"), ("R", "M", "Q", "y"), ("X", "Y", "Z", "labels")])
def test_several_matrices_are_one_view_each_whatever_their_names(tmp_path: Path, names: tuple[str, ...]) -> None:
    views = [*VIEWS, VIEWS[0] + 1]
    check(npz(tmp_path, **dict(zip(names, (*views, LABELS), strict=True))), views)


def test_training_and_test_parts_are_joined(tmp_path: Path) -> None:
    parts = {"Train_X": VIEWS[1][:12].T, "Test_X": VIEWS[1][12:].T}
    check(mat(tmp_path, **parts, trainlabels=LABELS[:12], testlabels=LABELS[12:]), VIEWS[1:])


def test_what_is_ambiguous_is_asked_for(tmp_path: Path) -> None:
    path = mat(tmp_path, X=VIEWS[0])
    with pytest.raises(Ambiguous, match="give the orientation, rows or columns"):
        understand(path)
    check(path, VIEWS[:1], None, orientation="rows")
    check(path, [VIEWS[0].T], None, orientation="columns")
    with pytest.raises(Ambiguous, match="20 x 20"):
        understand(mat(tmp_path, X=cell(RNG.random((N, N))), y=LABELS))


MASK = np.ones((N, 2), dtype=bool)
MASK[:4, 0] = False
MASK[10:13, 1] = False
OF_OTHER_LENGTHS = (RNG.random((20, 5)), RNG.random((18, 4)))
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "fewer labels": ({"X": X, "y": LABELS[:19]}, "y holds 19 labels"),
    "labels alone": ({"y": LABELS}, "labels but no views"),
    "words alone": ({"words": cell("a", "b")}, "nothing that could be a view"),
    "views of their own samples": (
        {"X": cell(*(view[seen] for view, seen in zip(VIEWS, MASK.T, strict=True))), "gt": LABELS},
        "gt holds 20 labels, but the views",
    ),
} | {
    f"{' and '.join(names)} of other lengths, {'with' if truth else 'without'} labels": (
        dict(zip(names, OF_OTHER_LENGTHS, strict=True)) | truth,
        "rows of NaN where",
    )
    for names in (("X1", "X2"), ("fourier", "gist"))
    for truth in ({}, {"y": LABELS})
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_fit_is_refused(tmp_path: Path, case: str) -> None:
    variables, message = REFUSED[case]
    with pytest.raises(InvalidData, match=message):
        understand(mat(tmp_path, **variables))


def test_what_cannot_be_asked_for(tmp_path: Path) -> None:
    path = mat(tmp_path, X=X, y=LABELS)
    (tmp_path / "a.xlsx").write_bytes(b"x")
    with pytest.raises(InvalidData, match="cannot be columns"):
        understand(path, orientation="columns")
    with pytest.raises(InvalidSetting, match=r"data files end in .*\.mat, \.npz"):
        understand(tmp_path / "a.xlsx")
    with pytest.raises(InvalidSetting, match=r"one \.csv file per view"):
        understand([path, path])
    with pytest.raises(InvalidSetting, match=r"A file of labels is for \.csv"):
        understand(path, labels=path)


# masks ---------------------------------------------------------------------------------------------------------


def with_gaps(fill: float) -> list[np.ndarray]:
    return [np.where(seen[:, None], view, fill) for view, seen in zip(VIEWS, MASK.T, strict=True)]


def lists(marks: np.ndarray, first: int) -> np.ndarray:
    """Numbers of the marked samples of each view, the first sample being `first`."""
    return cell(*(np.flatnonzero(column)[:, None] + first for column in marks.T))


@pytest.mark.parametrize(
    ("name", "value", "fills"),
    [
        ("M", MASK, (0.0, np.nan, 7.0)),
        ("mask", MASK.T, (0.0, np.nan, 7.0)),
        ("mask", sparse.csc_array(MASK.astype(float)), (0.0,)),
        ("ind", MASK.astype(float), (0.0, np.nan, 7.0)),
        ("missing", ~MASK, (0.0, np.nan, 7.0)),
        ("observed_mask", MASK, (7.0,)),
        ("missing_mask", ~MASK, (7.0,)),
        ("M", ~MASK, (0.0,)),  # the blank rows say that its ones are missing
        ("missing", lists(~MASK, 1), (0.0,)),
        ("observed", lists(MASK, 1), (0.0,)),
        ("index", lists(MASK, 1), (0.0,)),
        ("index", cell(*({"seen": numbers} for numbers in lists(MASK, 1).flat)), (0.0,)),
        ("observed", lists(MASK[::-1], 0), ()),
        ("nothing", "no mask", (np.nan,)),
    ],
)
def test_masks(tmp_path: Path, name: str, value: Any, fills: tuple[float, ...]) -> None:
    for fill in fills:
        data = check(mat(tmp_path, X=cell(*with_gaps(fill)), y=LABELS, **{name: value}), with_gaps(np.nan))
        assert np.array_equal(data.mask, MASK)
    if not fills:
        assert np.array_equal(understand(mat(tmp_path, X=X, y=LABELS, observed=value)).data.mask, MASK[::-1])


@pytest.mark.parametrize(
    ("name", "mask"),
    [("mask", np.where(MASK, 1, -1)), ("mask1", MASK[:, :1]), ("mask_a", MASK * 2), ("missings", MASK[:, 0])],
)
def test_what_is_called_a_mask_and_is_none_is_refused(tmp_path: Path, name: str, mask: np.ndarray) -> None:
    path = mat(tmp_path, rna=VIEWS[0], prot=VIEWS[1], y=LABELS, **{name: mask})
    with pytest.raises(InvalidData, match=rf"{name} \(.*\) is no mask of these views; save it as 0 and 1, {N} x 2"):
        understand(path)


def test_lists_of_unclear_meaning_are_not_used(tmp_path: Path) -> None:
    path = mat(tmp_path, X=X, y=LABELS, index=lists(MASK, 1), notes=cell("a", "b"))
    assert understand(path).data.is_complete
    assert understand(path).not_used == ("index (a cell array of 2)", "notes (a cell array of 2)")


def test_a_mask_of_sparse_views(tmp_path: Path) -> None:
    views = cell(*(sparse.csc_array(view) for view in with_gaps(0.0)))
    assert np.array_equal(understand(mat(tmp_path, X=views, y=LABELS, M=MASK)).data.mask, MASK)


# labels --------------------------------------------------------------------------------------------------------


TEXTS = [f"class {label}" for label in LABELS]
HOT = np.eye(5)[LABELS][:, 1:]


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (LABELS[None, :].astype(np.uint8), LABELS),
        (LABELS[:, None].astype(np.int16), LABELS),
        (LABELS[:, None].astype(float), LABELS),
        (cell(LABELS[:, None]), LABELS),
        (cell(LABELS[:, None], LABELS[:, None]), LABELS),
        (cell(*TEXTS), TEXTS),
        (cell(*TEXTS).T, TEXTS),
        (np.array(TEXTS), TEXTS),
        (HOT, LABELS),
        (HOT.T, LABELS),
        (sparse.csc_array(HOT > 0), LABELS),
    ],
    ids=["uint8 row", "int16 column", "floats", "cell", "copies", "cell row", "cell column", "char", "one-hot",
         "one-hot columns", "sparse logical"],
)  # fmt: skip
def test_labels_in_each_form(tmp_path: Path, labels: Any, names: Any) -> None:
    check(mat(tmp_path, X=X, gt=labels), labels=names)


BLANKS = [text if i % 5 else (np.empty((0, 0)) if i % 2 else "") for i, text in enumerate(TEXTS)]


@pytest.mark.parametrize(
    ("labels", "known"),
    [
        (np.where(LABELS == 2, np.nan, LABELS), LABELS != 2),
        (np.where(np.arange(N)[:, None] % 10, HOT, 0), np.arange(N) % 10 > 0),
        (cell(*BLANKS), np.arange(N) % 5 > 0),
    ],
    ids=["NaN", "one-hot rows of zeros", "blank texts and [] in a cell"],
)
def test_samples_without_a_label_are_said(tmp_path: Path, labels: Any, known: np.ndarray) -> None:
    found = understand(mat(tmp_path, X=X, gt=labels))
    assert np.array_equal(found.data.labels >= 0, known)
    classes = len(np.unique(LABELS[known]))
    assert f"{known.sum()} samples of {classes} classes, {(~known).sum()} unlabelled" in " ".join(found.understood)


ONE_CLASS = "the labels (all labelled samples are of one class)"
NO_LABELS = [
    (np.linspace(0.0, 1.0, N), "y (1 x 20 numbers; no labels: not all are whole numbers)"),
    (np.full(N, 7), ONE_CLASS),
    (np.r_[np.full(N - 3, np.nan), 7, 7, 7], ONE_CLASS),
    (np.arange(N), "the labels (each of 20 samples is its own class)"),
    (np.array([f"sample {i}" for i in range(N)], dtype=object), "the labels (each of 20 samples is its own class)"),
]


@pytest.mark.parametrize(("values", "said"), NO_LABELS, ids=["measured", "one class", "one known", "numbers", "names"])
def test_labels_that_are_no_labels_are_said_and_the_data_have_none(tmp_path: Path, values, said: str) -> None:
    path = mat(tmp_path, X=X, y=values)
    assert check(path, labels=None).n_clusters is None
    assert understand(path).not_used == (said,)


# the clean form ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_clusters", [None, 3])
def test_a_single_class_of_the_clean_form_is_no_labels_either(tmp_path: Path, n_clusters: int | None) -> None:
    labels = np.zeros(N, dtype=int)
    write_npz(MultiViewData.from_arrays(VIEWS, labels=labels, n_clusters=n_clusters), tmp_path / "a.npz")
    read = understand(tmp_path / "a.npz")
    assert (read.data.labels, read.data.n_clusters) == (None, n_clusters)
    assert read.not_used == (ONE_CLASS,)


def test_kernels_of_single_precision_in_the_clean_form(tmp_path: Path) -> None:
    single = (VIEWS[0] @ VIEWS[0].T + np.triu(RNG.uniform(0, 1e-7, (N, N)), 1)).astype(np.float32)
    path = npz(tmp_path, view_names=np.array(["a"]), kinds=np.array(["kernel"]), X0=single)
    assert understand(path).data.views[0].kind == "kernel"


@pytest.mark.parametrize(("wrong", "right"), [("labels", "y"), ("mask", "M")])
def test_parts_of_the_clean_form_under_other_names(tmp_path: Path, wrong: str, right: str) -> None:
    parts = {"y": LABELS, "M": np.ones((N, 1), dtype=bool)}
    path = npz(tmp_path, view_names=np.array(["a"]), X0=VIEWS[0], **{wrong: parts[right]})
    with pytest.raises(InvalidData, match=f"'{wrong}' is called '{right}' in mvarena's form"):
        understand(path)


@given(st.integers(2, 6), st.booleans(), st.booleans(), st.booleans(), st.integers(0, 2**32 - 1))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
        ids=[f"s{i}" for i in range(n)] if labelled else None,
    )  # fmt: skip
    write_npz(data, tmp_path / "b.npz")
    read = understand(tmp_path / "b.npz")
    assert read.data.fingerprint == data.fingerprint
    assert (read.data.classes, read.data.ids) == (data.classes, data.ids)
    assert not read.not_used
    written = (tmp_path / "b.npz").read_bytes()
    write_npz(read.data, tmp_path / "b.npz")
    assert (tmp_path / "b.npz").read_bytes() == written


def test_sparse_matrices_with_entries_out_of_order(tmp_path: Path) -> None:
    path = npz(tmp_path, X0=VIEWS[0], X1_data=[4.0, 1, 2, 5], X1_indices=[2, 0, 1, 0],
               X1_indptr=[0, 1, 3] + [4] * (N - 2), X1_shape=(N, 5), y=LABELS)  # fmt: skip
    first = understand(path).data.views[1].matrix.toarray()[:3, :3]
    assert first.tolist() == [[0, 0, 4], [1, 2, 0], [5, 0, 0]]


# files as they circulate ---------------------------------------------------------------------------------------


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
        ("cnn/CNN_TFIDF_Normalized.mat", "either rows or columns could be"),
        ("fox/FOX_ImageFeatureNormalizedMat.mat", "either rows or columns could be"),
        ("fox/FOX_LabelMat.mat", "holds labels but no views"),
    ],
)
def test_files_that_cannot_stand_alone(real_data: Path, file: str, message: str) -> None:
    with pytest.raises(InvalidData, match=message):
        understand(real_data / file)
