"""A whole report lands in a folder, the same each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from mvarena.errors import MvarenaError
from mvarena.report.write import write_report

OPTIONS = {"directions": {"acc": True, "nmi": True}, "rate_meanings": {}, "dataset_notes": {}}


def test_the_files_of_a_report(study, tmp_path: Path) -> None:
    written = write_report(study.frame(), tmp_path / "out", **OPTIONS)
    names = [path.name for path in written]
    assert names == [
        *(f"table-digits-missing-even-{metric}.{kind}" for metric in ("acc", "nmi") for kind in ("md", "tex", "csv")),
        *(
            f"{stem}.{kind}"
            for stem in ("figure-acc-by-rate", "figure-nmi-by-rate", "figure-by-rate")
            for kind in ("png", "svg")
        ),
    ]
    assert sorted(names) == sorted(entry.name for entry in (tmp_path / "out").iterdir())
    assert r"\label{tab:digits-missing-even-acc}" in (tmp_path / "out" / names[1]).read_text(encoding="utf-8")


def test_written_again_it_is_the_same_whatever_the_order_of_the_rows(study, tmp_path: Path) -> None:
    once = {**OPTIONS, "metrics": ["acc"]}
    first = {path: path.read_bytes() for path in write_report(study.frame(), tmp_path, **once)}
    shuffled = study.frame().sample(frac=1, random_state=0)
    second = {path: path.read_bytes() for path in write_report(shuffled, tmp_path, **once)}
    assert first == second


def test_one_rate_makes_one_table_of_all_metrics(long_frame, tmp_path: Path) -> None:
    long_frame.trial("apmc", {"acc": [0.5], "nmi": [0.4]}, corruption="none", rate=0.0, dataset="3sources")
    written = write_report(long_frame.frame(), tmp_path, metrics=["acc"], **OPTIONS)
    assert [path.name for path in written] == [
        "table-3sources.md", "table-3sources.tex", "table-3sources.csv",
        "figure-acc-by-rate.png", "figure-acc-by-rate.svg",
    ]  # fmt: skip


def test_nothing_to_report_is_said(long_frame, tmp_path: Path) -> None:
    with pytest.raises(MvarenaError, match="no results to report; run something first"):
        write_report(long_frame.frame(), tmp_path, **OPTIONS)
    assert list(tmp_path.iterdir()) == []
