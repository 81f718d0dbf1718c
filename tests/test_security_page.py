"""Each promise of SECURITY.md names tests, or deeds of a hostile algorithm, that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mvarena_toys.deeds import DEEDS
from mvarena_toys.hostile import Hostile

assert Hostile  # its module names every deed
ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
# of each table whose last column is headed "held by": its rows
ROWS = [
    [cell.strip() for cell in line.strip("| ").split("|")]
    for table in re.findall(r"^\|.*\| held by \|\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.M)
    for line in table.splitlines()
]


def is_there(name: str) -> bool:
    return (ROOT / name).is_file() if name.startswith("tests/") else name in DEEDS


def test_there_are_as_many_promises_as_there_were() -> None:
    assert len(ROWS) >= 25


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:40])
def test_a_promise_names_what_holds_it(row: list[str]) -> None:
    assert len(row) == 3
    names = re.findall(r"`([^`]+)`", row[-1])
    assert names
    assert [name for name in names if not is_there(name)] == []


def test_each_test_that_the_page_names_exists() -> None:
    assert [name for name in re.findall(r"`(tests/[^`]+)`", PAGE) if not is_there(name)] == []


def test_a_name_that_nobody_has_is_found() -> None:
    assert not any(map(is_there, ["tests/test_of_nothing.py", "tests", "breathes"]))
