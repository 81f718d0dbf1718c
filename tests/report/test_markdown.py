"""Markdown: emphasis and escaping."""

from __future__ import annotations

import pytest

from mvarena.report.formats.markdown import markdown_escape, markdown_figure, markdown_table


def test_best_bold_second_underlined(tables_of, long_frame) -> None:
    for name, value in (("a", 0.9), ("b", 0.8), ("c", 0.7)):
        long_frame.trial(name, {"acc": [value]})
    (table,) = tables_of(long_frame)
    lines = [line.replace(" ", "") for line in markdown_table(table).splitlines()]
    assert lines[2] == "|method|ACC|"
    assert lines[4:7] == ["|a|**90.00**|", "|b|<u>80.00</u>|", "|c|70.00|"]


def test_marks_failures_and_notes_are_there(tables_of, study) -> None:
    text = markdown_table(tables_of(study)[0])
    assert r"| bsv-kmeans \* |" in text
    assert "timeout |" in text
    assert "- concat: exceeded 600 s; 2 trials on digits." in text
    assert text.endswith("\n")


def test_markup_in_names_is_text() -> None:
    assert markdown_escape("a|b_c*<d>`e`\n[f]") == r"a\|b\_c\*\<d\>\`e\` \[f\]"
    assert markdown_escape("\x1b[31m\u202egpj") == r"\\x1b\[31m\\u202egpj"


def test_no_reason_and_no_name_can_break_the_table(tables_of, long_frame) -> None:
    long_frame.trial("<img>|", {"acc": [0.5]}).trial("b", status="FAILED", reason="shape (2 | 3)\nat line 4")
    text = markdown_table(tables_of(long_frame)[0])
    assert r"- b: shape (2 \| 3) ... at line 4; 1 trial on digits." in text
    assert r"| \<img\>\| |" in " ".join(text.split())


@pytest.mark.parametrize(
    ("caption", "alternative"),
    [
        (
            "ACC, missing-even at rate 0.1, against time. Line: the front.",
            "ACC, missing-even at rate 0.1, against time",
        ),
        ("ACC on my.mat.", "ACC on my.mat"),
        ("gaussian 10.5 dB", "gaussian 10.5 dB"),
    ],
)
def test_the_alternative_text_of_a_figure_is_the_whole_first_sentence(caption: str, alternative: str) -> None:
    assert markdown_figure("a.png", caption) == f"![{alternative}](a.png)\n\n*{caption}*\n"
