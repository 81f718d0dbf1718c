"""The page of the torture: every line of its table is as it must be, and the documentation quotes it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.torture import BEGINS, ENDS, ORDEALS, Line, parts_of, table, write  # noqa: E402

PAGE = ROOT / "reports" / "torture" / "README.md"


def quoted(page: Path) -> list[str]:
    """The table between the markers of a page; nothing where it has none."""
    _, begins, rest = page.read_text(encoding="utf-8").partition(BEGINS)
    inside, ends, _ = rest.partition(ENDS)
    return inside.strip().splitlines() if begins and ends else []


def test_every_ordeal_has_a_line_that_is_as_it_must_be() -> None:
    head, _, *lines = quoted(PAGE)
    assert [cell.strip() for cell in head.split("|")[1:-1]] == [
        "what", "times", "what came of it", "as it must be", "seconds"
    ]  # fmt: skip
    assert len(lines) == len(ORDEALS)
    assert {line.split("|")[4].strip() for line in lines} == {"yes"}
    assert sum(int(line.split("|")[5]) for line in lines) < 20 * 60


def test_the_readme_quotes_the_page() -> None:
    assert quoted(ROOT / "docs" / "howto" / "long-studies.md") in ([], quoted(PAGE))


def test_a_table_is_written_between_the_markers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGINS}\nold\n{ENDS}\nafter\n")
    lines = [(Line("kills", 3, "resumed", True), 1.2), (Line("writers", 0, "no server", None), 0.0)]
    write(page, table([*lines, (Line("files", 1, "a traceback", False), 9.6)]))
    assert quoted(page)[2:] == [
        "| kills | 3 | resumed | yes | 1 |",
        "| writers | 0 | no server | not tried | 0 |",
        "| files | 1 | a traceback | NO | 10 |",
    ]
    text = page.read_text()
    assert (text.startswith("before\n"), text.endswith("\nafter\n"), "old" in text) == (True, True, False)


@pytest.mark.parametrize("text", [None, "no markers"])
def test_a_page_without_a_place_for_the_table_is_said_before_anything_runs(tmp_path: Path, text: str | None) -> None:
    page = tmp_path / "page.md"
    if text is not None:
        page.write_text(text)
    with pytest.raises(SystemExit, match=BEGINS):
        parts_of(page)
