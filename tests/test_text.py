"""Names of others: nothing that a terminal obeys or nobody sees gets through, and what differs stays different."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.text import csv_cell, shortened, told_error, visible, visible_lines

ANY = st.text(st.characters(), max_size=20)  # surrogates and unassigned code points among them


@given(ANY)
def test_what_is_shown_is_one_line_that_any_terminal_and_file_takes(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    assert shown == text or not text.isprintable()
    assert shown.encode("utf-8").decode("utf-8") == shown


@given(st.text(st.characters(categories=("Cc", "Cf", "Cs")), min_size=1, max_size=1))
def test_two_names_that_only_look_alike_are_told_apart(letter: str) -> None:
    assert visible(f"ap{letter}mc") != "apmc"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("a\u202emc", "a\\u202emc"),
        ("a\u2067b", "a\\u2067b"),
        ("\udcff.mat", "\\xff.mat"),
        ("a\u00a0b\u2003c\nd", "a b c d"),
        ("\U000e0041", "\\U000e0041"),
        ("日本語 עברית", "日本語 עברית"),
    ],
)
def test_escapes_say_what_was_there(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_lines_stay_lines() -> None:
    assert visible_lines("a\n\tb\x1b\r\nc\u2028d") == "a\n    b\\x1b\nc\nd"


@given(ANY, st.integers(1, 30))
def test_what_is_shortened_keeps_both_ends(text: str, most: int) -> None:
    short = shortened(text, most)
    assert len(short) == min(len(text), most)
    if len(text) > most:
        start, end = short.split("…")[0], short.rpartition("…")[2]
        assert text.startswith(start)
        assert text.endswith(end)


@pytest.mark.parametrize("formula", ["=1+1", "+A1", "-2+3", "@SUM(1)", "=cmd|' /C calc'!A0", "\t=1", "-nan-", "- 1"])
def test_a_formula_is_text(formula: str) -> None:
    assert csv_cell(formula) == f"'{formula}"


@given(st.floats())
def test_a_number_stays_a_number(number: float) -> None:
    assert csv_cell(repr(number)) == repr(number)
    assert csv_cell(f"{number:+g}") == f"{number:+g}"


@pytest.mark.parametrize("raised", [ValueError, SystemExit, KeyboardInterrupt])
def test_an_error_that_cannot_say_what_it_is_hides_no_ctrl_c(raised: type[BaseException]) -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise raised

    if raised is KeyboardInterrupt:
        with pytest.raises(KeyboardInterrupt):
            told_error(Mute())
    else:
        assert told_error(Mute()) == "an error that cannot say what it is"
