"""Findings on the quality of results, each with a severity."""

from __future__ import annotations

from typing import Any

import pytest

from mvarena.report.data import ReportData
from mvarena.report.index import write_index
from mvarena.store.cards import Cards

CARDS = Cards({}, {})
CLASSES = {"one": [0] * 6 + [1] * 4, "two": [0] * 5 + [1] * 5}


def results_of(long_frame: Any, **more: Any) -> ReportData:
    return ReportData.of_scores(long_frame.frame(), cards=CARDS, metrics=["acc"], classes=classes(), **more)


def classes() -> dict[str, Any]:
    import numpy as np

    return {name: np.array(values) for name, values in CLASSES.items()}


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


@pytest.mark.parametrize(("gaps", "is_said"), [(1, False), (2, True)])
def test_a_fifth_of_the_conditions_is_many(long_frame: Any, gaps: int, is_said: bool) -> None:
    """Of nine conditions one is a ninth; two are more than a fifth."""
    for number in range(9):
        scored(long_frame, f"d{number}", {"apmc": 0.9, "concat": None if number < gaps else 0.8})
    found = texts(ReportData.of_scores(long_frame.frame(), cards=CARDS, metrics=["acc"]))
    assert ("warning" in found) == is_said


@pytest.mark.parametrize(("n_methods", "is_said"), [(10, False), (11, True)])
def test_fewer_than_a_tenth_above_the_baseline_is_few(long_frame: Any, n_methods: int, is_said: bool) -> None:
    """One of ten methods is a tenth; one of eleven is less."""
    scored(long_frame, "one", {"best": 0.9} | {f"m{number}": 0.5 for number in range(n_methods - 1)})
    scored(long_frame, "two", {"best": 0.9} | {f"m{number}": 0.8 for number in range(n_methods - 1)})
    found = texts(results_of(long_frame))
    assert ("warning" in found) == is_said


def test_collapse_is_an_error_where_it_is_the_rule(long_frame: Any) -> None:
    scored(long_frame, "two", {"apmc": 0.9, "concat": 0.8}, n_labels=2)
    scored(long_frame, "two", {"mic": 0.9}, n_labels=1)
    found = texts(results_of(long_frame, asked={"two": 4}))
    alone = "Fewer than half of the clusters asked for, in half of the trials or more: mic."
    assert found == {"error": [alone]}, "two of two classes is no collapse, and one is"
    frame = long_frame.frame().assign(n_labels=lambda rows: rows["n_labels"].where(rows["algorithm"] == "apmc", 0))
    found = texts(ReportData.of_scores(frame, cards=CARDS, metrics=["acc"], classes=classes()))
    assert found["error"] == [
        "Fewer than half of the clusters asked for, in half of the trials or more: concat and mic."
    ]


@pytest.mark.parametrize(("collapses", "severity"), [(1, "note"), (2, "error")])
def test_half_of_the_trials_is_the_rule(long_frame: Any, collapses: int, severity: str) -> None:
    for number in range(4):
        scored(long_frame, f"d{number}", {"apmc": 0.9}, n_labels=1 if number < collapses else 4)
    found = texts(results_of(long_frame, asked={f"d{number}": 4 for number in range(4)}))
    assert [key for key, said in found.items() if any("Fewer than half of the clusters" in text for text in said)] == [
        severity
    ]


def test_errors_stand_on_the_page(long_frame: Any, tmp_path: Any) -> None:
    scored(long_frame, "one", {"apmc": 0.6, "concat": 0.55})
    page, _ = write_index(results_of(long_frame), tmp_path, formats=("png",))
    assert "- error: No method is above the better baseline under every condition of one." in page.read_text("utf-8")
