"""CSV files: what is wrong in one is said, rows without values, numbers as they are written."""

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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2\n3,x\n", "'x' .* is not a number"),
        ("id,a\ns1,1\ns1,2\n", "'s1' occurs twice"),
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("a\0b,1\n", "null bytes"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InvalidData, match=message):
        understand(write(tmp_path, "a.csv", text))


def test_rows_of_empty_cells_are_missing_samples(tmp_path: Path) -> None:
    views = [write(tmp_path, "a.csv", "1,2\n,\nNA,nan\n"), write(tmp_path, "b.csv", "1\n2\n3\n")]
    assert understand(views).data.mask.tolist() == [[True, True], [False, True], [False, True]]


def test_views_and_labels_of_other_lengths_need_ids(tmp_path: Path) -> None:
    views = [write(tmp_path, "a.csv", "1\n2\n"), write(tmp_path, "b.csv", "1\n2\n3\n")]
    with pytest.raises(InvalidData, match="give every file a first column named id"):
        understand(views)
    with pytest.raises(InvalidData, match="has 2 labels and the views have 3"):
        understand(views[1], labels=write(tmp_path, "y.csv", "label\ncat\ndog\n"))


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


def test_numbers_that_are_no_labels_are_said_and_the_data_have_none(tmp_path: Path) -> None:
    read = understand(write(tmp_path, "a.csv", "1,2\n3,4\n5,6\n"), labels=write(tmp_path, "y.csv", "0.5\n1.5\n2\n"))
    assert read.data.labels is None
    assert read.not_used == ("y.csv (3 numbers; no labels: not all are whole numbers)",)
