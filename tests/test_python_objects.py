"""What Python's libraries hold becomes data with its names, indexes and masks, or one sentence says why not."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from mvarena import MultiViewData, View, corrupt, prepare
from mvarena.errors import InvalidData, UnknownName
from mvarena.samples import labels_sentence

N = 12
A = np.arange(N * 2.0).reshape(N, 2)
B = 100 + np.arange(N * 3.0).reshape(N, 3)
Y = np.arange(N) % 3
TEXTS = np.array(list("abc"))[Y]
IDS = [f"s{i:02d}" for i in range(N)]
ORDER = np.random.default_rng(0).permutation(N)
OTHER = np.random.default_rng(1).permutation(N)
FRAME, SHUFFLED = pd.DataFrame(A, index=IDS), pd.DataFrame(B, index=IDS).iloc[ORDER]
LABELS = pd.Series(TEXTS, index=IDS).iloc[OTHER]
DAYS = pd.date_range("2024-01-01", periods=N)
VISITS = pd.MultiIndex.from_tuples([(f"p{i // 2}", i % 2) for i in range(N)])
KERNEL = pd.DataFrame(A @ A.T, index=IDS, columns=IDS)
ROWS = np.arange(N) >= 4


class OnlyArray:
    def __init__(self, values: Any) -> None:
        self.values = values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.values, dtype)


class OnlyToNumpy(list):
    def to_numpy(self) -> np.ndarray:
        return np.array(self)


class Polars(OnlyArray):
    """As polars, whose to_pandas needs a package that may not be there."""

    def to_pandas(self) -> pd.DataFrame:
        raise ModuleNotFoundError("No module named 'pyarrow'")


class Xarray(OnlyArray):
    def to_pandas(self) -> pd.DataFrame:
        return SHUFFLED


class LikeAnnData:
    shape = (N, 3)

    def to_df(self) -> pd.DataFrame:
        return SHUFFLED


class OfGradient(OnlyArray):
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise RuntimeError("Use tensor.detach().numpy() instead")


def masked(values: np.ndarray) -> np.ma.MaskedArray:
    hidden = np.broadcast_to(~ROWS[:, None], values.shape)
    return np.ma.masked_array(np.where(hidden, 999, values), hidden)


def nullable() -> pd.DataFrame:
    table = pd.DataFrame(B, index=IDS).astype({0: "Int64", 1: "Float64", 2: "float32"})
    table.loc[~ROWS, [0, 1]] = pd.NA
    table.loc[~ROWS, 2] = np.nan
    return table.iloc[ORDER]


def numbered(index: Any, other: Any = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tables with this index, the second one with `other` in its place and in another order."""
    return pd.DataFrame(A, index=index), pd.DataFrame(B, index=index if other is None else other).iloc[ORDER]


LATER = SHUFFLED[SHUFFLED.index > "s03"]
SPARSE = pd.SparseDtype(float, 0.0)
HALVES = np.arange(N) % 6  # as the index of two parts that were put together
MORE = pd.concat([pd.Series(["z"], index=["x"]), LABELS])
MASKS = pd.DataFrame({"b": ROWS, "a": True}, index=IDS).iloc[OTHER]
AS_DECIMALS = [[Decimal(int(x)) for x in row] for row in A]

# views, labels and mask
RIGHT: dict[str, tuple[Any, ...]] = {
    "frames in other orders": ([FRAME, SHUFFLED], TEXTS),
    "labels by their index": ([FRAME, SHUFFLED], LABELS),
    "labels of more samples": ([FRAME, SHUFFLED], MORE),
    "labels in a table of one column": ([FRAME, SHUFFLED], LABELS.to_frame()),
    "labels by id": ([FRAME, SHUFFLED], dict(LABELS)),
    "labels by number": ([pd.DataFrame(A), B], dict(enumerate(TEXTS))),
    "categories, one unused": ([FRAME, B], LABELS.astype(pd.CategoricalDtype(list("zcba")))),
    "index of tuples": (numbered(VISITS), pd.Series(TEXTS, index=VISITS).iloc[OTHER]),
    "index of days": (numbered(DAYS), TEXTS),
    "index of periods": (numbered(DAYS.to_period("D")), TEXTS),
    "days and their texts": (numbered(DAYS, DAYS.astype(str)), TEXTS),
    "index of numbers": (numbered(range(100, 100 + N)), TEXTS),
    "index of floats": (numbered(np.arange(N) + 5.0, np.arange(N) + 5), TEXTS),
    "index of categories": ([FRAME.set_axis(pd.CategoricalIndex(IDS)), SHUFFLED], TEXTS),
    "rows shuffled beside counted ones": (numbered(range(N)), pd.Series(TEXTS).iloc[OTHER]),
    "rows dropped beside counted ones": ([pd.DataFrame(A), pd.DataFrame(B).iloc[4:]], TEXTS),
    "the same index twice": ([FRAME.set_axis(HALVES), pd.DataFrame(B, index=HALVES)], TEXTS),
    "the second has all": ({"b": LATER, "a": FRAME}, TEXTS),
    "an array beside a table": ([FRAME, B], LABELS),
    "a sparse matrix beside a table": ([FRAME, sparse.coo_matrix(B)], LABELS),
    "a sparse table": ([FRAME, SHUFFLED.astype(SPARSE).iloc[::-1]], LABELS),
    "a sparse table with less": ([FRAME, LATER.astype(SPARSE)], LABELS),
    "whole numbers with less": ([FRAME, LATER.astype(int)], LABELS),
    "nullable numbers": ([FRAME, nullable()], LABELS),
    "a dictionary": ({"a": A, "b": B}, TEXTS),
    "a series of views": (pd.Series({"a": FRAME, "b": SHUFFLED}), LABELS),
    "an array of views": (np.array([A, B, None], object)[:2], TEXTS),
    "masked rows": ([A, masked(B)], TEXTS),
    "masked whole numbers": ([A, masked(B.astype(int))], TEXTS),
    "only __array__": ([OnlyArray(A), OnlyArray(B)], OnlyArray(TEXTS)),
    "only to_numpy": ([OnlyToNumpy(A), B], TEXTS),
    "like polars": ([A, Polars(B)], TEXTS),
    "like xarray": ([FRAME, Xarray(None)], LABELS),
    "like anndata": ([FRAME, LikeAnnData()], LABELS),
    "generators": ((view for view in (A, B)), (text for text in TEXTS)),
    "a generator of rows": ([(list(row) for row in A), B], TEXTS),
    "lists and tuples": ((tuple(map(tuple, A)), B.tolist()), tuple(TEXTS)),
    "decimals": ([AS_DECIMALS, B], TEXTS),
    "np.matrix": ([np.asarray(A).view(np.matrix), B], np.array([TEXTS]).T.view(np.matrix)),
    "half precision": ([A.astype(np.float16), B], TEXTS),
    "read only": ([np.frombuffer(A.tobytes()).reshape(N, 2), B], TEXTS),
    "a mask by names and ids": ({"a": FRAME, "b": SHUFFLED}, LABELS, MASKS),
    "a mask by names": ({"a": A, "b": B}, None, {"b": ROWS, "a": ROWS | True}),
}


@pytest.mark.parametrize("case", RIGHT)
def test_every_form_is_read_as_the_same_samples(case: str):
    views, labels, *mask = RIGHT[case]
    data = MultiViewData.from_arrays(views, labels=labels, mask=mask[0] if mask else None)
    assert not hasattr(views, "keys") or list(data.view_names) == list(views.keys())
    data = data.select_views(sorted(data.view_names))
    a, b = (view.matrix.toarray() if view.is_sparse else view.matrix for view in data.views)
    assert data.n_samples == N
    np.testing.assert_array_equal(a, A)
    np.testing.assert_array_equal(b[data.mask[:, 1]], B[data.mask[:, 1]])
    assert data.mask[:, 0].all()
    assert data.mask[:, 1].all() or (data.mask[:, 1] == ROWS).all()
    assert labels is None or data.labels.tolist() == Y.tolist()


def test_views_miss_the_samples_that_their_tables_have_not():
    data = MultiViewData.from_arrays({"rna": FRAME.iloc[:8], "protein": FRAME.iloc[5:]}, labels=LABELS)
    assert data.view_names == ("rna", "protein")
    assert data.ids == tuple(IDS)
    assert data.mask.tolist() == [[i < 8, i >= 5] for i in range(N)]
    assert MultiViewData.from_arrays([FRAME, SHUFFLED]).ids == tuple(IDS)
    assert MultiViewData.from_arrays([A, B]).ids is None
    assert MultiViewData.from_arrays([FRAME, FRAME], ids=range(N)).ids == tuple(map(str, range(N)))


def test_measurements_may_have_the_names_of_labels_and_ids():
    assert MultiViewData.from_arrays([(FRAME / 10).set_axis(["label", "id"], axis=1)]).views[0].n_features == 2


def test_a_kernel_is_joined_by_rows_and_columns():
    for table in (KERNEL, KERNEL.iloc[ORDER, OTHER], KERNEL.iloc[ORDER, ORDER].set_axis(range(N), axis=1)):
        data = MultiViewData.from_arrays({"x": FRAME, "k": table}, kinds={"k": "kernel"})
        np.testing.assert_array_equal(data.view("k").matrix, KERNEL)
    kept = ORDER[:7]
    data = MultiViewData.from_arrays([FRAME, KERNEL.iloc[kept, kept]], kinds=["features", "kernel"])
    assert data.mask[:, 1].tolist() == [i in kept for i in range(N)]
    both = np.outer(data.mask[:, 1], data.mask[:, 1])
    np.testing.assert_array_equal(data.views[1].matrix, np.where(both, KERNEL, 0))


@settings(max_examples=40, deadline=None)
@given(st.permutations(range(N)), st.permutations(range(N)), st.integers(1, N))
def test_the_order_of_rows_counts_nothing_where_they_have_an_index(first, second, kept):
    views = {"a": FRAME, "b": pd.DataFrame(B, index=IDS).iloc[first[:kept]]}
    data = MultiViewData.from_arrays(views, labels=LABELS.iloc[second])
    plain = MultiViewData.from_arrays({"a": FRAME, "b": SHUFFLED.loc[sorted(views["b"].index)]}, labels=LABELS)
    assert data.fingerprint == plain.fingerprint


def test_rows_that_are_only_counted_go_with_a_table_whose_rows_were_shuffled():
    a = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0]}).iloc[[2, 0, 3, 1]]
    b = pd.DataFrame({"b": [10.0, 11.0, 12.0, 13.0], "cls": list("pqrs"), "seen": [False, True, True, True]})
    data = MultiViewData.from_arrays(
        {"a": a, "b": b[["b"]]}, labels=b["cls"], mask=pd.DataFrame({"a": True, "b": b["seen"]})
    )
    assert data.ids == ("2", "0", "3", "1")
    assert [data.classes[code] for code in data.labels] == list("rpsq")
    assert data.mask[:, 1].tolist() == [True, False, True, True]


# the faults whose messages give advice stand in test_advice.py
BARCODES = pd.DataFrame(B, index=[f"TCGA.02.{name}" for name in IDS])
UNSURE = pd.DataFrame({"view0": pd.array([True, None] * 6, dtype="boolean")})
WRONG: dict[str, tuple[Any, dict[str, Any], str]] = {
    "no view has all": ([FRAME.iloc[:8], SHUFFLED.loc[IDS[5:]]], {"labels": TEXTS}, "no view has all 12 samples"),
    "ids in another spelling": (
        [FRAME.rename("TCGA-02-{}".format), BARCODES],
        {},
        "12 of .* would meet without '.', '_', '-' and blanks",
    ),
    "a kernel of other columns": (
        {"k": KERNEL.rename(columns=str.upper)},
        {"kinds": {"k": "kernel"}},
        "12 of the 12 samples in its index are no columns",
    ),
    "a mask of other views": ([A], {"mask": UNSURE.set_axis(["m"], axis=1)}, "the columns of the mask are m"),
    "a mask with NA": ([A], {"mask": UNSURE}, "must hold only True / False"),
    "single masked cells": ([np.ma.masked_equal(A, 3.0), B], {}, "view 'view0' has NaN or infinity in row 1"),
    "a tensor that refuses": (
        [OfGradient(A), B],
        {},
        r"a OfGradient does not become an array \(Use tensor.detach",
    ),
    "a column of classes": ([FRAME.assign(target=Y)], {}, "column 'target' looks like labels"),
    "a column of days": ([FRAME.assign(day=DAYS)], {}, r"column 'day'\) is a Timestamp.*frame.drop"),
    "ragged lists": ([[[1, 2], [3]], [[1], [2]]], {}, "its rows have 1 to 2 numbers"),
    "one label": ([A], {"labels": "class"}, "the labels are a str"),
    "labels of no value": ([A], {"labels": [{}] * N}, "a label is a dict"),
    "nothing": (None, {}, "not a NoneType"),
    "no row": ([FRAME.iloc[:0], SHUFFLED], {}, r"view 'view0' is empty \(0 x 2\)"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_read_right_is_an_error_of_one_sentence(case: str):
    views, further, said = WRONG[case]
    with pytest.raises(InvalidData, match=said):
        MultiViewData.from_arrays(views, **further)


@pytest.mark.parametrize(
    "one", [FRAME, FRAME[0], A, A.tolist(), sparse.csr_array(A), np.ma.masked_array(A), OnlyArray(A)]
)
def test_one_matrix_is_no_list_of_views(one):
    for take in (MultiViewData.from_arrays, lambda data: prepare(data, "minmax")):
        with pytest.raises(InvalidData, match="wrap it as"):
            take(one)


def test_every_function_reads_the_same_way():
    views = {"a": FRAME, "b": SHUFFLED}
    own = MultiViewData("x", (View("a", FRAME), View("b", SHUFFLED)), labels=LABELS)
    assert own.fingerprint == MultiViewData.from_arrays(views, labels=LABELS).fingerprint
    np.testing.assert_array_equal(prepare(views).view("b").matrix, B)
    assert corrupt(views, "missing-even", 0.2).ids == tuple(IDS)
    with pytest.raises(UnknownName, match="Did you mean b"):
        MultiViewData.from_arrays(views, kinds={"bb": "kernel"})


# labels -----------------------------------------------------------------------------------------------------

NA = pd.NA
CLASSES: list[tuple[Any, list[int], tuple[str, ...] | None]] = [
    (["low", "", "none", " "], [0, -1, 1, -1], ("low", "none")),
    (["low", "NA", None, "?"], [0, -1, -1, -1], ("low",)),
    (["none", "None", "", "?"], [-1] * 4, None),
    (["None", "a", "b", "[Not Available]"], [0, 1, 2, -1], ("None", "a", "b")),
    (["+", "-", "+", "NA"], [0, 1, 0, -1], ("+", "-")),
    (["+", "-", "a", "b"], [0, -1, 1, 2], ("+", "a", "b")),
    ([-1, 1, 1, -1], [0, 1, 1, 0], ("-1", "1")),
    ([-1, 0, 1, 1], [-1, 0, 1, 1], ("0", "1")),
    ([-1, 1, 2, 1], [-1, 0, 1, 0], ("1", "2")),
    ([-1, -1, 0, 0], [-1, -1, 0, 0], ("0",)),
    ([-1, -2, 1, 0], [1, 0, 3, 2], ("-2", "-1", "0", "1")),
    ([-1.0, 1.0, np.nan, 1.0], [0, 1, -1, 1], ("-1", "1")),
    ([-1, 0.5, 1.5, 1.5], [0, 1, 2, 2], ("-1", "0.5", "1.5")),
    (["-1", "0", "1", ""], [-1, 0, 1, -1], ("0", "1")),
    (["-1", "1", "1", ""], [0, 1, 1, -1], ("-1", "1")),
    (["-1", "low", "high", "low"], [0, 2, 1, 2], ("-1", "high", "low")),
    (["1", "01", "001", "1"], [2, 1, 0, 2], ("001", "01", "1")),
    (["10", "2", "1", ""], [2, 1, 0, -1], ("1", "2", "10")),
    ([1, 1.0, np.int8(1), 2], [0, 0, 0, 1], ("1", "2")),
    ([1.0, 1.5, None, NA], [0, 1, -1, -1], ("1", "1.5")),
    ([1, "a", None, "1"], [0, 1, -1, 0], ("1", "a")),
    ([True, False, None, NA], [1, 0, -1, -1], ("False", "True")),
    (np.array([b"x", b"y", b"", b"x"]), [0, 1, -1, 0], ("x", "y")),
    (np.array(["2024-01-02", "2024-01-01", "NaT", "NaT"], "datetime64[ns]"), [1, 0, -1, -1], None),
    (pd.array(["x", None, "y", "x"], dtype="string"), [0, -1, 1, 0], ("x", "y")),
    (pd.array([3, None, 1, 3], dtype="Int64"), [1, -1, 0, 1], ("1", "3")),
    (pd.Categorical(["x", None, "y", "x"], categories=["z", "y", "x"]), [0, -1, 1, 0], ("x", "y")),
    (np.ma.masked_array([3, 7, 1, 3], [0, 1, 0, 0]), [1, -1, 0, 1], ("1", "3")),
    (np.ma.masked_array(list("xqyx"), [0, 1, 0, 0]), [0, -1, 1, 0], ("x", "y")),
    (np.array([[1], [2], [1], [2]]), [0, 1, 0, 1], ("1", "2")),
]


@pytest.mark.parametrize(("values", "codes", "names"), CLASSES, ids=[str(values)[:40] for values, *_ in CLASSES])
def test_one_rule_says_what_is_a_class(values, codes, names):
    data = MultiViewData.from_arrays([A[:4]], labels=values)
    assert ([-1] * 4 if data.labels is None else data.labels.tolist()) == codes
    assert names is None or data.classes == names


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 12), min_size=1, max_size=30))
def test_whole_numbers_are_the_same_classes_in_every_type(numbers):
    forms = [np.array(numbers), np.array(numbers, float), [str(n) for n in numbers], pd.array(numbers, dtype="Int64")]
    read = [MultiViewData.from_arrays([np.ones((len(numbers), 1))], labels=form) for form in forms]
    assert len({data.fingerprint for data in read}) == 1
    assert len({data.classes for data in read}) == 1


def test_a_sentence_counts_classes_and_what_has_none():
    assert labels_sentence(np.array([0, 1, 1, -1])) == "3 samples of 2 classes, 1 unlabelled"
    assert labels_sentence(np.array([0])) == "1 sample of 1 class"
    assert "labels: 3 samples of 2 classes, 1 unlabelled" in repr(
        MultiViewData.from_arrays([A[:4]], labels=["a", "b", "a", None])
    )
