"""Scalings and fillings compared: over which conditions, of which methods, and what the figure and the table show."""

from __future__ import annotations

import pytest

from mvarena.analysis.conditions import one_preparation
from mvarena.report.figures.kinds import draw, figure_kinds
from mvarena.report.write import tables_of

KNN, MEAN, NONE = "scale-auto,fill-knn", "scale-auto,fill-mean", "fill-knn"
(KIND,) = figure_kinds(["preparations"])


@pytest.fixture
def builder(new_long_frame):
    """a and b under two fillings of auto and one of none on two data sets; c fills nothing; d has one filling."""
    builder = new_long_frame()
    for dataset in ("one", "two"):
        at = {"dataset": dataset, "content": dataset}
        for steps, score in ((KNN, 0.6), (MEAN, 0.4), (NONE, 0.3)):
            builder.trial("a", {"acc": [score]}, prepare=steps, **at)
            builder.trial("b", {"acc": [score - 0.1 - 0.1 * (dataset == "two")]}, prepare=steps, **at)
        builder.trial("c", {"acc": [0.7]}, prepare="scale-auto", **at)
        builder.trial("c", {"acc": [0.2]}, prepare="", **at)
    return builder


def shown(points) -> dict[tuple[str, str], str]:
    return dict(zip(zip(points["contestant"], points["title"], strict=True), points["shown"], strict=True))


def under_one(results_of, builder, **options):
    """Results that show one scaling and filling and hold all, as those of a database do."""
    frame = builder.frame()
    rows, preparation = one_preparation(frame)
    assert preparation.words.startswith("scaling auto, filling knn")
    results = results_of(builder, metrics=["acc"], stored=frame, **options)
    object.__setattr__(results, "scores", rows)
    return results


def test_each_method_under_each_scaling_and_filling(results_of, builder) -> None:
    points = KIND.points(under_one(results_of, builder))
    assert list(dict.fromkeys(points["title"])) == ["auto + knn", "auto + mean", "none + knn"]
    values = shown(points)
    assert [values["a", title] for title in dict.fromkeys(points["title"])] == ["60.00", "40.00", "30.00"]
    assert values["b", "auto + knn"] == "45.00"
    assert values["c", "auto + knn"] == values["c", "auto + mean"] == "70.00"
    assert set(points["over"]) == {"2 conditions on 2 data sets"}


def test_conditions_that_some_preparation_lacks_do_not_count(results_of, builder) -> None:
    at = {"dataset": "three", "content": "three"}
    for name in ("a", "b"):
        builder.trial(name, {"acc": [0.9]}, prepare=KNN, **at)
    builder.trial("c", {"acc": [0.9]}, prepare="scale-auto", **at)
    points = KIND.points(under_one(results_of, builder))
    assert shown(points)["a", "auto + knn"] == "60.00"
    assert set(points["of_conditions"]) == {2}


def test_a_method_that_lacks_a_condition_has_no_mean(results_of, builder) -> None:
    for dataset in ("one", "two"):
        for name in ("d", "e", "f", "g"):  # c, e, f and g: four in five of the methods
            builder.trial(name, {"acc": [0.5]}, prepare=KNN, dataset=dataset, content=dataset)
    builder.trial("h", {"acc": [0.9]}, prepare=KNN, dataset="one", content="one")
    points = KIND.points(under_one(results_of, builder))
    assert shown(points)["h", "auto + knn"] == "1/2"
    assert points.set_index("contestant").loc["h", "status"] == "INCOMPLETE"


def test_what_shares_nothing_is_left_out_and_said(results_of, builder) -> None:
    for name in ("a", "b", "c"):
        builder.trial(name, {"acc": [0.5]}, prepare="minmax", dataset="elsewhere", content="elsewhere")
    points = KIND.points(under_one(results_of, builder))
    assert "minmax" not in set(points["scaling"])
    assert set(points["left_out"]) == {"not shown (few methods, or other data): minmax"}


def test_data_sets_of_a_corpus_count_as_one(results_of, new_long_frame) -> None:
    builder = new_long_frame()
    for dataset, corpus, score in (("x1", "x", 0.2), ("x2", "x", 0.4), ("y", "y", 0.7)):
        for name in ("a", "b"):
            for steps in ("scale-auto", "minmax"):
                at = {"dataset": dataset, "content": dataset, "corpus": corpus}
                builder.trial(name, {"acc": [score]}, prepare=steps, **at)
    points = KIND.points(results_of(builder, metrics=["acc"], stored=builder.frame()))
    assert shown(points)["a", "auto"] == "50.00"


def test_figure_and_table_stand_by_the_first_column(results_of, builder) -> None:
    results = under_one(results_of, builder)
    ((stem, points),) = KIND.figures(results)
    assert stem == "figure-preparations-acc"
    figure = draw("preparations", points, results.looks)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["c", "a", "b"]
    assert "mean over 2 conditions on 2 data sets" in " ".join(figure.get_supxlabel().split())
    (table,) = tables_of(results, ["preparations"])
    assert table.spans == [("auto", 2), ("none", 1)]
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["70.00", "70.00", "20.00"],
        ["60.00", "40.00", "30.00"],
        ["45.00", "25.00", "15.00"],
    ]
    assert [[cell.rank for cell in row.cells] for row in table.rows] == [[1, 1, 2], [2, 2, 1], [0, 0, 0]]


def test_one_scaling_and_filling_is_nothing_to_compare(results_of, long_frame) -> None:
    for name in ("a", "b"):
        long_frame.trial(name, {"acc": [0.5]}, prepare=KNN)
    assert KIND.points(results_of(long_frame, metrics=["acc"], stored=long_frame.frame())).empty
