"""Tables fit the terminal, and emphasis is where it belongs."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.text import Text

from mvarena.report.formats.terminal import terminal_tables


def printed(tables, width: int, *, colour: bool = False, verbose: bool = False) -> str:
    stream = io.StringIO()
    Console(file=stream, width=width, force_terminal=colour, color_system="standard" if colour else None).print(
        terminal_tables(tables, width=width, verbose=verbose)
    )
    return stream.getvalue()


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_every_number_is_there_whole_at_any_width(tables_of, study, width: int) -> None:
    tables = tables_of(study)
    text = printed(tables, width)
    assert max(map(len, text.splitlines())) <= width
    for table in tables:
        for row in table.rows:
            for cell in row.cells:
                assert cell.shown(cell.text) in text
    assert (text.count("method ") == len(tables)) == (width > 40)  # wide ones take one block


def test_best_is_bold_and_second_underlined(tables_of, long_frame) -> None:
    for name, value in (("a", 0.9), ("b", 0.8), ("c", 0.7)):
        long_frame.trial(name, {"acc": [value]})
    text = printed(tables_of(long_frame), 80, colour=True)
    assert "\x1b[1m90.00\x1b[0m" in text
    assert "\x1b[4m80.00\x1b[0m" in text
    assert "m70.00" not in text


def test_what_tables_share_is_said_once_all_of_it_or_in_one_line(tables_of, study) -> None:
    text = " ".join(Text.from_ansi(printed(tables_of(study), 100, verbose=True)).plain.split())
    assert text.count("Protocol fair:") == 1
    assert "ACC in percent; NMI in percent. Data: digits" in text
    assert text.count("exceeded 600 s") == 1
    brief = " ".join(Text.from_ansi(printed(tables_of(study), 100)).plain.split())
    assert "Protocol fair:" not in brief
    assert brief.count("ACC in percent; ± one standard deviation") == 1
    assert brief.count("exceeded 600 s") == 1


def test_of_many_failures_the_first_are_told(tables_of, long_frame) -> None:
    for number in range(20):
        long_frame.trial(f"m{number}", status="FAILED", reason=f"reason {number}")
    text = printed(tables_of(long_frame), 100)
    assert "reason 5" in text
    assert "reason 6" not in text
    assert "14 more lines: mvarena report -v shows all." in text
    assert "reason 19" in printed(tables_of(long_frame), 100, verbose=True)


def test_hidden_characters_in_names_reach_no_terminal_and_brackets_are_no_markup(tables_of, long_frame) -> None:
    long_frame.trial("a\x1b]0;title\x07\u202e", {"acc": [0.5]}, dataset="digits[bold]\x1b[2J\u2067")
    text = printed(tables_of(long_frame), 200)
    assert text.replace("\n", "").isprintable()
    assert "digits[bold]\\x1b[2J\\u2067" in text


def test_a_name_of_240_letters_leaves_room_for_the_numbers(tables_of, long_frame) -> None:
    long_frame.trial("a" * 120 + "b" * 120, {"acc": [0.5], "nmi": [0.25]}).trial("c", {"acc": [0.75], "nmi": [1.0]})
    text = printed(tables_of(long_frame), 80)
    assert max(map(len, text.splitlines())) <= 80
    assert all(number in text for number in ("50.00", "25.00", "75.00"))
    assert "a…b" in text
