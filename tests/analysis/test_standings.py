"""Standings: each data set weighs one, who did not finish is last, and what cannot be compared is left out and said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mvarena.analysis.significance import compared_pairs
from mvarena.analysis.standings import Standings, standings, tied_ranks
from mvarena.analysis.summary import summarize
from mvarena.analysis.trial_values import reported_trials
from mvarena.errors import InvalidData

UP = {"acc": True, "error": False}


def table_of(frame: Any, metric: str = "acc") -> Standings:
    summary = summarize(reported_trials(frame.frame()))
    return standings(summary, metric, higher_is_better=UP[metric])


def gains_between(table: Standings, first: str, second: str) -> list[float]:
    """Of `first` over `second`, on the corpora with a condition that both finished."""
    return table.gains_over(first)[second].dropna().tolist()


def filled(long_frame: Any, scores: dict[str, dict[str, float]], **columns: Any) -> Any:
    for dataset, by_algorithm in scores.items():
        for algorithm, value in by_algorithm.items():
            long_frame.trial(algorithm, {"acc": [value]}, dataset=dataset, content=dataset, **columns)
    return long_frame


def test_equal_methods_share_a_place(long_frame) -> None:
    same = {"b": 0.5, "c": 0.5, "d": 0.1, "a": 0.9}
    table = table_of(filled(long_frame, {"x": same, "y": same, "z": {**same, "c": 0.5 + 1e-15}}))
    assert table.places.to_dict() == {"a": 1, "b": 2, "c": 2, "d": 4}


def test_lower_is_better(long_frame) -> None:
    long_frame.trial("a", {"error": [0.4]})
    long_frame.trial("b", {"error": [0.1]})
    table = table_of(long_frame, "error")
    assert table.contestants == ("b", "a")
    assert gains_between(table, "b", "a") == pytest.approx([0.3])


@pytest.mark.parametrize("status", ["FAILED", "SKIPPED", "DONE"])
def test_who_does_not_finish_once_or_has_nan_is_last_there(long_frame, status) -> None:
    filled(long_frame, {"x": {"a": 0.9, "b": 0.5, "c": 0.6}, "y": {"a": 0.9, "b": 0.5, "c": 0.6}})
    scores = {"acc": [float("nan")]} if status == "DONE" else None
    long_frame.trial("a", scores, dataset="x", content="x", repeat=1, status=status)
    for other, value in (("b", 0.5), ("c", 0.6)):
        long_frame.trial(other, {"acc": [value]}, dataset="x", content="x", repeat=1)
    table = table_of(long_frame)
    assert table.ranks["a"].to_dict() == {"x": 3.0, "y": 1.0}
    assert table.finished == {"a": 1, "b": 2, "c": 2}
    assert np.isnan(table.cells["a"].xs("x").iloc[0])  # no score stands in for what did not finish
    assert gains_between(table, "a", "b") == pytest.approx([0.4])  # on the corpus that both finished
    assert np.isnan(table.means["a"])


def test_who_never_finishes_is_last_everywhere_and_compared_with_nobody(long_frame) -> None:
    filled(long_frame, {"x": {"a": 0.9, "b": 0.5}, "y": {"a": 0.9, "b": 0.5}})
    for dataset in "xy":
        long_frame.trial("c", None, dataset=dataset, content=dataset, status="TIMEOUT")
    table = table_of(long_frame)
    assert table.mean_ranks.to_dict() == {"a": 1.0, "b": 2.0, "c": 3.0}
    assert len(gains_between(table, "a", "c")) == 0
    pairs = compared_pairs(table).set_index(["first", "second"])
    assert np.isnan(pairs.loc[("a", "c"), "gain"])
    assert pairs.loc[("a", "c"), "p"] == 1
    assert table.distances.loc["c", "shared"] == 0
    assert np.isnan(table.distances.loc["c", "gap"])


def test_the_distance_to_the_first_is_over_what_both_finished(long_frame) -> None:
    filled(long_frame, {"x": {"a": 0.9, "b": 0.8}, "y": {"a": 0.5, "b": 0.2}, "z": {"a": 0.6}})
    long_frame.trial("b", None, dataset="z", content="z", status="TIMEOUT")
    table = table_of(long_frame)
    assert table.contestants[0] == "a"
    assert table.distances.loc["b"].tolist() == pytest.approx([0.2, 2])  # .1 and .3, and nothing of z
    assert table.distances.loc["a", "gap"] == 0


def test_comparisons_are_of_means_over_the_repeats_that_all_have(long_frame) -> None:
    for name, values in {"a": (0.5, 0.6, 0.9), "b": (0.6, 0.7)}.items():
        for repeat, value in enumerate(values):
            long_frame.trial(name, {"acc": [value]}, repeat=repeat)
    summary = summarize(reported_trials(long_frame.frame()))
    assert summary.set_index("contestant")["mean"].to_dict() == pytest.approx({"a": 2.0 / 3, "b": 0.65})
    table = table_of(long_frame)
    assert table.contestants == ("b", "a")  # by the mean over repeats 0 and 1, which both have
    assert gains_between(table, "b", "a") == pytest.approx([0.1])


@pytest.mark.parametrize("column", ["repeat", "seed"])
def test_contestants_without_a_common_repeat_cannot_be_compared(long_frame, column) -> None:
    long_frame.trial("a", {"acc": [0.5]}, **{column: 0})
    long_frame.trial("b", {"acc": [0.6]}, **{column: 1})
    with pytest.raises(InvalidData, match="in the same repeats"):
        table_of(long_frame)


def test_scores_that_differ_by_rounding_alone_are_ties(long_frame) -> None:
    filled(long_frame, {"x": {"a": 0.3, "b": 0.1 + 0.2, "c": 0.1}, "y": {"a": 0.3, "b": 0.3, "c": 0.1}})
    assert table_of(long_frame).mean_ranks.to_dict() == {"a": 1.5, "b": 1.5, "c": 3.0}
    assert tied_ranks(np.array([[1.0, np.inf, np.inf, 1.0 + 1e-13, 0.5]])).tolist() == [[2.5, 4.5, 4.5, 2.5, 1.0]]


def test_conditions_that_one_was_not_run_under_are_left_out_and_said(long_frame) -> None:
    filled(long_frame, {"x": {"a": 0.9, "b": 0.5, "c": 0.4}, "y": {"a": 0.9, "b": 0.5, "c": 0.4}, "z": {"a": 0.1}})
    table = table_of(long_frame)
    assert list(table.ranks.index) == ["x", "y"]
    assert table.left_out == ("z with missing-even at 0.3 is left out: acc is not known for 2 of 3 contestants.",)


def test_a_newcomer_with_one_data_set_does_not_cost_the_others_theirs(long_frame) -> None:
    filled(long_frame, {name: {"a": 0.9, "b": 0.5} for name in "uvwxyz"} | {"u": {"a": 0.9, "b": 0.5, "new": 0.99}})
    table = table_of(long_frame)
    assert table.n_datasets == 6
    assert any(sentence.startswith("new is left out: acc is not known under 5 of 6") for sentence in table.left_out)


def test_a_metric_that_was_not_computed_for_some_names_the_command(long_frame) -> None:
    for dataset in "xy":
        for name in "ab":
            long_frame.trial(name, {"acc": [0.5], "error": [0.1]}, dataset=dataset, content=dataset)
        long_frame.trial("c", {"acc": [0.5]}, dataset=dataset, content=dataset)
    table = table_of(long_frame, "error")
    assert set(table.contestants) == {"a", "b"}
    assert "'mvarena score' adds error" in table.left_out[0]


@pytest.mark.parametrize("alone", [{"x": {"a": 0.5}}, {"x": {"a": 0.5}, "y": {"b": 0.5}}])
def test_nothing_to_compare_is_a_sentence(long_frame, new_long_frame, alone) -> None:
    filled(long_frame, alone)
    summary = summarize(reported_trials(long_frame.frame()))
    for metric in ("acc", "stored by nobody"):
        with pytest.raises(InvalidData, match="needs two methods"):
            standings(summary, metric)
    failed = new_long_frame().trial("a", None, status="FAILED").trial("b", None, status="FAILED")
    with pytest.raises(InvalidData, match="nothing can be compared by acc"):
        table_of(failed)


def corpora_of(long_frame: Any, corpus_of: dict[str, str], scores: dict[str, dict[str, float]]) -> Standings:
    for dataset, by_algorithm in scores.items():
        for algorithm, value in by_algorithm.items():
            long_frame.trial(algorithm, {"acc": [value]}, dataset=dataset, content=dataset, corpus=corpus_of[dataset])
    return table_of(long_frame)


def test_each_corpus_weighs_one_however_many_data_sets_it_has(long_frame) -> None:
    corpus_of = {"x": "one", "y1": "other", "y2": "other", "y3": "other"}
    scores = {"x": {"a": 0.9, "b": 0.5}} | {f"y{part}": {"a": 0.2, "b": 0.4} for part in (1, 2, 3)}
    table = corpora_of(long_frame, corpus_of, scores)
    assert table.mean_ranks.to_dict() == {"a": 1.5, "b": 1.5}
    assert gains_between(table, "a", "b") == pytest.approx([0.4, -0.2])
    assert (table.n_corpora, table.n_datasets) == (2, 4)
    assert table.over == "2 corpora (4 data sets)"
    assert table.corpus_of == corpus_of


def test_within_a_corpus_each_data_set_weighs_one_however_many_conditions_it_has(long_frame) -> None:
    for rate in (0.1, 0.3, 0.5):
        filled(long_frame, {"x": {"a": 0.9, "b": 0.5}}, rate=rate, corpus="one")
    filled(long_frame, {"y": {"a": 0.2, "b": 0.4}}, rate=0.1, corpus="one")
    table = table_of(long_frame)
    assert gains_between(table, "a", "b") == pytest.approx([0.1])  # of .4 and -.2
    assert table.means.to_dict() == pytest.approx({"a": 0.55, "b": 0.45})
    assert table.mean_ranks.to_dict() == {"a": 1.5, "b": 1.5}
