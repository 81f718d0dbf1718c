"""Results of which there is little or much: which tables and figures a page of them has, and what heads say."""

from __future__ import annotations

from itertools import product

import pytest

from mvarena.errors import MvarenaError
from mvarena.report.data import ReportData
from mvarena.report.index import printed_tables, write_index


def test_one_method_and_one_condition_have_a_figure(results_of, long_frame, tmp_path) -> None:
    results = results_of(long_frame.trial("apmc", {"acc": [0.5]}, corruption="none", rate=0.0))
    page, written = write_index(results, tmp_path, formats=("png",))
    assert (tmp_path / "figure-bars.png") in written
    assert "![Bars: mean; one value each](figure-bars.png)" in page.read_text()


def test_nothing_to_report_is_said(long_frame, context) -> None:
    with pytest.raises(MvarenaError, match="no results to report; run a study first"):
        ReportData(scores=long_frame.frame().assign(shown=True), context=context, metrics=())


def test_a_page_of_many_conditions_has_the_first_tables(results_of, long_frame, tmp_path) -> None:
    at = {"none": (0.0,), "missing-even": (0.1, 0.5), "gaussian": (10.0,), "outliers": (0.1, 0.2)}
    for corruption, rates in at.items():
        for rate, dataset, (method, score) in product(rates, "abc", {"apmc": 0.9, "concat": 0.5, "pvc": 0.7}.items()):
            lead = 0.3 if (method, rate) == ("concat", 0.5) else 0.0
            scores = {"acc": [score + lead / 2], "nmi": [score + lead]}
            long_frame.trial(method, scores, dataset=dataset, corruption=corruption, rate=rate)
    results = results_of(long_frame, metrics=["nmi", "acc"])
    page, _ = write_index(results, tmp_path, formats=("png",))
    below = page.read_text().partition("## Results by condition")[2].partition("## Quality")[0]
    titles = [line.strip("*") for line in below.splitlines() if line.startswith("**")]
    assert titles == [
        "NMI, complete data, by data set",
        "NMI, Gaussian 10 dB, by data set",
        "NMI, missing-even at rate 0.1, by data set",
        "NMI, missing-even at rate 0.5, by data set",
    ]
    scores = next(table for table in results.result_tables if (table.metric, table.rate) == ("nmi", 0.5))
    assert {row.name: [cell.text for cell in row.cells] for row in scores.rows} == {
        "apmc": [*3 * ["90.00"], "1.0"], "concat": [*3 * ["80.00"], "2.0"], "pvc": [*3 * ["70.00"], "3.0"],
    }  # fmt: skip
    assert printed_tables(results) == results.place_tables


def test_signal_to_noise_ratios_are_in_decibels_in_heads(results_of, long_frame) -> None:
    for rate in (0.1, 10.0):
        for method, score in {"apmc": 0.9, "concat": 0.5}.items():
            long_frame.trial(method, {"nmi": [score]}, dataset="a", corruption="gaussian", rate=rate)
    (table,) = results_of(long_frame, metrics=["nmi"]).result_tables
    assert [column.full_head for column in table.columns] == ["-10 dB", "10 dB"]
    assert table.setting.startswith("Data: a. Corruption: Gaussian; the rate is a ratio.")
