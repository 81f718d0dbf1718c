"""Findings on the quality of results, each with a severity."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mvarena.report.data import ReportData
from mvarena.report.index import write_index
from mvarena.store.cards import Cards

CARDS = Cards({}, {})
CLASSES = {"one": np.repeat([0, 1], [6, 4]), "two": np.repeat([0, 1], 5)}


def results_of(long_frame: Any, **more: Any) -> ReportData:
    return ReportData.of_scores(long_frame.frame(), cards=CARDS, metrics=["acc"], **{"classes": CLASSES} | more)


def scored(long_frame: Any, dataset: str, values: dict[str, float | None], **columns: Any) -> None:
    for method, value in values.items():
        where = {"dataset": dataset, "content": dataset, "corpus": dataset, "prepare": "", **columns}
        for repeat in range(3):
            if value is None:
                long_frame.trial(method, status="FAILED", repeat=repeat, **where)
            else:
                long_frame.trial(method, {"acc": [value]}, repeat=repeat, **where)


def texts(results: ReportData) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for finding in results.findings():
        found.setdefault(finding.severity, []).append(finding.text)
    return found


def test_good_results_have_no_finding(long_frame: Any) -> None:
    scored(long_frame, "one", {"apmc": 0.9, "concat": 0.8})
    scored(long_frame, "two", {"apmc": 0.9, "concat": 0.8})
    assert results_of(long_frame).findings() == []


def test_data_that_separate_nobody_are_an_error(long_frame: Any) -> None:
    scored(long_frame, "one", {"apmc": 0.6, "concat": 0.55})
    scored(long_frame, "two", {"apmc": 0.9, "concat": 0.8})
    assert texts(results_of(long_frame)) == {
        "error": ["No method is above the better baseline under every condition of one."]
    }


def test_missing_numbers_are_a_warning_and_failures_a_note(long_frame: Any) -> None:
    scored(long_frame, "one", {"apmc": 0.9, "concat": None, "mic": 0.9})
    scored(long_frame, "two", {"apmc": 0.9, "concat": 0.8, "mic": 0.9})
    found = texts(results_of(long_frame))
    assert found["warning"] == ["No result under at least a fifth of the conditions: concat."]
    assert found["note"] == ["3 trials failed, of concat."]


@pytest.mark.parametrize("beyond", [False, True])
def test_a_fifth_is_many_missing_and_less_than_a_tenth_few_above_and_half_a_rule(
    new_long_frame: Any, beyond: bool
) -> None:
    """One of nine conditions, or two; one of ten methods, or of eleven; one of four collapses, or two."""
    gaps, few, collapses = new_long_frame(), new_long_frame(), new_long_frame()
    for number in range(9):
        scored(gaps, f"d{number}", {"apmc": 0.9, "concat": None if number <= beyond else 0.8})
    others = [f"m{number}" for number in range(9 + beyond)]
    for dataset, score in (("one", 0.5), ("two", 0.8)):
        scored(few, dataset, {"best": 0.9} | dict.fromkeys(others, score))
    for number in range(4):
        scored(collapses, f"d{number}", {"apmc": 0.9}, n_labels=1 if number <= beyond else 4)
    assert ("warning" in texts(results_of(gaps, classes={}))) == beyond
    assert ("warning" in texts(results_of(few))) == beyond
    found = texts(results_of(collapses, asked={f"d{number}": 4 for number in range(4)}))
    (severity,) = (key for key, said in found.items() if any("Fewer than half of the clusters" in one for one in said))
    assert severity == ("error" if beyond else "note")


def test_errors_stand_on_the_page(long_frame: Any, tmp_path: Any) -> None:
    scored(long_frame, "one", {"apmc": 0.6, "concat": 0.55})
    page, _ = write_index(results_of(long_frame), tmp_path, formats=("png",))
    assert "- error: No method is above the better baseline under every condition of one." in page.read_text("utf-8")
