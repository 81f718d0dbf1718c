"""Scores by subset of views: which data sets have such a figure, and in which order its columns stand."""

from __future__ import annotations

import pytest
from test_figure_kinds import BY_NAME, outside

from mvarena.report.drawing.canvas import image_bytes
from mvarena.report.figures.kinds import draw
from mvarena.report.figures.subsets import subset_points

SCORES = {"one": 0.3, "two": 0.6, "three": 0.5, "one,two": 0.4, "two,three": 0.8, "one,two,three": 0.7}


def filled(builder, scores: dict[str, float], metric: str = "acc", base: str = "toy"):
    for views, score in scores.items():
        at = {"dataset": f"{base}[{views}]", "content": views, "corruption": "none", "rate": 0.0}
        builder.trial("apmc", {metric: [score]}, **at)
        builder.trial("concat", {metric: [score + 0.1]}, **at)
    return builder


def test_subsets_stand_by_size_and_then_by_their_mean(results_of, long_frame) -> None:
    results = results_of(filled(long_frame, SCORES).trial("apmc", {"acc": [0.9]}, dataset="toy"), metrics=["acc"])
    points = subset_points(results.over_rates, results.context)
    assert points["views"].drop_duplicates().tolist() == [
        "two", "three", "one", "two,three", "one,two", "one,two,three",
    ]  # fmt: skip
    assert points.loc[points["views"] == "two,three", "place"].tolist() == [1, 1]
    assert points.loc[points["views"] == "one", "mean"].tolist() == pytest.approx([30.0, 40.0])
    assert points["title"].unique().tolist() == ["Toy Data"]


def test_where_less_is_better_the_smallest_come_first(results_of, long_frame) -> None:
    results = results_of(filled(long_frame, SCORES, "error"), metrics=["error"])
    points = subset_points(results.over_rates, results.context)
    assert points["views"].drop_duplicates().tolist()[:3] == ["one", "three", "two"]


def test_two_subsets_are_no_figure(results_of, long_frame) -> None:
    results = results_of(filled(long_frame, {"one": 0.3, "one,two": 0.4}), metrics=["acc"])
    assert subset_points(results.over_rates, results.context).empty
    assert list(BY_NAME["subsets"].figures(results)) == []


def test_dots_say_which_views_a_column_has(results_of, long_frame) -> None:
    results = results_of(filled(long_frame, SCORES), metrics=["acc"])
    ((stem, points),) = BY_NAME["subsets"].figures(results)
    assert stem == "figure-subsets-toy-none-acc"
    figure = draw("subsets", points, results.looks)
    scores, matrix = figure.axes
    assert [label.get_text() for label in matrix.get_yticklabels()] == ["one", "two", "three"]
    joined = [line.get_ydata().tolist() for line in matrix.lines if line.get_linestyle() == "-"]
    assert joined == [[1], [2], [0], [1, 2], [0, 1], [0, 1, 2]]
    assert len([line for line in scores.lines if line.get_linestyle() == "None"]) == 2
    assert outside(figure) == []
    assert image_bytes(figure, "png") == image_bytes(draw("subsets", points, results.looks), "png")


def test_more_subsets_than_have_room_leave_the_worst_out(results_of, new_long_frame) -> None:
    letters = "abcdefgh"
    scores = {
        ",".join(letter for i, letter in enumerate(letters) if bits >> i & 1): bits / 300 for bits in range(1, 256)
    }
    results = results_of(filled(new_long_frame(), scores), metrics=["acc"])
    ((_, points),) = BY_NAME["subsets"].figures(results)
    figure = draw("subsets", points, results.looks)
    (drawn, *_) = (line for line in figure.axes[0].lines if line.get_linestyle() == "None")
    assert len(drawn.get_xdata()) == 63
    assert min(drawn.get_ydata()) == pytest.approx(100 * 193 / 300)
    assert "the best 63 of 255 subsets" in figure.legends[0].get_title().get_text().replace("\n", " ")
    assert outside(figure) == []
