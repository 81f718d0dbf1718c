"""Standings: each data set weighs one, who did not finish is last, and what cannot be compared is left out and said."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from mvarena.analysis.claims import claim
from mvarena.analysis.standings import Standings, standings
from mvarena.analysis.summary import summarize
from mvarena.errors import InvalidData, InvalidSetting

UP = {"acc": True, "error": False}


def table_of(frame: Any, metric: str = "acc", **options: Any) -> Standings:
    summary = summarize(frame.frame(), directions=UP)
    return standings(summary, metric, higher_is_better=UP[metric], **options)


def filled(long_frame: Any, scores: dict[str, dict[str, float]], **columns: Any) -> Any:
    for dataset, by_algorithm in scores.items():
        for algorithm, value in by_algorithm.items():
            long_frame.trial(algorithm, {"acc": [value]}, dataset=dataset, content=dataset, **columns)
    return long_frame


def test_each_data_set_weighs_one_however_many_conditions_it_has(long_frame) -> None:
    filled(long_frame, {"x": {"a": 0.9, "b": 0.5}}, rate=0.1)
    for rate in (0.1, 0.3, 0.5):
        filled(long_frame, {"y": {"a": 0.2, "b": 0.4}}, rate=rate)
    table = table_of(long_frame)
    assert table.mean_ranks.to_dict() == {"a": 1.5, "b": 1.5}
    assert table.n_conditions == {"x": 1, "y": 3}
    assert table.gains("a", "b") == pytest.approx([0.4, -0.2])


def test_repeats_are_averaged_before_they_are_ranked(long_frame) -> None:
    for repeat, value in enumerate((0.1, 0.9)):
        long_frame.trial("a", {"acc": [value]}, repeat=repeat)
        long_frame.trial("b", {"acc": [0.45]}, repeat=repeat)
    assert table_of(long_frame).contestants == ("a", "b")


def test_lower_is_better(long_frame) -> None:
    long_frame.trial("a", {"error": [0.4]})
    long_frame.trial("b", {"error": [0.1]})
    table = table_of(long_frame, "error")
    assert table.contestants == ("b", "a")
    assert table.gains("b", "a") == pytest.approx([0.3])


@pytest.mark.parametrize("status", ["FAILED", "TIMEOUT", "SKIPPED", "CRASHED"])
def test_who_does_not_finish_once_is_last_there(long_frame, status) -> None:
    filled(long_frame, {"x": {"a": 0.9, "b": 0.5, "c": 0.6}, "y": {"a": 0.9, "b": 0.5, "c": 0.6}})
    long_frame.trial("a", None, dataset="x", content="x", repeat=1, status=status)
    table = table_of(long_frame)
    assert table.ranks["a"].to_dict() == {"x": 3.0, "y": 1.0}
    assert table.unfinished == {"a": 1, "b": 0, "c": 0}
    assert table.values.loc["x", "a"] == 0.5  # the worst of those who finished
    kept = table_of(long_frame, unfinished="left-out")
    assert kept.ranks["a"].to_dict() == {"x": 1.0, "y": 1.0}


def test_who_never_finishes_is_last_everywhere_and_left_out_on_request(long_frame) -> None:
    filled(long_frame, {"x": {"a": 0.9, "b": 0.5}, "y": {"a": 0.9, "b": 0.5}})
    for dataset in "xy":
        long_frame.trial("c", None, dataset=dataset, content=dataset, status="TIMEOUT")
    assert table_of(long_frame).mean_ranks.to_dict() == {"a": 1.0, "b": 2.0, "c": 3.0}
    kept = table_of(long_frame, unfinished="left-out")
    assert set(kept.contestants) == {"a", "b"}
    assert any(sentence.startswith("c is left out") for sentence in kept.left_out)


def test_conditions_that_one_was_not_run_under_are_left_out_and_said(long_frame) -> None:
    filled(long_frame, {"x": {"a": 0.9, "b": 0.5, "c": 0.4}, "y": {"a": 0.9, "b": 0.5, "c": 0.4}, "z": {"a": 0.1}})
    table = table_of(long_frame)
    assert list(table.ranks.index) == ["x", "y"]
    assert table.left_out == ("z with missing-even at 0.3 is left out: acc is not known there for 2 of 3 contestants.",)


def test_a_newcomer_with_one_data_set_does_not_cost_the_others_theirs(long_frame) -> None:
    filled(long_frame, {name: {"a": 0.9, "b": 0.5} for name in "uvwxyz"})
    filled(long_frame, {"u": {"new": 0.99}})
    table = table_of(long_frame)
    assert table.n_datasets == 6
    assert any(sentence.startswith("new is left out: without a known acc under 5 of 6") for sentence in table.left_out)


def test_two_contestants_are_compared_where_both_were_run(long_frame) -> None:
    filled(long_frame, {"x": {"a": 0.9, "b": 0.5}, "y": {"a": 0.9}, "z": {"a": 0.9}, "u": {"a": 0.9}})
    assert table_of(long_frame).n_datasets == 1


def test_a_metric_that_was_not_computed_for_some_names_the_command(long_frame) -> None:
    for dataset in "xy":
        for name in "ab":
            long_frame.trial(name, {"acc": [0.5], "error": [0.1]}, dataset=dataset, content=dataset)
        long_frame.trial("c", {"acc": [0.5]}, dataset=dataset, content=dataset)
    table = table_of(long_frame, "error")
    assert set(table.contestants) == {"a", "b"}
    assert "'mvarena score' adds error" in table.left_out[0]


def test_two_contents_of_one_name_are_two_data_sets(long_frame) -> None:
    for content in ("aaaaaaaa", "bbbbbbbb"):
        for name, value in (("a", 0.9), ("b", 0.1)):
            long_frame.trial(name, {"acc": [value]}, dataset="data.mat", content=content)
    assert table_of(long_frame).n_datasets == 2


def test_ties_share_ranks_and_a_single_pair_can_be_judged(long_frame) -> None:
    filled(long_frame, {"x": {"a": 0.5, "b": 0.5}})
    table = table_of(long_frame)
    assert table.mean_ranks.to_dict() == {"a": 1.5, "b": 1.5}
    assert "can be claimed, whatever the results" in claim(table)


def test_nan_scores_are_unfinished(long_frame) -> None:
    filled(long_frame, {"x": {"a": 0.9, "b": 0.5}})
    long_frame.trial("a", {"acc": [float("nan")]}, dataset="x", content="x", repeat=1)
    assert table_of(long_frame).contestants == ("b", "a")


def test_label_picked_contestants_are_known(long_frame) -> None:
    for view, value in (("one", 0.9), ("two", 0.2)):
        long_frame.trial("bsv", {"acc": [value]}, params={"view": view}, picks_by_labels="view")
    long_frame.trial("a", {"acc": [0.5]})
    assert table_of(long_frame).by_labels == {"bsv"}


@pytest.mark.parametrize("alone", [{"x": {"a": 0.5}}, {"x": {"a": 0.5}, "y": {"b": 0.5}}, {}])
def test_nothing_to_compare_is_a_sentence(long_frame, alone) -> None:
    filled(long_frame, alone)
    summary = summarize(long_frame.frame(), directions=UP)
    with pytest.raises(InvalidData, match="takes two contestants"):
        standings(summary, "acc")


def test_all_failed_is_a_sentence(long_frame) -> None:
    for name in "ab":
        long_frame.trial(name, None, status="FAILED")
    with pytest.raises(InvalidData, match="nothing can be compared by acc"):
        table_of(long_frame)


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="last or left-out"):
        standings(pd.DataFrame(), "acc", unfinished="first")
