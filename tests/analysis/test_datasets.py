"""Data sets are told apart by what they hold, never by what they are called."""

from __future__ import annotations

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from mvarena.analysis.naming import names_by_content


def names(*pairs: tuple[str, str]) -> list[str]:
    return list(names_by_content(pd.DataFrame(pairs, columns=["dataset", "content"])))


def test_one_content_needs_no_mark() -> None:
    assert names(("data.mat", "a" * 64), ("data.mat", "a" * 64), ("digits", "b" * 64)) == [
        "data.mat",
        "data.mat",
        "digits",
    ]


def test_several_contents_of_one_name_are_told_apart() -> None:
    found = names(("data.mat", "1a2b3c4d" * 8), ("digits", "b" * 64), ("data.mat", "9f8e7d6c" * 8))
    assert found == ["data.mat #1a2b3c", "digits", "data.mat #9f8e7d"]


def test_contents_that_begin_alike_show_more_of_themselves() -> None:
    found = names(("x", "abcdef1" + "0" * 57), ("x", "abcdef2" + "0" * 57))
    assert found == ["x #abcdef1", "x #abcdef2"]


def test_a_generator_of_two_versions_is_two_data_sets() -> None:
    first, second = names(("drawn", "generated:drawn:1"), ("drawn", "generated:drawn:2"))
    assert first != second
    assert all(len(name) == len("drawn #") + 6 for name in (first, second))


@given(st.lists(st.tuples(st.sampled_from("xy"), st.text("01abcdef", min_size=6, max_size=9)), min_size=1))
def test_two_rows_share_a_name_exactly_where_name_and_content_agree(pairs) -> None:
    found = names(*pairs)
    assert len(set(zip(pairs, found, strict=True))) == len(set(pairs)) == len(set(found))
