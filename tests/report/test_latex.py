"""LaTeX: emphasis, structure and escaping."""

from __future__ import annotations

import re

from mvarena.report.formats.latex import latex_escape, latex_table


def test_best_bold_second_underlined(tables_of, long_frame) -> None:
    for name, values in (("a", [0.9, 0.92]), ("b", [0.8]), ("c", [0.7])):
        long_frame.trial(name, {"acc": values})
    text = latex_table(tables_of(long_frame)[0], label="x")
    assert r"a & \textbf{91.00} $\pm$ 1.41 \\" in text
    assert r"b & \underline{80.00} \\" in text
    assert r"c & 70.00 \\" in text
    assert r"\label{tab:x}" in text


def test_the_table_has_as_many_cells_as_columns(tables_of, study) -> None:
    text = latex_table(tables_of(study)[0], label="x")
    assert r"\begin{tabular}{lrrr}" in text
    assert r"\multicolumn{3}{c}{missing rate (missing-even)}" in text
    rows = re.search(r"\\midrule\n(.*)\n\\bottomrule", text, re.DOTALL)
    assert rows is not None
    assert [line.count("&") for line in rows[1].splitlines()] == [3, 3, 3, 3]
    assert text.count(r"\begin{") == text.count(r"\end{")


def test_every_special_character_is_escaped() -> None:
    assert latex_escape("a_b & 5% #1 {x} $y$ ~ ^ \\") == (
        r"a\_b \& 5\% \#1 \{x\} \$y\$ \textasciitilde{} \textasciicircum{} \textbackslash{}"
    )
    assert latex_escape('<a|"b">') == r"\textless{}a\textbar{}\textquotedbl{}b\textquotedbl{}\textgreater{}"
    assert latex_escape("74 ± 1 (n − 1) –\nend") == r"74 $\pm$ 1 (n $-$ 1) -- end"
    assert latex_escape("a\u202eb\x1b 数") == r"a\textbackslash{}u202eb\textbackslash{}x1b [U+6570]"


def test_the_caption_is_short_and_the_rest_stands_below(tables_of, study) -> None:
    table = tables_of(study)[0]
    text = latex_table(table, label="x")
    (caption,) = re.findall(r"\\caption\{(.*)\}", text)
    assert caption == "ACC on digits by missing rate (missing-even)."
    below = text.partition(r"\end{tabular}")[2]
    assert "Protocol fair: 2 repeats of" in below
    assert all(latex_escape(note) in below for note in table.notes)
