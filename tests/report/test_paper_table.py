"""The combined table of a paper, captions of one line, and tables that are larger than a page."""

from __future__ import annotations

import re

import pytest

from mvarena.report.formats.html import html_table
from mvarena.report.formats.latex import RANKS, latex_table
from mvarena.report.formats.markdown import markdown_table
from mvarena.report.formats.records import csv_table
from mvarena.report.tables.model import with_short_caption
from mvarena.report.write import tables_of, write_report

SCORES = {"apmc": (0.9, 0.5), "mic": (0.7, 0.6), "concat": (0.5, 0.4)}


@pytest.fixture
def results(results_of, new_long_frame):
    """Three methods on two data sets at two rates, and one more data set as it is; concat failed on one."""
    builder = new_long_frame()
    for name, (acc, nmi) in SCORES.items():
        for dataset in ("digits", "toy"):
            for rate in (0.1, 0.3):
                at = {"dataset": dataset, "content": dataset, "rate": rate}
                if (name, dataset, rate) == ("concat", "toy", 0.3):
                    builder.trial(name, None, status="TIMEOUT", reason="exceeded 600 s", **at)
                else:
                    builder.trial(name, {"acc": [acc - rate], "nmi": [nmi]}, **at)
        builder.trial(name, {"acc": [acc], "nmi": [nmi]}, dataset="whole", content="w", corruption="none", rate=0.0)
    return results_of(builder, metrics=["acc", "nmi"])


def test_a_group_for_each_data_set_and_rate_a_column_for_each_metric_ranks_last(results) -> None:
    (table,) = tables_of(results, ["paper"])
    groups = ["digits 0.1", "digits 0.3", "Toy Data 0.1", "Toy Data 0.3", "whole", "mean rank"]
    assert table.spans == [(group, 2) for group in groups]
    assert [column.head for column in table.columns] == ["ACC", "NMI"] * 6
    assert [row.name for row in table.rows] == ["apmc", "mic", "concat"]
    shown = [[cell.shown(cell.text) for cell in row.cells] for row in table.rows]
    assert shown[0] == ["80.00", "50.00", "60.00", "50.00"] * 2 + ["90.00", "50.00", "1.0", "2.0"]
    assert shown[2][6:8] == ["timeout", "timeout"]
    assert [[cell.rank for cell in row.cells[-4:]] for row in table.rows] == [[1, 2, 1, 2], [2, 1, 2, 1], [0, 0, 0, 0]]
    assert "Mean rank: over 3 data sets." in table.setting
    assert "Whole as they are, with nothing removed." in table.setting


def test_every_form_has_all_heads(results) -> None:
    (table,) = tables_of(results, ["paper"])
    assert "| digits 0.1 ACC |" in re.sub(" +", " ", markdown_table(table))
    assert '<th colspan="2" scope="colgroup">mean rank</th>' in html_table(table)
    tex = latex_table(table, label="x")
    assert r"& \multicolumn{2}{c}{digits 0.1} & \multicolumn{2}{c}{digits 0.3} &" in tex
    assert r"\cmidrule(lr){2-3} \cmidrule(lr){4-5}" in tex
    assert RANKS in tex
    assert "digits,missing-even,0.3,nmi,mic" in csv_table(table)


def test_several_corruptions_are_named_in_the_heads(results_of, long_frame) -> None:
    for corruption in ("missing-even", "gaussian"):
        long_frame.trial("apmc", {"acc": [0.5 if corruption == "gaussian" else 0.6]}, corruption=corruption, rate=0.3)
    (table,) = tables_of(results_of(long_frame, metrics=["acc"]), ["paper"])
    assert [column.full_head for column in table.columns] == ["digits Gaussian 0.3 ACC", "digits missing-even 0.3 ACC"]
    assert [cell.text for cell in table.rows[0].cells] == ["50.00", "60.00"]


def test_a_short_caption_is_one_line_that_explains_the_marks(results, tmp_path) -> None:
    write_report(results, tmp_path, tables=["paper"], figures=[], short_captions=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table-paper.csv", "table-paper.md", "table-paper.tex"]
    tex = (tmp_path / "table-paper.tex").read_text()
    (caption,) = re.findall(r"\\caption\{(.*)\}", tex)
    assert "in percent; best of a column in bold, second underlined" in caption
    assert "minipage" not in tex
    markdown = (tmp_path / "table-paper.md").read_text().strip()
    assert len(markdown.split("\n\n")) == 2
    assert "exceeded" not in markdown


def test_only_what_is_larger_than_a_page_is_scaled_down(results_of, new_long_frame) -> None:
    def tex(n_methods: int, n_datasets: int) -> str:
        builder = new_long_frame()
        for method in range(n_methods):
            for dataset in range(n_datasets):
                name = f"set-{dataset}"
                builder.trial(f"method-{method}", {"acc": [0.5]}, dataset=name, content=name)
        (table,) = tables_of(results_of(builder, metrics=["acc"]), ["paper"])
        return latex_table(with_short_caption(table), label="x")

    assert "resizebox" not in tex(5, 3)
    assert "graphicx" not in tex(5, 3)
    tall = tex(80, 2)
    assert r"\begin{table}" in tall
    assert r"\resizebox{!}{0.85\textheight}{%" in tall
    wide = tex(5, 40)
    assert r"\begin{sidewaystable}" in wide
    assert r"\resizebox{\linewidth}{!}{%" in wide
    assert r"\end{tabular}}" in wide
    assert r"\usepackage{rotating}" in wide.splitlines()[0]
