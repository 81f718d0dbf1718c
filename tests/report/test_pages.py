"""Pages with generated parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.errors import InvalidData
from mvarena.report.formats.pages import filled, marked, parts_of

PAGE = f"# A page\n\nProse.\n\n{marked('table', 'toy-table-1')}\n\nAbout {marked('value', 'a / b / c / acc')} points.\n"


def part(kind: str, what: str) -> str:
    return f"[{kind} of {what}]"


def test_parts_are_filled_and_prose_stays():
    page = filled(PAGE, part)
    assert page.startswith("# A page\n\nProse.\n")
    assert "<!-- mvarena:table toy-table-1 -->\n\n[table of toy-table-1]\n\n<!-- end -->" in page
    assert "About <!-- mvarena:value a / b / c / acc -->[value of a / b / c / acc]<!-- end --> points." in page
    assert filled(page, part) == page
    assert parts_of(page) == parts_of(PAGE) == [("table", "toy-table-1"), ("value", "a / b / c / acc")]


@given(st.text(alphabet="abc <!->\n"), st.text(alphabet="xyz|\n "))
def test_prose_without_markers_is_left_alone(prose, text):
    assert filled(prose, lambda *_: text) == prose


def test_a_part_without_an_end_is_an_error():
    with pytest.raises(InvalidData, match="<!-- end -->"):
        filled(PAGE.replace("<!-- end -->", "", 1), part)


def test_parts_of_other_items_stay_as_they_are():
    one, two = (f"<!-- mvarena:value {item} / a / b / acc -->old<!-- end -->" for item in ("one", "two"))
    assert filled(f"{one} {two}", lambda *_: "new", only={"two"}) == f"{one} {two.replace('old', 'new')}"
