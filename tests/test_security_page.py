"""Each promise of SECURITY.md names cases of the torture, or tests, that exist."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.torture import declared  # noqa: E402

DECLARED = {name for names in declared().values() for name in names}
# of each table whose last column is headed "case": its rows
ROWS = [
    [cell.strip() for cell in line.strip("| ").split("|")]
    for table in re.findall(r"^\|.*\| case \|\n\|[-|]+\n((?:\|.*\n)+)", (ROOT / "SECURITY.md").read_text(), re.M)
    for line in table.splitlines()
]


def is_there(name: str) -> bool:
    if name.startswith("tests/"):
        return (ROOT / name).is_file()
    return any(one.startswith(name) for one in DECLARED) if name.endswith(":") else name in DECLARED


def test_there_are_as_many_cases_as_are_asked_for() -> None:
    assert sum(map(len, declared().values())) >= 140
    assert len(ROWS) >= 25


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:40])
def test_a_promise_names_cases_that_exist(row: list[str]) -> None:
    assert len(row) == 3
    names = re.findall(r"`([^`]+)`", row[-1])
    assert names
    assert [name for name in names if not is_there(name)] == []


def test_a_name_that_nobody_has_is_found() -> None:
    assert not any(map(is_there, ["tests/test_of_nothing.py", "a nowhere:", "breathes"]))
