"""CSV files: one per view, joined by sample ids where there are some."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from user_files import understand

from mvarena.errors import InvalidData


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@pytest.mark.parametrize("delimiter", [",", ";", "\t", " ", "|"])
@pytest.mark.parametrize("header", [False, True])
def test_delimiters_and_headers(tmp_path: Path, delimiter: str, header: bool) -> None:
    rows = [["f1", "f2"]] * header + [["1.5", "-2"], ["3e2", "0"], ["0.25", "7"]]
    path = write(tmp_path, "a.csv", "\n".join(delimiter.join(row) for row in rows))
    data = understand(path).data
    assert data.views[0].matrix.tolist() == [[1.5, -2], [300, 0], [0.25, 7]]
    assert data.view_names == ("a",)
    assert data.labels is None


def test_ids_join_views_that_miss_samples(tmp_path: Path) -> None:
    views = [
        write(tmp_path, "text.csv", "id,a,b\ns1,1,2\ns3,3,4\n"),
        write(tmp_path, "image.csv", "id,c\ns2,5\ns3,6\n"),
    ]
    labels = write(tmp_path, "y.csv", "id,topic\ns3,sport\ns1,news\ns2,news\ns9,other\n")
    read = understand(views, labels=labels)
    assert read.data.view_names == ("text", "image")
    assert read.data.mask.tolist() == [[True, False], [True, True], [False, True]]  # s1, s3, s2
    assert [read.data.classes[code] for code in read.data.labels] == ["news", "sport", "news"]
    assert read.data.views[0].matrix.tolist() == [[1, 2], [3, 4], [0, 0]]
    assert read.not_used == ("1 label of samples that no view has",)


@pytest.mark.parametrize("text", ["1\n2\n1\n", "label\n1\n2\n1\n", "id,y\n0,1\n1,2\n2,1\n"])
def test_labels_by_position(tmp_path: Path, text: str) -> None:
    view = write(tmp_path, "a.csv", "1,2\n3,4\n5,6\n")
    data = understand(view, labels=write(tmp_path, "y.csv", text)).data
    assert data.classes == ("1", "2")
    assert data.labels.tolist() == [0, 1, 0]


def test_empty_cells(tmp_path: Path) -> None:
    views = [write(tmp_path, "a.csv", "1,2\n,\nNA,nan\n"), write(tmp_path, "b.csv", "1\n2\n3\n")]
    assert understand(views).data.mask.tolist() == [[True, True], [False, True], [False, True]]
    with pytest.raises(InvalidData, match=r"1 values \(25.0 %\) are missing in rows that have others; --impute median"):
        understand(write(tmp_path, "c.csv", "1,\n2,3\n"))
    with pytest.raises(InvalidData, match="has 2 labels and the views have 3"):
        understand(views, labels=write(tmp_path, "y.csv", "label\ncat\ndog\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2\n3\n", "row 2 has 1 cells and row 1 has 2"),
        ("1,2\n3,x\n", "'x' .* is not a number"),
        ("id,a\ns1,1\ns1,2\n", "'s1' occurs twice"),
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("a\0b,1\n", "null bytes"),
        (
            "id,sex,a\ns1,male,1\ns2,female,2\n",
            r"'male' \(sample 1, column 'sex'\) is not a number; a view holds only numbers",
        ),
        ("f1,f2\n1,2\n3,inf\n", r"'inf' \(sample 2, column 'f2'\) is infinite"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InvalidData, match=message):
        understand(write(tmp_path, "a.csv", text))


def test_views_of_different_lengths_need_ids(tmp_path: Path) -> None:
    views = [write(tmp_path, "a.csv", "1\n2\n"), write(tmp_path, "b.csv", "1\n2\n3\n")]
    with pytest.raises(InvalidData, match="give every file a first column named id"):
        understand(views)
    with pytest.raises(InvalidData, match="no first column of sample ids but other views have"):
        understand([views[0], write(tmp_path, "c.csv", "id,x\na,1\nb,2\n")])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    hnp.arrays(
        np.float64,
        hnp.array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6),
        elements=st.floats(-1e6, 1e6, allow_subnormal=False),
    )
)
def test_numbers_come_back_exactly(tmp_path: Path, array: np.ndarray) -> None:
    path = write(tmp_path, "a.csv", "\n".join(",".join(map(repr, row)) for row in array.tolist()))
    matrix = understand(path, header="no", decimal="point").data.views[0].matrix
    assert np.array_equal(matrix.toarray() if hasattr(matrix, "toarray") else matrix, array)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.5\n1.5\n2\n", "y.csv (3 numbers; no labels: not all are whole numbers)"),
        ("a\na\na\n", "the labels (all labelled samples are of one class)"),
        ("a\nb\nc\n", "the labels (each of 3 samples is its own class)"),
    ],
)
def test_labels_that_are_no_labels_are_said_and_the_data_have_none(tmp_path: Path, text: str, said: str) -> None:
    read = understand(write(tmp_path, "a.csv", "1,2\n3,4\n5,6\n"), labels=write(tmp_path, "y.csv", text))
    assert read.data.labels is None
    assert read.not_used == (said,)
