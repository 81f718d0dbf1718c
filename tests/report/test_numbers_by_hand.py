"""Numbers of tables and figures of a few invented trials, where the right ones and plausible wrong ones differ."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from test_kinds import fits, picks

from mvarena.report.data import ReportData
from mvarena.report.figures import convergence, pareto, scaling, survival
from mvarena.report.figures.rate import curves
from mvarena.report.formatting import MOST, muted_names
from mvarena.report.tables import costs, quality
from mvarena.report.tables.regret import regret_tables
from mvarena.report.trial_data import Followed


def cells(table: Any, name: str) -> dict[str, Any]:
    row = next(row for row in table.rows if row.name == name)
    return {column.head: cell for column, cell in zip(table.columns, row.cells, strict=True)}


def test_seconds_and_memory_by_size_are_geometric_means_above_what_the_process_held(results_of, long_frame) -> None:
    sizes = (100, 200, 400)
    for n in sizes:
        for factor, peak in ((1, 110.0), (4, 190.0)):
            at = {"dataset": f"d{n}", "content": f"d{n}", "corpus": "d", "repeat": factor}
            long_frame.trial("apmc", {"acc": [0.5]}, wall_s=factor * n / 100, peak_rss_mb=peak, **at)
    frame = long_frame.frame()
    known = fits(frame, n_samples=np.repeat(sizes, 2), started_mb=[100.0] * 6)
    points = scaling.points(results_of(long_frame, fits=known)).set_index(["quantity", "n_samples"])
    assert points.loc["wall_s", "value"].tolist() == pytest.approx([2.0, 4.0, 8.0])
    assert points.loc["wall_s", "slope"].tolist() == pytest.approx([1.0] * 3)
    assert points.loc["peak_rss_mb", "value"].tolist() == pytest.approx([30.0] * 3)  # of 10 and 90


def test_objectives_are_of_the_first_repeat_and_count_from_the_start_where_it_is_known(results_of, long_frame) -> None:
    for repeat in (1, 0):
        long_frame.trial("mic", {"acc": [0.5]}, repeat=repeat)
    long_frame.trial("apmc", {"acc": [0.5]})
    courses = {("mic", 1): (9.0, 8.0, 7.0), ("mic", 0): (3.0, 2.0, 1.0), ("apmc", 0): (5.0, 4.0)}
    trials = long_frame.frame().drop_duplicates("key")
    known = [courses[one] for one in zip(trials["algorithm"], trials["repeat"], strict=True)]
    points = convergence.points(results_of(long_frame, fits=fits(trials, objective=known, n_iter=[2, 2, 2])))
    drawn = {name: list(zip(part["iteration"], part["objective"], strict=True))
             for name, part in points.groupby("contestant")}  # fmt: skip
    assert drawn == {"mic": [(0, 3.0), (1, 2.0), (2, 1.0)], "apmc": [(1, 5.0), (2, 4.0)]}


def test_costs_are_those_of_finished_trials(results_of, long_frame) -> None:
    for repeat, (seconds, peak) in enumerate(((1.0, 100.0), (3.0, 150.0))):
        long_frame.trial("apmc", {"acc": [0.5]}, repeat=repeat, wall_s=seconds, peak_rss_mb=peak)
    long_frame.trial("apmc", repeat=2, status="TIMEOUT", wall_s=600.0, peak_rss_mb=900.0)
    (table,) = costs.tables(results_of(long_frame, metrics=["acc"]))
    seconds, peak = next(iter(table.rows)).cells
    assert (seconds.mean, seconds.std, seconds.share) == (2.0, pytest.approx(math.sqrt(2)), "2/3")
    assert peak.text == "150"


@pytest.fixture
def errors(results_of, long_frame) -> ReportData:
    """Two methods on two data sets by a metric of which less is better; c is in between on one of them."""
    for dataset, seconds in (("x", 1.0), ("y", 4.0)):
        for name, value in (("a", 0.3), ("b", 0.1), ("c", 0.2)):
            at = {"dataset": dataset, "content": dataset, "wall_s": seconds}
            if (name, dataset) == ("c", "y"):
                long_frame.trial(name, status="TIMEOUT", **at)
            else:
                long_frame.trial(name, {"error": [value]}, **at)
    return results_of(long_frame)


def test_time_is_a_geometric_mean_over_data_sets_and_a_score_keeps_its_direction(errors) -> None:
    points = pareto.points(errors).set_index("contestant")
    assert points["wall_s"].to_dict() == pytest.approx({"a": 2.0, "b": 2.0, "c": 1.0})
    unit = 100.0 if errors.context.in_percent("error") else 1.0
    assert (points["mean"] / unit).to_dict() == pytest.approx({"a": 0.3, "b": 0.1, "c": 0.2})
    assert points["on_front"].to_dict() == {"a": False, "b": True, "c": False}


def test_the_least_error_stands_first(errors, results_of, new_long_frame) -> None:
    (table,) = errors.result_tables
    assert [row.name for row in table.rows] == ["b", "c", "a"], "c and a share a rank"
    alone = new_long_frame()
    for name, value in (("a", 0.3), ("b", 0.1)):
        alone.trial(name, {"error": [value]})
    (table,) = results_of(alone).result_tables
    assert [row.name for row in table.rows] == ["b", "a"]


def test_the_share_of_missing_numbers_is_of_all_conditions(errors) -> None:
    of_methods = next(table for table in quality.tables(errors) if table.kind == "quality-methods")
    assert [cells(of_methods, name)["no result %"].text for name in "abc"] == ["0", "0", "50"]


def test_pickers_stand_by_their_regret(context) -> None:
    table, *_ = regret_tables(picks(("random", "x", 0.3), ("oracle", "x", 0.0), ("centrality", "x", 0.1)), context)
    assert [row.name for row in table.rows] == ["oracle", "centrality", "random"]


def test_curves_are_in_one_unit(results_of, long_frame) -> None:
    for repeat, value in enumerate((0.4, 0.6)):
        long_frame.trial("apmc", {"acc": [value]}, repeat=repeat)
    results = results_of(long_frame)
    (row,) = curves(results.summary, results.context).itertuples()
    spread = 100 * math.sqrt(0.02)
    assert (row.mean, row.std, row.low, row.high) == pytest.approx((50.0, spread, 50.0 - spread, 50.0 + spread))


def test_of_very_many_methods_those_of_least_error_stand_out(summary_of, long_frame) -> None:
    names = [f"m{number:02}" for number in range(MOST + 1)]
    for number, name in enumerate(names):
        long_frame.trial(name, {"error": [0.01 * number]})
    assert muted_names(summary_of(long_frame), (), {"error": False}) == set(names[8:])


def test_clusters_stand_by_their_mean_survival_up_to_the_time_that_all_are_followed_for(results_of, long_frame) -> None:
    """Of the first all die at 10; of the second half die at 1 and the others are followed to 100."""
    results = results_of(long_frame.trial("apmc", {"acc": [0.5]}), metrics=["acc"])
    time = np.array([10.0] * 4 + [1.0, 1.0, 100.0, 100.0])
    event = np.array([True] * 6 + [False] * 2)
    known = Followed("c0ffee00", np.repeat([0, 1], 4), time, event, 0.5, 0.5, "days")
    points = survival.points(results_of(long_frame, metrics=["acc"], followed={results.scores["key"].iloc[0]: known}))
    assert points["cluster"].drop_duplicates().tolist() == [1, 2]
