"""The rates that corruptions reached: means over the repeats, per view."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from mvarena.report.tables.inventory import achieved_table, write_achieved
from mvarena.store.frames import ACHIEVED_RATES_COLUMNS


def rates(*rows: tuple[object, ...]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(ACHIEVED_RATES_COLUMNS))


MISSING = [
    ("digits", "c0ffee", "missing-even", 0.3, 0, 0, "fou", 0.1, 0.0, float("nan"), 0.3),
    ("digits", "c0ffee", "missing-even", 0.3, 0, 0, "fac", 0.2, 0.0, float("nan"), 0.3),
    ("digits", "c0ffee", "missing-even", 0.3, 0, 1, "fou", 0.2, 0.0, float("nan"), 0.3),
    ("digits", "c0ffee", "missing-even", 0.3, 0, 1, "fac", 0.1, 0.0, float("nan"), 0.3),
]


def test_means_are_over_the_repeats() -> None:
    (row,) = achieved_table(rates(*MISSING)).to_dict("records")
    assert (row["missing fou"], row["missing fac"], row["incomplete"]) == pytest.approx((0.15, 0.15, 0.3))
    assert row["repeats"] == 2
    assert not any("SNR" in name or "changed" in name for name in row)


def test_what_changes_numbers_says_how_much() -> None:
    noisy = ("digits", "c0ffee", "gaussian", 10.0, 0, 0, "fou", 0.0, 1.0, 9.5, 0.0)
    table = achieved_table(rates(*MISSING, noisy)).set_index("corruption")
    assert (table.loc["gaussian", "SNR fou"], table.loc["gaussian", "changed rows fou"]) == (9.5, 1.0)
    assert pd.isna(table.loc["missing-even", "SNR fou"])


def test_nothing_is_written_of_data_as_they_are(tmp_path: Path) -> None:
    untouched = ("digits", "c0ffee", "none", 0.0, 0, 0, "fou", 0.0, 0.0, float("nan"), 0.0)
    assert write_achieved(rates(untouched), tmp_path) == []
    assert [path.name for path in write_achieved(rates(untouched, *MISSING), tmp_path)] == [
        "achieved-rates.md",
        "achieved-rates.csv",
    ]
    assert pd.read_csv(tmp_path / "achieved-rates.csv")["corruption"].tolist() == ["missing-even"]


def test_names_are_text_in_markdown_and_in_csv_and_no_path_is_shown(tmp_path: Path) -> None:
    hostile = ("=1+1", "c0ffee", "missing-even", 0.3, 0, 0, "<script>|", 0.1, 0.0, float("nan"), -0.3)
    written, table = write_achieved(rates(hostile), tmp_path)
    text = written.read_text("utf-8")
    assert r"missing \<script\>\|" in text
    assert "<script>" not in text
    row = pd.read_csv(table).to_dict("records")[0]
    assert (row["dataset"], row["incomplete"]) == ("'=1+1", -0.3)
    both = [("/home/me/x.mat", content, *hostile[2:]) for content in ("c0ffee1", "dec0de1")]
    assert achieved_table(rates(*both))["dataset"].tolist() == ["x.mat #c0ffee", "x.mat #dec0de"]
