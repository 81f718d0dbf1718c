"""Marks of cells and lines below: who is best, who is second, what baselines score."""

from __future__ import annotations

from typing import Any

import numpy as np

from mvarena.analysis.boards import Question
from mvarena.report.formats.html import html_table

REPEATS = 10


def far_apart(builder: Any, n_corpora: int, least: float) -> Any:
    """apmc ahead of concat by 0.3 in each of ten repeats, on corpora where random labels reach 0.4."""
    draw = np.random.default_rng(0)
    for corpus in range(n_corpora):
        name = f"set-{corpus}"
        where = {"dataset": name, "content": name, "corpus": name}
        for repeat in range(REPEATS):
            low = least + 0.02 * draw.random()
            scores = {"apmc": low + 0.3 + 0.001 * draw.random(), "concat": low, "random": 0.4}
            for method, score in scores.items():
                builder.trial(method, {"acc": [score]}, repeat=repeat, **where)
    return builder


def test_where_no_method_is_above_the_baseline_nothing_is_claimed(results_of, new_long_frame) -> None:
    for least, separated in ((0.5, True), (0.05, False)):
        results = results_of(far_apart(new_long_frame(), 6, least=least))
        board = results.answer(Question(metric="acc"))
        assert board is not None
        assert ("no claim; on 0 of 6 corpora" in results.claim(board)) is not separated


def test_what_ground_truth_picked_is_neither_first_nor_second(tables_of, long_frame) -> None:
    for view, value in (("fou", 0.95), ("fac", 0.6)):
        long_frame.trial("bsv-kmeans", {"acc": [value]}, params={"view": view}, picks_by_labels="view")
    for method, value in (("apmc", 0.9), ("concat", 0.8), ("mic", 0.7)):
        long_frame.trial(method, {"acc": [value]})
    (table,) = tables_of(long_frame)
    assert {row.name: row.cells[0].rank for row in table.rows} == {
        "bsv-kmeans": 0, "apmc": 1, "concat": 2, "mic": 0,
    }  # fmt: skip


def test_baselines_are_a_line_and_no_row(tables_of, long_frame, new_long_frame) -> None:
    for rate, value in ((0.1, 0.9), (0.3, 0.8)):
        long_frame.trial("apmc", {"acc": [value]}, rate=rate)
        long_frame.trial("random", {"acc": [value / 8]}, rate=rate)
    (table,) = tables_of(long_frame)
    assert [row.name for row in table.rows] == ["apmc"]
    assert table.baselines == "Baselines: random 11.25, 10.00."
    assert table.caption.endswith(table.baselines)
    many = new_long_frame()
    for number in range(9):
        where = {"dataset": f"set-{number}", "content": f"set-{number}", "corpus": f"set-{number}"}
        many.trial("apmc", {"acc": [0.9]}, **where).trial("random", {"acc": [0.1 + 0.01 * number]}, **where)
    assert tables_of(many)[0].baselines == "Baselines: random 10.00 to 18.00.", "over many data sets a range"


def test_baselines_alone_are_rows_without_ranks(tables_of, long_frame) -> None:
    long_frame.trial("random", {"acc": [0.125]}).trial("one-cluster", {"acc": [0.1]})
    (table,) = tables_of(long_frame)
    assert {row.name: row.cells[0].rank for row in table.rows} == {"random": 0, "one-cluster": 0}
    assert table.baselines == ""


def test_names_in_html_are_text(tables_of, long_frame) -> None:
    long_frame.trial("<script>alert(1)</script>", {"acc": [0.5]}, dataset="a&b<i>")
    page = html_table(tables_of(long_frame)[0])
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "a&amp;b&lt;i&gt;" in page
    assert "<script" not in page
    assert "<i>" not in page
