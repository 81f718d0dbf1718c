"""Files of outcomes: what times, events, ids and further columns are, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mvarena.errors import InvalidData, UnknownName
from mvarena.readers.outcomes import read_outcomes

CLINIC = """patient,days,death,age,stage,remark
P1,10,1,60,I,seen by A
P2,20,0,,II,seen by B
P3,,1,50,I,seen by C
P4,5,,70,,seen by D
"""


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    path = tmp_path / "clinic.csv"
    path.write_text(CLINIC)
    return path


def test_columns_are_read_by_what_they_hold(clinic: Path) -> None:
    table = read_outcomes(clinic, "days", "death")
    assert table.n_samples == 4
    assert table.time is not None
    assert table.event is not None
    # of a sample of which one of the two is unknown, both are
    assert np.array_equal(table.time, [10.0, 20.0, np.nan, np.nan], equal_nan=True)
    assert table.event.tolist() == [True, False, False, False]
    # neither the ids nor texts that differ in most rows are categories
    assert list(table.columns) == ["age", "stage"]
    assert np.array_equal(table.columns["age"], [60.0, np.nan, 50.0, 70.0], equal_nan=True)
    assert table.columns["stage"].tolist() == ["I", "II", "I", ""]
    assert table.names == ("days", "death")


def test_without_survival_all_columns_are_outcomes(clinic: Path) -> None:
    table = read_outcomes(clinic)
    assert table.time is None
    assert not table.known.any()
    assert list(table.columns) == ["days", "death", "age", "stage"]


def test_rows_are_joined_by_ids(clinic: Path) -> None:
    table = read_outcomes(clinic, "days", "death", ids=("P2", "P9", "P1"))
    assert table.time is not None
    assert np.array_equal(table.time, [20.0, np.nan, 10.0], equal_nan=True)
    assert table.columns["stage"].tolist() == ["II", "", "I"]


def test_a_first_column_that_is_an_outcome_holds_no_ids(tmp_path: Path) -> None:
    path = tmp_path / "clinic.csv"
    path.write_text("sex,days,death\nf,1,yes\nm,2,no\nf,3,dead\nm,4,alive\n")
    table = read_outcomes(path, "days", "death", ids=("a", "b", "c", "d"))
    assert table.columns["sex"].tolist() == ["f", "m", "f", "m"]
    assert table.event is not None
    assert table.event.tolist() == [True, False, True, False]


def test_a_value_can_be_said_to_be_the_event(tmp_path: Path) -> None:
    path = tmp_path / "clinic.csv"
    path.write_text("months,status\n1,relapse\n2,well\n3,[Not Available]\n")
    table = read_outcomes(path, "months", "status=relapse")
    assert table.event is not None
    assert table.event.tolist() == [True, False, False]
    assert table.known.tolist() == [True, True, False]
    with pytest.raises(InvalidData, match=r"holds 'relapse', and events are 1 or 0.*as in 'status=well'"):
        read_outcomes(path, "months", "status")
    with pytest.raises(InvalidData, match="no sample has 'death' in column 'status'"):
        read_outcomes(path, "months", "status=death")


def test_an_event_has_one_other_value(tmp_path: Path) -> None:
    path = tmp_path / "clinic.csv"
    path.write_text("months,status\n1,relapse\n2,well\n3,lost\n")
    with pytest.raises(InvalidData, match="holds 'lost' and 'well' besides 'relapse'; an event has one other value"):
        read_outcomes(path, "months", "status=relapse")
    path.write_text("months,status\n1,1:DECEASED\n2,0:LIVING\n3,\n")
    for event in ("status", "status=1:DECEASED"):
        assert read_outcomes(path, "months", event).event.tolist() == [True, False, False]  # type: ignore[union-attr]


def test_bounds_are_named_with_their_column(tmp_path: Path) -> None:
    path = tmp_path / "clinic.csv"
    path.write_text("id,months,death,age,psa\nP1,1,1,60,0.4\nP2,2,0,>89,<0.1\nP3,3,1,70,0.5\n")
    table = read_outcomes(path, "months", "death", ids=("P1", "P3", "P4"))
    assert not table.columns
    assert table.notes == (
        "clinic.csv has rows of 2 of 3 samples",
        "age is not used: '>89' is no number",
        "psa is not used: '<0.1' is no number",
    )


def test_ids_may_stand_in_any_column_and_numbers_have_one_format(tmp_path: Path) -> None:
    path = tmp_path / "clinic.csv"
    path.write_text("#Patient\tSample\tMonths\tDead\nPATIENT\tSAMPLE\tMONTHS\tDEAD\n"
                    "P1\tP1-01\t1.200,5\t1\nP2\tP2-01\t2,5\t0\n")  # fmt: skip
    table = read_outcomes(path, "MONTHS", "DEAD", ids=("P2-01", "P1-01"))
    assert table.time is not None
    assert table.time.tolist() == [2.5, 1200.5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "days,death\n1.200,1\n2.100,0\n",
            "the point in .1.200. may be a decimal sign or .*write it without groups",
        ),
        ("days,death\n", "no rows below its header"),
        ("days,days\n1,1\n", "two columns with the same name"),
        ("days,death\n-1,1\n", r"'-1' in column 'days', sample 1, is no time"),
        ("days,death\nlong,1\n", r"'long' in column 'days', sample 1, is no time"),
        ("days,death\n1,1\n2\n", "row 3 has 1 cells"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "clinic.csv"
    path.write_text(text)
    with pytest.raises(InvalidData, match=message):
        read_outcomes(path, "days", "death")


def test_unknown_columns_and_samples_are_named(clinic: Path) -> None:
    with pytest.raises(UnknownName, match=r"no column of clinic.csv called 'day'. Did you mean days"):
        read_outcomes(clinic, "day", "death")
    with pytest.raises(InvalidData, match=r"no sample id in common: 'X1' in the data, 'P1' in clinic\.csv"):
        read_outcomes(clinic, "days", "death", ids=("X1", "X2"))
    clinic.write_text(CLINIC.replace("P2", "P1"))
    with pytest.raises(InvalidData, match="the sample id 'P1' occurs twice"):
        read_outcomes(clinic, "days", "death", ids=("P1", "P3"))
    assert read_outcomes(clinic, "days", "death").n_samples == 4  # in order, nobody asks for them


def test_numbers_are_joined_as_ids_only_where_they_are(tmp_path: Path) -> None:
    path, ids = tmp_path / "clinic.csv", [str(i) for i in range(1, 9)]
    path.write_text("months,dead,age\n" + "".join(f"{i + 5},{i % 2},{i + 4}\n" for i in range(8)))
    table = read_outcomes(path, "months", "dead", ids)
    assert table.columns["age"].tolist() == [4 + i for i in range(8)]
    assert table.notes == ("its rows are taken in the order of the samples",)
    path.write_text("code,months,dead\n" + "".join(f"{8 - i},{i + 5},{i % 2}\n" for i in range(8)))
    assert read_outcomes(path, "months", "dead", ids).time.tolist() == [12, 11, 10, 9, 8, 7, 6, 5]  # type: ignore[union-attr]
    with pytest.raises(InvalidData, match="the first one, 'code', holds distinct whole numbers"):
        read_outcomes(path, "months", "dead", [f"s{i}" for i in ids])


def test_the_decimal_sign_can_be_given(tmp_path: Path) -> None:
    path = tmp_path / "clinic.csv"
    path.write_text("days,death\n1.200,1\n2.100,0\n")
    assert read_outcomes(path, "days", "death", decimal="point").time.tolist() == [1.2, 2.1]  # type: ignore[union-attr]
