"""Files of outcomes: what times, events, ids and further columns are, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.errors import InvalidData, UnknownName
from mvarena.readers.outcomes import read_outcomes

CLINIC = """patient,days,death,age,stage,remark
P1,10,1,60,I,seen by A
P2,20,0,,II,seen by B
P3,,1,50,I,seen by C
P4,5,,70,,seen by D
"""


def outcomes(folder: Path, text: str, *columns: str, **how: Any) -> OutcomeTable:
    (folder / "clinic.csv").write_text(text)
    return read_outcomes(folder / "clinic.csv", *columns, **how)


def times(table: OutcomeTable) -> list[float | None]:
    """The times, None where the sample's survival is not known."""
    assert table.time is not None
    return [None if np.isnan(time) else float(time) for time in table.time]


def test_columns_are_read_by_what_they_hold(tmp_path: Path) -> None:
    table = outcomes(tmp_path, CLINIC, "days", "death")
    assert (table.n_samples, table.names) == (4, ("days", "death"))
    # of a sample of which one of the two is unknown, both are
    assert times(table) == [10.0, 20.0, None, None]
    assert table.event.tolist() == [True, False, False, False]
    # neither the ids nor texts that differ in most rows are categories
    assert list(table.columns) == ["age", "stage"]
    assert np.array_equal(table.columns["age"], [60.0, np.nan, 50.0, 70.0], equal_nan=True)
    assert table.columns["stage"].tolist() == ["I", "II", "I", ""]


def test_without_survival_all_columns_are_outcomes(tmp_path: Path) -> None:
    table = outcomes(tmp_path, CLINIC)
    assert table.time is None
    assert not table.known.any()
    assert list(table.columns) == ["days", "death", "age", "stage"]


@pytest.mark.parametrize(
    ("text", "event", "seen"),
    [
        ("days,status\n1,yes\n2,no\n3,dead\n4,alive\n", "status", [True, False, True, False]),
        ("days,status\n1,relapse\n2,well\n3,[Not Available]\n", "status=relapse", [True, False, None]),
        ("days,status\n1,1:DECEASED\n2,0:LIVING\n3,\n", "status", [True, False, None]),
        ("days,status\n1,1:DECEASED\n2,0:LIVING\n3,\n", "status=1:DECEASED", [True, False, None]),
    ],
)
def test_an_event_is_a_usual_word_or_the_value_that_is_said(tmp_path: Path, text: str, event: str, seen) -> None:
    table = outcomes(tmp_path, text, "days", event)
    known = zip(table.event.tolist(), table.known.tolist(), strict=True)
    assert [happened if there else None for happened, there in known] == seen


def test_bounds_are_named_with_their_column(tmp_path: Path) -> None:
    text = "id,months,death,age,psa\nP1,1,1,60,0.4\nP2,2,0,>89,<0.1\nP3,3,1,70,0.5\n"
    table = outcomes(tmp_path, text, "months", "death", ids=("P1", "P3", "P4"))
    assert not table.columns
    assert table.notes == (
        "clinic.csv has rows of 2 of 3 samples",
        "age is not used: '>89' is no number",
        "psa is not used: '<0.1' is no number",
    )


# ids


def test_rows_are_joined_by_ids(tmp_path: Path) -> None:
    table = outcomes(tmp_path, CLINIC, "days", "death", ids=("P2", "P9", "P1"))
    assert times(table) == [20.0, None, 10.0]
    assert table.columns["stage"].tolist() == ["II", "", "I"]


def test_a_first_column_that_is_an_outcome_holds_no_ids(tmp_path: Path) -> None:
    text = "sex,days,death\nf,1,yes\nm,2,no\nf,3,dead\nm,4,alive\n"
    table = outcomes(tmp_path, text, "days", "death", ids=("a", "b", "c", "d"))
    assert table.columns["sex"].tolist() == ["f", "m", "f", "m"]


def test_ids_may_stand_in_any_column_and_numbers_have_one_format(tmp_path: Path) -> None:
    text = "#Patient\tSample\tMonths\tDead\nPATIENT\tSAMPLE\tMONTHS\tDEAD\nP1\tP1-01\t1.200,5\t1\nP2\tP2-01\t2,5\t0\n"
    assert times(outcomes(tmp_path, text, "MONTHS", "DEAD", ids=("P2-01", "P1-01"))) == [2.5, 1200.5]


def test_numbers_are_joined_as_ids_only_where_they_are(tmp_path: Path) -> None:
    ids = [str(i) for i in range(1, 9)]
    text = "months,dead,age\n" + "".join(f"{i + 5},{i % 2},{i + 4}\n" for i in range(8))
    table = outcomes(tmp_path, text, "months", "dead", ids=ids)
    assert table.columns["age"].tolist() == [4 + i for i in range(8)]
    assert table.notes == ("its rows are taken in the order of the samples",)
    text = "code,months,dead\n" + "".join(f"{8 - i},{i + 5},{i % 2}\n" for i in range(8))
    assert times(outcomes(tmp_path, text, "months", "dead", ids=ids)) == [12, 11, 10, 9, 8, 7, 6, 5]
    with pytest.raises(InvalidData, match="the first one, 'code', holds distinct whole numbers"):
        outcomes(tmp_path, text, "months", "dead", ids=[f"s{i}" for i in ids])


# what is refused

THOUSANDS = "days,death\n1.200,1\n2.100,0\n"
TWICE = CLINIC.replace("P2", "P1")


@pytest.mark.parametrize(
    ("text", "event", "message"),
    [
        (THOUSANDS, "death", "the point in .1.200. may be a decimal sign or .*write it without groups"),
        ("days,death\n", "death", "no rows below its header"),
        ("days,days\n1,1\n", "death", "two columns with the same name"),
        ("days,death\n-1,1\n", "death", r"'-1' in column 'days', sample 1, is no time"),
        ("days,death\nlong,1\n", "death", r"'long' in column 'days', sample 1, is no time"),
        ("days,death\n1,1\n2\n", "death", "row 3 has 1 cells"),
        ("days,status\n1,relapse\n2,well\n", "status", "holds 'relapse', and events are 1 or 0.*as in 'status=well'"),
        ("days,status\n1,relapse\n2,well\n", "status=death", "no sample has 'death' in column 'status'"),
        ("days,status\n1,relapse\n2,well\n3,lost\n", "status=relapse", "holds 'lost' and 'well' besides 'relapse'"),
        ("days,status\n1,relapse\n2,\n", "status=relapse", "holds 'relapse' and empty cells"),
    ],
)
def test_damaged_files_and_unclear_events_are_refused(tmp_path: Path, text: str, event: str, message: str) -> None:
    with pytest.raises(InvalidData, match=message):
        outcomes(tmp_path, text, "days", event)


def test_the_decimal_sign_can_be_given(tmp_path: Path) -> None:
    assert times(outcomes(tmp_path, THOUSANDS, "days", "death", decimal="point")) == [1.2, 2.1]


def test_unknown_columns_and_samples_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"no column of clinic.csv called 'day'. Did you mean days"):
        outcomes(tmp_path, CLINIC, "day", "death")
    with pytest.raises(InvalidData, match=r"no sample id in common: 'X1' in the data, 'P1' in clinic\.csv"):
        outcomes(tmp_path, CLINIC, "days", "death", ids=("X1", "X2"))
    with pytest.raises(InvalidData, match="the sample id 'P1' occurs twice"):
        outcomes(tmp_path, TWICE, "days", "death", ids=("P1", "P3"))
    assert outcomes(tmp_path, TWICE, "days", "death").n_samples == 4  # in order, nobody asks for them
