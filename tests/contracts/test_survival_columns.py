"""Which columns of outcomes look like survival, by names and values."""

from __future__ import annotations

import numpy as np
import pytest

from mvarena.contracts.outcome_table import OutcomeTable
from mvarena.contracts.survival_columns import survival_columns
from mvarena.study.outcomes import survival_advice

TIME = np.array([1.0, 2.0, 3.0, 5.5, 9.0, np.nan])
SWITCH = np.array([0.0, 1.0, 1.0, 0.0, np.nan, 0.0])


def texts(*values: str) -> np.ndarray:
    return np.array([*values, *[""] * (6 - len(values))])


@pytest.mark.parametrize(
    ("columns", "pair"),
    [
        ({"days": TIME, "status": SWITCH}, ("days", "status")),
        ({"age": TIME, "OS.time": TIME, "PFI": SWITCH, "OS": SWITCH}, ("OS.time", "OS")),
        ({"time": TIME, "sex": SWITCH, "status": SWITCH + 1}, ("time", "status=2")),
        ({"survival": TIME, "censored": SWITCH}, ("survival", "censored=0")),
        ({"followUpTime": TIME, "vital": texts("Alive", "Dead", "Dead")}, ("followUpTime", "vital")),
        (
            {
                "OS_MONTHS": TIME,
                "DFS_STATUS": texts("0:DiseaseFree", "1:Recurred"),
                "OS_STATUS": texts("0:LIVING", "1:DECEASED"),
            },
            ("OS_MONTHS", "OS_STATUS=1:DECEASED"),
        ),
        ({"t": TIME, "e": SWITCH}, ("t", "e")),
        ({"days": TIME, "sex": texts("m", "f")}, None),
        ({"age_years": TIME, "status": SWITCH}, None),
        ({"days_to_birth": -TIME, "status": SWITCH}, None),
        ({"score": TIME, "smoker": texts("yes", "no")}, None),
    ],
)  # fmt: skip
def test_a_time_and_its_event_are_found(columns: dict[str, np.ndarray], pair: tuple[str, str] | None) -> None:
    assert survival_columns(columns).pair == pair


def test_columns_like_survival_are_not_tested_and_the_options_that_read_them_are_said() -> None:
    table = OutcomeTable(n_samples=6, columns={"days": TIME, "status": SWITCH, "age": TIME})
    assert list(table.tested) == ["age"]
    assert survival_advice(table) == (
        "days and status look like survival, so they are not tested as plain columns; --time days --event status "
        "compares the survival of the clusters."
    )


def test_a_time_without_an_event_asks_for_one() -> None:
    table = OutcomeTable(n_samples=6, columns={"days to death": TIME, "stage": texts("I", "II", "II")})
    assert list(table.tested) == ["stage"]
    assert survival_advice(table) == (
        "days to death looks like survival, so it is not tested as a plain column; --time 'days to death' --event "
        "COLUMN compares the survival of the clusters."
    )


def test_an_event_alone_is_a_column_as_any_other() -> None:
    table = OutcomeTable(n_samples=6, columns={"status": SWITCH})
    assert list(table.tested) == ["status"]
    assert survival_advice(table) == ""


def test_where_survival_is_named_further_times_are_not_tested_either() -> None:
    table = OutcomeTable(n_samples=6, time=TIME, event=SWITCH == 1, columns={"PFI.time": TIME, "PFI": SWITCH})
    assert list(table.tested) == []
    assert survival_advice(table) == "PFI.time and PFI look like survival, so they are not tested as plain columns."
