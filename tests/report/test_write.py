"""A whole report lands in a folder, the same each time."""

from __future__ import annotations

from pathlib import Path

from mvarena.report.results import Results
from mvarena.report.write import write_report


def test_the_files_of_a_report(study, results_of, tmp_path: Path) -> None:
    written = write_report(results_of(study), tmp_path / "out")
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


def test_written_again_it_is_the_same_whatever_the_order_of_the_rows(study, context, tmp_path: Path) -> None:
    shuffled = study.frame().sample(frac=1, random_state=0)
    both = [Results(scores=scores, context=context, metrics=["acc"]) for scores in (study.frame(), shuffled)]
    first, second = ({path: path.read_bytes() for path in write_report(results, tmp_path)} for results in both)
    assert first == second


def test_one_rate_makes_one_table_of_all_metrics(long_frame, results_of, tmp_path: Path) -> None:
    long_frame.trial("apmc", {"acc": [0.5], "nmi": [0.4]}, corruption="none", rate=0.0, dataset="3sources")
    written = write_report(results_of(long_frame, metrics=["acc"]), tmp_path)
    assert [path.name for path in written] == [
        "table-3sources.md", "table-3sources.tex", "table-3sources.csv",
        "figure-acc-by-rate.png", "figure-acc-by-rate.svg",
    ]  # fmt: skip
