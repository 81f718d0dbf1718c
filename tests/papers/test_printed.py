"""Numbers as papers print them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.errors import InvalidData
from mvarena.papers.model import read_cell

DECIMALS = st.decimals(min_value=0, max_value=100, places=2).map(str)


@given(st.lists(st.tuples(DECIMALS, st.none() | DECIMALS), min_size=1, max_size=4), st.booleans())
def test_a_cell_gives_back_its_numbers(pairs, bold):
    text = " / ".join(value if std is None else f"{value} ± {std}" for value, std in pairs)
    cells = read_cell(f"**{text}**" if bold else text, len(pairs))
    assert [(one.value, one.std, one.bold, one.digits) for one in cells] == [
        (float(value), None if std is None else float(std), bold, 2) for value, std in pairs
    ]


@given(st.lists(st.tuples(DECIMALS, DECIMALS), min_size=2, max_size=7))
def test_deviations_in_brackets_are_read_alike(pairs):
    cells = read_cell(" ".join(f"{value}({std})" for value, std in pairs), len(pairs))
    assert [(one.value, one.std) for one in cells] == [(float(value), float(std)) for value, std in pairs]


def test_one_of_several_or_all_may_be_missing_or_bold():
    assert [one and one.value for one in read_cell("? / 25.25% / - / 404", 4)] == [None, 25.25, None, 404.0]
    assert [read_cell(text, 3) for text in ("-", "**-**", "?")] == [(None, None, None)] * 3
    first, second = read_cell("84.80 / **92.71**", 2)
    assert (first.bold, second.bold) == (False, True)


@pytest.mark.parametrize(
    ("text", "count"), [("1.0 / 2.0", 3), ("1.0", 2), ("1.0 / 2.0", 1), ("abc", 1), ("1.0 ± x", 1), ("", 1)]
)
def test_anything_else_is_an_error_that_quotes_it(text, count):
    with pytest.raises(InvalidData, match=r"hold|is not a number"):
        read_cell(text, count)
