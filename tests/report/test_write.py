"""A whole report lands in a folder, the same each time."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from mvarena.report.data import ReportData
from mvarena.report.write import write_report


def test_the_files_of_a_report(study, results_of, tmp_path: Path) -> None:
    written = write_report(results_of(study), tmp_path / "out")
    names = [path.name for path in written]
    tables = [
        "overview-digits-missing-even-acc",
        "paper",
        *(f"quality-{what}-{metric}" for metric in ("acc", "nmi") for what in ("data-sets", "methods")),
        *(f"digits-missing-even-{metric}" for metric in ("acc", "nmi")),
        *(f"aggregated-missing-even-{metric}" for metric in ("acc", "nmi")),
        *("time", "memory", "failures"),
    ]
    figures = ["acc-by-rate", "nmi-by-rate", "by-rate", "pareto-acc-missing-even", "pareto-nmi-missing-even"]
    assert names == [
        *(f"table-{stem}.{kind}" for stem in tables for kind in ("md", "tex", "csv")),
        *(f"figure-{stem}.{kind}" for stem in figures for kind in ("png", "svg", "csv")),
    ]
    assert sorted(names) == sorted(entry.name for entry in (tmp_path / "out").iterdir())
    latex = (tmp_path / "out" / "table-digits-missing-even-acc.tex").read_text(encoding="utf-8")
    assert r"\label{tab:digits-missing-even-acc}" in latex


def test_written_again_it_is_the_same_whatever_the_order_of_the_rows(study, context, tmp_path: Path) -> None:
    shuffled = study.frame().sample(frac=1, random_state=0)
    both = [ReportData(scores=scores, context=context, metrics=["acc"]) for scores in (study.frame(), shuffled)]
    first, second = ({path: path.read_bytes() for path in write_report(results, tmp_path)} for results in both)
    assert first == second


def test_one_rate_makes_one_table_of_all_metrics(long_frame, results_of, tmp_path: Path) -> None:
    long_frame.trial("apmc", {"acc": [0.5], "nmi": [0.4]}, corruption="none", rate=0.0, dataset="3sources")
    written = write_report(results_of(long_frame, metrics=["acc"]), tmp_path, tables=["conditions"])
    stems = ["table-3sources.md", "table-3sources.tex", "table-3sources.csv"]
    assert [path.name for path in written] == [*stems, *(f"figure-bars.{kind}" for kind in ("png", "svg", "csv"))]


def test_beside_each_figure_is_what_it_shows(study, results_of, tmp_path: Path) -> None:
    results = results_of(study, metrics=["acc"])
    written = write_report(results, tmp_path, tables=[], figures=["rate"], formats=["pdf"])
    assert [path.name for path in written] == ["figure-acc-by-rate.pdf", "figure-acc-by-rate.csv"]
    shown = pd.read_csv(written[1])
    assert shown["mean"].tolist() == pytest.approx(results.curves["mean"].tolist(), nan_ok=True)
    assert written[0].read_bytes().startswith(b"%PDF")
