"""Everything shown of a set of scores is computed from one summary, and once."""

from __future__ import annotations

import pytest

from mvarena.errors import MvarenaError
from mvarena.report import data as module
from mvarena.report.data import ReportData
from mvarena.report.figures.rate import points
from mvarena.report.index import write_index
from mvarena.report.write import write_report


def test_one_summary_serves_tables_and_figures(results_of, study, tmp_path, monkeypatch) -> None:
    calls = []
    summarize = module.summarize
    monkeypatch.setattr(module, "summarize", lambda *args, **options: calls.append(1) or summarize(*args, **options))
    results = results_of(study, metrics=["acc"])
    write_report(results, tmp_path, tables=["results", "quality"], figures=["rate"])
    assert len(calls) == 1


def test_tables_and_curves_show_the_same_numbers(results_of, study) -> None:
    results = results_of(study)
    shown = {
        (table.metric, row.name, column.rate): 100 * cell.mean
        for table in results.result_tables
        for row in table.rows
        for column, cell in zip(table.columns, row.cells, strict=True)
    }
    drawn = {(row.metric, row.contestant, row.rate): row.mean for row in points(results).itertuples()}
    assert shown == pytest.approx(drawn, nan_ok=True)


def test_one_method_and_one_condition_have_a_figure(results_of, long_frame, tmp_path) -> None:
    results = results_of(long_frame.trial("apmc", {"acc": [0.5]}, corruption="none", rate=0.0))
    page, written = write_index(results, tmp_path, formats=("png",), on_figure=lambda *_: None)
    assert (tmp_path / "figure-bars.png") in written
    assert "![Bars: mean; one value each](figure-bars.png)" in page.read_text()


def test_every_contestant_has_a_look_and_announced_looks_are_kept(results_of, study, context) -> None:
    looks = results_of(study).looks
    assert set(looks.looks) == {"apmc", "concat", "pvc", "bsv-kmeans"}
    announced = {name: look for name, look in context.looks.items() if name in looks.looks}
    assert {name: looks[name] for name in announced} == announced


def test_nothing_to_report_is_said(long_frame, context) -> None:
    with pytest.raises(MvarenaError, match="no results to report; run a study first"):
        ReportData(scores=long_frame.frame().assign(shown=True), context=context, metrics=())
