"""CSV: plain numbers that read back exactly."""

from __future__ import annotations

import csv
import io
import math

import pandas as pd
import pytest

from mvarena.report.exports import csv_text
from mvarena.report.formats.records import csv_table
from mvarena.report.tables import quality


def read(table) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_table(table))))


def test_numbers_are_unrounded_and_in_their_own_unit(tables_of, long_frame) -> None:
    long_frame.trial("a", {"acc": [1 / 3, 2 / 3]}).trial("b", {"acc": [0.1]})
    first, second = read(tables_of(long_frame)[0])
    assert float(first["mean"]) == 0.5
    assert float(first["std"]) == pytest.approx(math.sqrt(1 / 18), rel=1e-14)
    assert (first["rate"], first["metric"], first["contestant"], first["n_trials"]) == ("0.3", "acc", "a", "1")
    assert (second["mean"], second["std"]) == ("0.1", "")


def test_one_line_per_cell_failures_among_them(tables_of, study) -> None:
    rows = read(tables_of(study)[0])
    assert len(rows) == 12
    lost = [row for row in rows if row["contestant"] == "concat" and row["rate"] == "0.5"]
    assert [(row["status"], row["mean"], row["failed"]) for row in lost] == [("TIMEOUT", "", "2")]
    picked = {row["contestant"] for row in rows if row["label_picked"] == "true"}
    assert picked == {"bsv-kmeans"}


def test_commas_in_names_are_quoted_and_no_name_is_a_formula() -> None:
    points = pd.DataFrame({"dataset": ["=1+1", "digits[fou,fac]", "@x"], "value": [-1.5, -math.inf, 0.5]})
    rows = list(csv.DictReader(io.StringIO(csv_text(points))))
    assert [row["dataset"] for row in rows] == ["'=1+1", "digits[fou,fac]", "'@x"]
    assert [row["value"] for row in rows] == ["-1.5", "-inf", "0.5"]


def test_numbers_of_numpy_are_written_as_numbers(results_of, long_frame) -> None:
    """The share of missing numbers is one, in the tables of quality."""
    long_frame.trial("apmc", {"acc": [0.5]}).trial("concat", {"acc": [0.4]}, dataset="other", content="other")
    for table in quality.tables(results_of(long_frame)):
        missing = [row["mean"] for row in read(table) if row["column"].startswith("no result")]
        assert missing
        assert [float(share) for share in missing] == [0.5] * len(missing)
