"""Failures are counted, and the most frequent reason is given."""

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
    assert row["reason"] == "600 s"


def test_the_most_frequent_reason_is_given_of_equally_frequent_ones_the_first_by_name() -> None:
    assert counts(("FAILED", "b"), ("FAILED", "c"), ("FAILED", "a"))["reason"] == "a"
    assert counts(("CRASHED", ""))["reason"] == ""


def test_the_reason_is_one_of_the_status_that_is_given() -> None:
    skips = [("SKIPPED", f"set {number}") for number in range(3)]
    row = counts(*skips, ("TIMEOUT", "600 s"), ("TIMEOUT", "600 s"))
    assert (row["status"], row["reason"]) == ("SKIPPED", "set 0")
