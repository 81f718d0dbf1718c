"""The measured number, the rule and the ranking."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from mvarena.errors import InvalidData
from mvarena.papers.compare import Cell, compare, lines
from mvarena.papers.measure import Measured, measure, of_newest_versions
from mvarena.papers.selector import Selector

CONCAT = Selector(algo="concat", data="toy")


def test_the_mean_over_repeats_with_its_interval(evidence_of):
    found = evidence_of(*({"repeat": i, "acc": v} for i, v in enumerate((0.5, 0.6, 0.7))))
    one = measure(found, CONCAT, ["acc"], "acc")["acc"]
    assert (one.mean, one.std, one.n, one.of) == (pytest.approx(60.0), pytest.approx(10.0), 3, "repeats")
    low, high = stats.t.interval(0.95, 2, loc=60.0, scale=10.0 / np.sqrt(3))
    assert (one.mean - one.half_width, one.mean + one.half_width) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("restarts", "expected"),
    [([0.5, 0.7], (60.0, 10.0 * np.sqrt(2), 2, "k-means runs")), ([0.6], (60.0, None, 1, "repeats"))],
)
def test_a_single_repeat_has_the_spread_of_its_restarts_and_a_single_value_none(evidence_of, restarts, expected):
    one = measure(evidence_of({"acc": restarts}), CONCAT, ["acc"], "acc")["acc"]
    assert (one.mean, one.std, one.n, one.of) == pytest.approx(expected)
    assert (one.half_width is None) == (len(restarts) == 1)


def test_results_of_older_versions_of_a_method_do_not_enter():
    stored = pd.DataFrame({"algorithm": ["cgc", "cgc", "cgc", "mic"], "algorithm_version": ["2", "10", "9", "1"]})
    assert of_newest_versions(stored).index.tolist() == [1, 3]


def test_without_a_rate_the_score_is_averaged_over_all_rates(evidence_of):
    rows = [{"rate": rate, "repeat": repeat, "acc": rate + repeat / 10} for rate in (0.1, 0.3) for repeat in (0, 1)]
    one = measure(evidence_of(*rows), CONCAT, ["acc"], "acc")["acc"]
    assert (one.mean, one.std) == (pytest.approx(25.0), pytest.approx(10.0 / np.sqrt(2)))
    assert measure(evidence_of(*rows[:3]), CONCAT, ["acc"], "acc") == {}, "a mask lacks a rate"


def test_labels_pick_the_best_and_the_mean_of_all_stands_beside(evidence_of):
    found = evidence_of(
        *({"algorithm": "bsv-kmeans", "params": {"view": v}, "acc": a} for v, a in (("fou", 0.5), ("fac", 0.7)))
    )
    one = measure(found, Selector(algo="bsv-kmeans", pick="labels"), ["acc"], "acc")["acc"]
    assert (one.mean, one.label_free, one.choice) == (pytest.approx(70.0), pytest.approx(60.0), "view = fac")


def test_labels_pick_only_where_that_is_said(evidence_of):
    found = evidence_of(*({"algorithm": "bsv-kmeans", "params": {"view": v}, "acc": 0.5} for v in ("fou", "fac")))
    with pytest.raises(InvalidData, match="2 results match one number"):
        measure(found, Selector(algo="bsv-kmeans"), ["acc"], "acc")


@pytest.mark.parametrize(
    ("printed", "repeats", "good"),
    [
        ("63.0", None, True),
        ("57.0", None, True),
        ("63.1", None, False),
        ("64.0 ± 2.0", None, False),  # a deviation over who knows how many says nothing of the mean
        ("64.0 ± 2.0", 1, True),
        ("64.0 ± 2.0", 2, False),
        ("64.0 ± 4.0", 4, True),
        ("64.1 ± 4.0", 4, False),
        ("65.0 ± 10.0", 4, True),
        ("65.1 ± 10.0", 4, False),  # never more than 5 points
        ("45.0 ± 10.0", 1, False),
        ("50.0 ± 1.0", 20, False),
    ],
)
def test_three_points_or_not_told_apart_and_never_more_than_five(evidence_of, table_of, printed, repeats, good):
    found = evidence_of({"acc": 0.6})
    (cell,) = compare(table_of({"Concat": (printed, "concat")}, repeats=repeats), found).compared
    assert cell.reproduced is good


@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=6), st.floats(0.0, 100.0))
def test_the_standard_error_of_ours_counts_too(values, paper):
    error = float(np.std(values, ddof=1) * 100 / np.sqrt(len(values)))
    one = Measured(100 * float(np.mean(values)), None, error, None, len(values), "repeats")
    cell = Cell(None, None, None, "acc", None, paper, None, None, one)
    assert cell.reproduced == (abs(one.mean - paper) <= min(5.0, max(3.0, 2 * error)) + 1e-9)


def test_a_metric_that_is_not_judged_is_compared_all_the_same(evidence_of, table_of):
    found = evidence_of({"acc": 0.6})
    result = compare(table_of({"A": ("61.0", "concat"), "B": ("62.0", "concat")}, unjudged=["acc"]), found)
    assert [cell.reproduced for cell in result.compared] == [None, None]
    assert [cell.difference for cell in result.compared] == [pytest.approx(-1.0), pytest.approx(-2.0)]
    assert (result.judged, result.rankings) == ((), ())


def test_numbers_are_counted_by_how_far_they_are_from_the_paper(evidence_of, table_of):
    rows = {"A": "61.0", "B": "61.1", "C": "57.0", "D": "50.0", "E": "70.1", "F": "49.9"}
    found = evidence_of({"acc": 0.6})
    result = compare(table_of({name: (printed, "concat") for name, printed in rows.items()}), found)
    assert result.counts == {"numbers": 6, "reproduced": 3, "within 1": 1, "within 3": 3, "beyond 10": 2}


def test_what_is_not_stored_is_missing_and_not_judged(evidence_of, table_of):
    found = evidence_of({"acc": 0.6})
    result = compare(table_of({"Concat": ("60.0", "concat"), "MIC": ("70.0", "mic")}), found)
    assert [cell.row.name for cell in result.missing] == ["MIC"]
    assert len(result.judged) == 1
    (cell,) = compare(table_of({"Concat": ("0.587", "concat")}, scale="share"), found).compared
    assert cell.difference == pytest.approx(1.3), "shares are compared in percent"


def test_the_ranking_by_tau_and_the_winner(evidence_of, table_of):
    scores = {"concat": 0.5, "sc-concat": 0.6, "kernel-addition": 0.7}
    found = evidence_of(*({"algorithm": name, "acc": acc} for name, acc in scores.items()))
    same = compare(
        table_of({"A": ("10.0", "concat"), "B": ("20.0", "sc-concat"), "C": ("30.0", "kernel-addition")}), found
    )
    assert [(one.tau, one.wins) for one in same.rankings] == [(pytest.approx(1.0), True)]
    turned = compare(
        table_of({"A": ("30.0", "concat"), "B": ("20.0", "sc-concat"), "C": ("10.0", "kernel-addition")}), found
    )
    assert [(one.tau, one.winners, one.winners_here) for one in turned.rankings] == [
        (pytest.approx(-1.0), ("A",), ("C",))
    ]
    level = compare(table_of({"A": ("10.0", "concat"), "B": ("10.0", "sc-concat")}), found)
    assert [(one.winners, one.winners_here, one.wins) for one in level.rankings] == [(("A", "B"), ("B",), True)]


def test_a_difference_stands_only_where_its_line_is_compared(evidence_of, table_of):
    made = [{"label": "first", "algo": "concat", "columns": ["one"]}, {"label": "second", "algo": "sc-concat"}]
    row = {"name": "Concat", "printed": {"one": "60.0", "two": "60.0"}, "made": made}
    table = table_of({}, column=[{"name": name, "data": name} for name in ("one", "two")], row=[row])
    found = evidence_of(
        {"dataset": "one", "acc": 0.61},
        {"algorithm": "sc-concat", "dataset": "one", "acc": 0.7},
        {"algorithm": "sc-concat", "dataset": "two", "acc": 0.8},
    )
    assert [(line.head, line.cells) for line in lines(compare(table, found))] == [
        ("Concat, paper", ("60.0", "60.0")),
        ("first", ("61.0", "")),
        ("difference", ("+1.0 ✓", "")),
        ("second", ("70.0 ▲", "80.0")),
        ("difference", ("", "+20.0 ▲")),
    ]
