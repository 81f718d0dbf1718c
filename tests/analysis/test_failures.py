"""Failures are counted and quoted, never dropped."""

from __future__ import annotations

import pandas as pd

from mvarena.analysis.summary import failure_counts


def counts(*endings: tuple[str, str]) -> dict[str, object]:
    trials = pd.DataFrame([{"name": "apmc", "rate": 0.1, "status": s, "reason": r} for s, r in endings])
    (row,) = failure_counts(trials, ["name", "rate"]).to_dict("records")
    return row


def test_nothing_to_report() -> None:
    row = counts(("DONE", ""), ("DONE", ""))
    assert (row["failed"], row["skipped"], row["status"], row["reason"]) == (0, 0, "", "")


def test_skips_are_no_failures() -> None:
    row = counts(("SKIPPED", "three views"), ("TIMEOUT", "600 s"), ("TIMEOUT", "600 s"), ("DONE", ""))
    assert (row["failed"], row["skipped"], row["status"]) == (2, 1, "TIMEOUT")
    assert row["reason"] == "2 x TIMEOUT: 600 s; 1 x SKIPPED: three views"


def test_many_reasons_are_cut_with_a_count() -> None:
    row = counts(*(("FAILED", f"cause {i}") for i in range(5)))
    assert row["reason"] == "1 x FAILED: cause 0; 1 x FAILED: cause 1; 1 x FAILED: cause 2; and 2 more"


def test_a_failure_without_words_is_still_named() -> None:
    assert counts(("CRASHED", ""))["reason"] == "1 x CRASHED"
