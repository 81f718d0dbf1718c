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


LIKE = "look like survival, so they are not tested as plain columns"


@pytest.mark.parametrize(
    ("table", "tested", "advice"),
    [
        (
            {"columns": {"days": TIME, "status": SWITCH, "age": TIME}},
            ["age"],
            f"days and status {LIKE}; --time days --event status compares the survival of the clusters.",
        ),
        (
            {"columns": {"days to death": TIME, "stage": texts("I", "II", "II")}},
            ["stage"],
            "days to death looks like survival, so it is not tested as a plain column; --time 'days to death' --event "
            "COLUMN compares the survival of the clusters.",
        ),
        ({"columns": {"status": SWITCH}}, ["status"], ""),
        (
            {"time": TIME, "event": SWITCH == 1, "columns": {"PFI.time": TIME, "PFI": SWITCH}},
            [],
            f"PFI.time and PFI {LIKE}.",
        ),
    ],
    ids=["a pair", "a time alone", "an event alone", "beside survival that is named"],
)
def test_columns_like_survival_are_not_tested_and_the_options_that_read_them_are_said(table, tested, advice) -> None:
    found = OutcomeTable(n_samples=6, **table)
    assert list(found.tested) == tested
    assert survival_advice(found) == advice
