"""Everything shown of a set of scores is computed from one summary, and once."""

from __future__ import annotations

import pytest

from mvarena.errors import MvarenaError
from mvarena.report import data as module
from mvarena.report.data import ReportData
from mvarena.report.write import write_report


def test_one_summary_serves_tables_and_figures(results_of, study, tmp_path, monkeypatch) -> None:
    calls = []
    summarize = module.summarize
    monkeypatch.setattr(module, "summarize", lambda *args, **options: calls.append(1) or summarize(*args, **options))
    results = results_of(study, metrics=["acc"])
    write_report(results, tmp_path)
    assert results.tables is results.tables
    assert len(calls) == 1


def test_tables_and_curves_show_the_same_numbers(results_of, study) -> None:
    results = results_of(study)
    shown = {
        (table.metric, row.name, column.rate): 100 * cell.mean
        for table in results.tables
        for row in table.rows
        for column, cell in zip(table.columns, row.cells, strict=True)
    }
    drawn = {(row.metric, row.contestant, row.rate): row.mean for row in results.curves.itertuples()}
    assert shown == pytest.approx(drawn, nan_ok=True)


def test_every_contestant_has_a_look_and_announced_looks_are_kept(results_of, study, context) -> None:
    looks = results_of(study).looks
    assert set(looks.looks) == {"apmc", "concat", "pvc", "bsv-kmeans"}
    announced = {name: look for name, look in context.looks.items() if name in looks.looks}
    assert {name: looks[name] for name in announced} == announced


def test_every_variant_is_passed_on(results_of, study) -> None:
    names = set(results_of(study, every_variant=True).summary["contestant"])
    assert {"bsv-kmeans (view=fou)", "bsv-kmeans (view=fac)"} <= names


def test_nothing_to_report_is_said(long_frame, context) -> None:
    with pytest.raises(MvarenaError, match="no results to report; run a study first"):
        ReportData(scores=long_frame.frame(), context=context, metrics=())
