"""Mean ranks on a line, with bars under methods that are not told apart; of many methods ratings with intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from mvarena.analysis.boards import Board
from mvarena.report.drawing.canvas import (
    CELL_LETTER,
    SMALL,
    Drawing,
    caption,
    drawable_words,
    panels,
    rule,
    set_head,
)
from mvarena.report.drawing.grid import MOST_ROWS
from mvarena.report.style import Looks
from mvarena.text import plural

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "mean ranks over data sources with the methods that are not told apart; ratings above 20 methods"
NEEDS = "two methods or more with the same metric on the same two data sets or more, under the same conditions"
SPLIT = ("metric", "group")
_MOST_NAMED = 20  # methods of a diagram of mean ranks; more are shown by their ratings
_LINE, _BAR = 0.16, 0.09  # inches: a name, a bar
_MOST_LEVELS = 12  # of bars; beyond, they say less than the sentence


def points(results: ReportData) -> pd.DataFrame:
    """One row per question (metric and condition) and method that is shown, the first place first.

    Columns: those of `mvarena.analysis.boards.Board.table`, metric, group ('' for all conditions), title (the
    question), over, label, cliques (numbers of the groups that it belongs to) and claim. Everything is over all that is
    stored, whatever is shown of it.
    """
    asked = [question for question in results.questions if not question.kind and not question.size]
    boards = [board for question in asked if (board := results.answer(question)) is not None]
    return pd.concat([of_board(board, results) for board in boards], ignore_index=True) if boards else pd.DataFrame()


def of_board(board: Board, results: ReportData) -> pd.DataFrame:
    """The rows of one question."""
    question, context = board.question, results.context
    labels = context.contestants(board.standings.contestants)
    named = question.corruption is not None and question.rate is not None
    rows = board.table.assign(
        metric=question.metric,
        group=f"{question.corruption} {question.rate:g}" if named else "",
        title=context.question(question),
        over=board.standings.over,
        label=board.table["contestant"].map(labels),
        cliques=[_numbers(board.cliques, name) for name in board.table["contestant"]],
        claim=results.claim(board),
    )
    return rows[rows["contestant"].isin(set(results.methods["contestant"]))]


def _numbers(groups: list[tuple[str, ...]], name: str) -> str:
    return " ".join(str(number) for number, group in enumerate(groups) if name in group)


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """The standings by one metric under one or all conditions."""
    points, of_names = drawable_words(points, ("label", "title"), width)
    title = f"{points['title'].iloc[0]}, over {points['over'].iloc[0]}"
    more = len(points) - MOST_ROWS
    of_names = " ".join(filter(None, (of_names, f"{plural(more, 'more method')} in the .csv." if more > 0 else "")))
    points = points.head(MOST_ROWS)
    names = CELL_LETTER * points["label"].map(len).max() + 0.45
    if len(points) <= _MOST_NAMED and 2 * names < 0.75 * width:
        return _ranks(points, looks, width, names, title, of_names)
    return _ratings(points, looks, width, title, of_names)


def _ratings(points: pd.DataFrame, looks: Looks, width: float, title: str, of_names: str) -> Drawing:
    """Ratings with their intervals, the first place on top."""
    figure, (axis,) = panels(1, 1, 0.6 + 0.125 * len(points), width)
    places = np.arange(len(points))
    colours = [looks.colour(str(name)) for name in points["contestant"]]
    axis.hlines(places, points["low"], points["high"], color=colours, linewidth=1.1)
    axis.scatter(points["rating"], places, s=11, color=colours, zorder=3)
    axis.set_yticks(places, list(points["label"]), fontsize=SMALL)
    axis.set_ylim(len(points) - 0.4, -0.6)
    axis.tick_params(axis="y", length=0)
    axis.set(xlabel="rating")
    low, high = axis.get_xlim()
    axis.set_xticks([tick for tick in axis.get_xticks() if low <= tick <= high - 0.05 * (high - low)])  # none is cut
    set_head(figure, title)
    rule(axis, "x")
    interval = " with 95 % intervals over data sources" if points["low"].notna().any() else ""
    text = f"{title}: ratings{interval}, by place. 400 points are odds of ten to one; the mean of all methods is 1000."
    return Drawing(figure, caption(text, points["claim"].iloc[0], of_names))


def _ranks(points: pd.DataFrame, looks: Looks, width: float, names: float, title: str, of_names: str) -> Drawing:
    """Mean ranks on a line, the best on the left, with bars under methods that are not told apart."""
    n_left = (len(points) + 1) // 2
    low, high = 1.0, float(max(math.ceil(points["mean_rank"].max()), 2))
    levels = _levels(points)
    inch = (high - low) / (width - 2 * names)  # ranks an inch
    height = 0.15 + _BAR * (len(levels) + 1) + _LINE * n_left
    figure, (axis,) = panels(1, 1, height + 0.65, width)
    axis.set_axis_off()
    axis.set_xlim(low - names * inch, high + names * inch)
    axis.set_ylim(-height, 0.3)
    _scale(axis, low, high)
    below = -0.1
    for level in levels:
        below -= _BAR
        for first, last in level:
            axis.plot([first - 0.03 * inch, last + 0.03 * inch], [below, below], color="k", linewidth=2.5)
    _named(axis, points, looks, below - _BAR, n_left, (low - 0.1 * inch, high + 0.1 * inch))
    set_head(figure, title)
    bars = "Bars join methods that do not differ significantly (Wilcoxon with Holm, 0.05)." if levels else ""
    text = f"{title}: mean ranks, 1 is best; who did not finish is last."
    return Drawing(figure, caption(text, bars, points["claim"].iloc[0], of_names))


def _levels(points: pd.DataFrame) -> list[list[tuple[float, float]]]:
    """The bars of groups as mean ranks from and to, by levels; bars that do not meet share one. None where there are
    too many to be read."""
    members: dict[int, list[int]] = {}
    for place, text in enumerate(points["cliques"]):
        for number in map(int, text.split()):
            members.setdefault(number, []).append(place)
    ranks = points["mean_rank"].to_numpy(float)
    levels: list[list[tuple[float, float]]] = []
    for places in sorted(members.values(), key=lambda places: (places[0], -places[-1])):
        bar = (float(ranks[places[0]]), float(ranks[places[-1]]))
        if len(places) < 2:
            continue
        free = next((level for level in levels if level[-1][1] < bar[0]), None)
        if free is None:
            levels.append([bar])
        else:
            free.append(bar)
    return levels if len(levels) <= _MOST_LEVELS else []


def _scale(axis: Axes, low: float, high: float) -> None:
    axis.plot([low, high], [0, 0], color="k", linewidth=0.8)
    step = 1 if high <= 12 else 2 if high <= 24 else 5
    for rank in dict.fromkeys([int(low), *range(step if step > 1 else 2, int(high) + 1, step)]):
        axis.plot([rank, rank], [0, 0.05], color="k", linewidth=0.8)
        axis.text(rank, 0.08, str(rank), ha="center", va="bottom", fontsize=SMALL)


def _named(axis: Axes, points: pd.DataFrame, looks: Looks, top: float, n_left: int, edges: tuple[float, float]) -> None:
    """The better half on the left, best on top; the others on the right, worst on top, so that no two lines cross."""
    for index, row in enumerate(points.itertuples()):
        left = index < n_left
        at = top - _LINE * (index if left else len(points) - 1 - index)
        edge = edges[0] if left else edges[1]
        colour = looks.colour(str(row.contestant))
        axis.plot([row.mean_rank, row.mean_rank, edge], [0, at, at], color=colour, linewidth=0.9)
        axis.plot([row.mean_rank], [0], marker=looks[str(row.contestant)].marker, color=colour, markersize=4)
        text = f"{row.label}  {row.mean_rank:.2f}" if left else f"{row.mean_rank:.2f}  {row.label}"
        words = f"{text} " if left else f" {text}"
        axis.text(edge, at, words, ha="right" if left else "left", va="center", fontsize=SMALL)
