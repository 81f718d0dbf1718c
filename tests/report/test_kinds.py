"""Each kind of table: its numbers, its words, and what is said where there is nothing to show."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from mvarena.errors import MvarenaError, UnknownName
from mvarena.report.formats.latex import latex_table
from mvarena.report.formats.markdown import markdown_table
from mvarena.report.formats.records import csv_table
from mvarena.report.tables.kinds import KINDS, table_kinds
from mvarena.report.write import tables_of, write_report
from mvarena.store.frames import FIT_COLUMNS
from mvarena.text import csv_cell

BY_NAME = {kind.name: kind for kind in KINDS}


@pytest.fixture
def two_sets(long_frame):
    """apmc and mic on two data sets at two rates; mic crashes on toy at 0.5."""
    for dataset, lift in (("digits", 0.0), ("toy", 0.1)):
        for rate in (0.1, 0.5):
            for repeat in (0, 1):
                at = {"dataset": dataset, "content": dataset, "rate": rate, "repeat": repeat}
                long_frame.trial("apmc", {"acc": [0.6 + lift - rate / 10 + repeat / 50]}, wall_s=1.0 + repeat, **at)
                if (dataset, rate) == ("toy", 0.5):
                    long_frame.trial("mic", status="CRASHED", reason="/home/me/x.so: signal 11", **at)
                else:
                    long_frame.trial("mic", {"acc": [0.5 + lift]}, wall_s=0.25, **at)
    return long_frame


def cells(table) -> dict[str, list[str]]:
    return {row.name: [cell.shown(cell.text) for cell in row.cells] for row in table.rows}


def test_methods_by_data_sets_at_each_rate(results_of, two_sets) -> None:
    first, second = BY_NAME["datasets"].tables(results_of(two_sets, metrics=["acc"]))
    assert [column.dataset for column in first.columns] == ["digits", "toy"]
    assert [column.head for column in first.columns] == ["digits", "Toy Data"]
    assert (first.rate, second.rate) == (0.1, 0.5)
    assert cells(first) == {"apmc": ["60.00 ± 1.41", "70.00 ± 1.41"], "mic": ["50.00 ± 0.00", "60.00 ± 0.00"]}
    assert cells(second)["mic"][1] == "crashed"
    assert any(note.startswith("mic on toy: 2 x CRASHED: .../x.so") for note in second.warnings)


def test_the_mean_over_rates(results_of, two_sets) -> None:
    (table,) = BY_NAME["aggregated"].tables(results_of(two_sets, metrics=["acc"]))
    assert cells(table) == {"apmc": ["58.00 ± 1.41", "68.00 ± 1.41"], "mic": ["50.00 ± 0.00", "1 of 2 rates"]}
    assert [row.cells[0].rank for row in table.rows] == [1, 2]
    assert "mean over 2 rates" in table.caption
    assert "/home" not in " ".join(table.notes)


def test_ranks_put_the_crashed_last(results_of, two_sets) -> None:
    (table,) = BY_NAME["ranks"].tables(results_of(two_sets, metrics=["acc"]))
    assert [column.head for column in table.columns] == ["ACC", "ACC, finished only (2 data sets)"]
    assert cells(table) == {"apmc": ["1.00 ± 0.00"] * 2, "mic": ["2.00 ± 0.00", "2.00 ± 0.00"]}
    assert table.notes == ("Ranked last where a trial did not finish (number of rates and data sets): mic (1).",)
    assert "over 2 data sets" in table.title


def test_seconds_are_over_finished_trials_and_the_fewest_are_best(results_of, two_sets) -> None:
    (table,) = BY_NAME["time"].tables(results_of(two_sets, metrics=["acc"]))
    assert cells(table) == {
        "apmc": ["1.5 ± 0.577", "1.5 ± 0.577"],
        "mic": ["0.25 ± 0", "0.25 ± 0 (2/4)"],
    }
    assert [row.cells[0].rank for row in table.rows] == [2, 1]
    assert table.notes == ("(a/b): a of b trials finished.",)


def test_failures_are_counted_with_their_reasons(results_of, two_sets) -> None:
    (table,) = BY_NAME["failures"].tables(results_of(two_sets, metrics=["acc"]))
    assert cells(table) == {"mic": ["0", "2 crashed of 4"]}
    assert table.notes == ("mic on toy, 2 x: .../x.so: signal 11.",)


def test_iterations_of_methods_that_iterate(results_of, two_sets) -> None:
    frame = two_sets.frame()
    done = frame[frame["status"] == "DONE"]
    rows = [
        (key, 10, 0 if name == "apmc" else 7, True, "", (), {}, math.nan)
        for key, name in zip(done["key"], done["algorithm"], strict=True)
    ]
    fits = pd.DataFrame(rows, columns=list(FIT_COLUMNS))
    (table,) = BY_NAME["iterations"].tables(results_of(two_sets, metrics=["acc"], fits=fits))
    assert cells(table) == {"mic": ["7.0 ± 0.0", "7.0 ± 0.0 (2/4)"]}
    assert all(cell.rank == 0 for row in table.rows for cell in row.cells)


@pytest.mark.parametrize("name", ["datasets", "aggregated", "ranks", "iterations", "failures", "regret"])
def test_nothing_to_show_is_a_sentence_when_asked_for(results_of, long_frame, tmp_path, name: str) -> None:
    results = results_of(long_frame.trial("apmc", {"acc": [0.5]}), metrics=["acc"])
    assert BY_NAME[name].tables(results) == []
    with pytest.raises(MvarenaError, match=f"nothing to show in the table '{name}'; it needs"):
        write_report(results, tmp_path, tables=[name], figures=[])


def test_an_unknown_kind_has_a_suggestion() -> None:
    with pytest.raises(UnknownName, match=r"no kind of table called 'rank'\. Did you mean ranks"):
        table_kinds(["rank"])


def test_every_kind_reads_back_from_csv_and_has_no_two_files_of_one_name(results_of, two_sets) -> None:
    tables = tables_of(results_of(two_sets, metrics=["acc"]))
    assert len({table.name for table in tables}) == len(tables)
    for table in tables:
        lines = csv_table(table).splitlines()
        assert len(lines) == 1 + len(table.rows) * len(table.columns)
        assert markdown_table(table).count("\n| ") > 0
        assert latex_table(table, label="x").count(r"\begin{") == latex_table(table, label="x").count(r"\end{")


@pytest.mark.parametrize(
    ("text", "safe"), [("=cmd()", "'=cmd()"), ("@x", "'@x"), ("-0.5", "-0.5"), ("+a", "'+a"), ("a=", "a=")]
)
def test_a_spreadsheet_runs_nothing(text: str, safe: str) -> None:
    assert csv_cell(text) == safe


def test_infinite_and_missing_scores_make_tables(results_of, long_frame) -> None:
    for name, value in (("a", math.inf), ("b", math.nan), ("c", 0.5)):
        for rate in (0.1, 0.3):
            long_frame.trial(name, {"spread": [value]}, rate=rate)
    with np.errstate(invalid="ignore"):
        assert tables_of(results_of(long_frame, metrics=["spread"]))
