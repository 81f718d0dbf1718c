"""Quality against time: the score of each method and its seconds, with those that nobody dominates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator, NullFormatter
from numpy.typing import NDArray

from mvarena.analysis.boards import Board, on_front
from mvarena.analysis.standings import by_corpus
from mvarena.report.context import Context
from mvarena.report.drawing.canvas import (
    RC,
    SMALL,
    Drawing,
    caption,
    drawable_words,
    finish,
    panels,
    rule,
    set_head,
)
from mvarena.report.drawing.legend import legend_height, legend_labels, line_style, method_legend
from mvarena.report.style import MUTED, Looks

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "each metric against the seconds of a trial, with the methods that no other dominates"
NEEDS = "two methods or more with a score and a time under one condition"
SPLIT = ("metric", "group")
_HIGH = 3.2  # inches
_AROUND = (0.65, 0.8)  # inches of the figure that the axes leave to labels and title


def points(results: ReportData) -> pd.DataFrame:
    """One row per metric, condition and method with a score and a time: over all data sets and conditions where there
    is a board, else of each data set and condition.

    wall_s : mean seconds per trial: preparation, fit, assignment of all restarts, scoring; over data sets their
    geometric mean. mean : of a method that finished everything, its mean over corpora; of others (finished below
    conditions) that of the first place, less their distance to it on what both finished. on_front : nobody who finished
    everything is both faster and better. Of a board, a filter hides methods and changes no number.
    """
    context = results.context
    parts = []
    for metric in results.metrics:
        board = results.board(metric)
        if board is not None:
            parts.append(_of_board(board, results))
            continue
        rows = results.methods[results.methods["metric"] == metric]
        parts += [_of_condition(part, context) for _, part in rows.groupby(["dataset", "corruption", "rate"])]
    parts = [part for part in parts if len(part) > 1]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def _of_board(board: Board, results: ReportData) -> pd.DataFrame:
    table, rows, context = board.table, results.whole, results.context
    sign = 1.0 if board.standings.higher_is_better else -1.0
    first = board.standings.contestants[0]
    leader = float(by_corpus(board.standings.cells[[first]], board.standings.corpus_of).mean().iloc[0])
    rows = rows[(rows["metric"] == board.question.metric) & rows["contestant"].isin(table["contestant"])]
    times = rows[rows["wall_s"] > 0].groupby(["contestant", "dataset"])["wall_s"].mean()
    seconds = np.exp(np.log(times).groupby("contestant").mean())
    found = table[table["contestant"].isin(seconds.index) & table["gap"].notna()]
    every = _worded(
        found.assign(
            wall_s=found["contestant"].map(seconds),
            mean=leader - sign * found["gap"],
            label_picked=False,
            group="",
            title=f"{context.question(board.question)}, over {board.standings.over}",
        ),
        board.question.metric,
        context,
    )
    return every[every["contestant"].isin(results.methods["contestant"])]


def _of_condition(rows: pd.DataFrame, context: Context) -> pd.DataFrame:
    dataset, corruption, rate = (rows[name].iloc[0] for name in ("dataset", "corruption", "rate"))
    metric = str(rows["metric"].iloc[0])
    known = rows[np.isfinite(rows["mean"].astype(float)) & (rows["wall_s"] > 0)]
    condition = context.condition(str(corruption), float(rate))
    found = known.assign(
        finished=known["n_trials"],
        conditions=known["n_stored"],
        group=f"{dataset} {'' if corruption == 'none' else f'{corruption} {rate:g}'}".strip(),
        title=f"{context.metric(metric)}, {context.dataset(str(dataset))}, {condition}",
    )
    return _worded(found, metric, context)


def _worded(found: pd.DataFrame, metric: str, context: Context) -> pd.DataFrame:
    whole = found["finished"] == found["conditions"]
    front = on_front(found, competing=whole & ~found["label_picked"], higher=context.directions.get(metric, True))
    unit = 100.0 if context.in_percent(metric) else 1.0
    labels = context.contestants(found["contestant"].unique())
    columns = ["contestant", "wall_s", "mean", "finished", "conditions", "label_picked", "group", "title"]
    return found[columns].assign(
        mean=found["mean"] * unit,
        on_front=front,
        metric=metric,
        label=found["contestant"].map(labels),
        metric_axis=context.metric_axis(metric),
    )


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """The points of one metric and question in one panel."""
    points, of_names = drawable_words(points, ("title", "label", "metric_axis"))
    labels = legend_labels(points, looks)
    few = not (looks.muted & set(points["contestant"]))
    with rc_context(RC):
        below = legend_height(list(labels.values()), width) if few else 0.0
        figure, (axis,) = panels(1, 1, _HIGH, width, below=below)
        _draw(axis, points, looks, (width, _HIGH), few)
        set_head(figure, points["title"].iloc[0])
        if few:
            method_legend(figure, labels, looks, lines=False)
        open_ones = points["finished"] < points["conditions"]
        hollow = "Hollow: did not finish everything; placed by its distance to the first on what both finished."
        line = "Line: no other method is both faster and better."
        text = f"{points['title'].iloc[0]}, against mean seconds per trial. {line}"
        return Drawing(finish(figure), caption(text, hollow if open_ones.any() else "", of_names))


def _draw(axis: Axes, part: pd.DataFrame, looks: Looks, size: tuple[float, float], few: bool) -> None:
    front = part[part["on_front"]].sort_values(["wall_s", "mean"])
    axis.plot(front["wall_s"], front["mean"], color="0.6", linewidth=1.0, drawstyle="steps-post", zorder=1)
    for row in part.itertuples():
        name = str(row.contestant)
        style = line_style(looks[name]) if few else {"marker": "o", "markersize": 3.2, "markeredgewidth": 0.0}
        colour = MUTED if name in looks.muted else looks.colour(name)
        hollow: dict[str, Any] = {}
        if row.finished < row.conditions or row.label_picked:
            hollow = {"markerfacecolor": "white", "markeredgecolor": colour, "markeredgewidth": 0.8}
        axis.plot([row.wall_s], [row.mean], color=colour, zorder=2.5, **style | {"linestyle": "none"} | hollow)
    axis.set_xscale("log")
    fastest, slowest = part["wall_s"].min(), part["wall_s"].max()
    axis.set_xlim(fastest / 2.0, slowest * 2.0)
    lowest, highest = part["mean"].min(), part["mean"].max()
    room = max(highest - lowest, 1e-3 * abs(highest), 1e-9)
    axis.set_ylim(lowest - 0.06 * room, highest + 0.14 * room)
    if not few:
        _name(axis, part[part["on_front"] | ~part["contestant"].isin(looks.muted)], part, size)
    if math.log10(slowest / fastest) < 1.2:  # at least two ticks
        axis.xaxis.set_major_locator(FixedLocator(_ticks(*axis.get_xlim())))
    else:
        axis.xaxis.set_major_locator(LogLocator(numticks=8))
    axis.yaxis.set_major_locator(MaxNLocator(6))
    axis.ticklabel_format(axis="y", useOffset=False)
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.set(xlabel="seconds per trial", ylabel=part["metric_axis"].iloc[0])
    rule(axis, "both")


def _name(axis: Axes, named: pd.DataFrame, part: pd.DataFrame, size: tuple[float, float]) -> None:
    """The names of points, with a line to each that has no room at its point. size : of the panel, in inches."""
    inner = 72 * (size[0] - _AROUND[0]), 72 * (size[1] - _AROUND[1])
    (left, right), (bottom, top) = np.log(axis.get_xlim()), axis.get_ylim()

    def places(rows: pd.DataFrame) -> NDArray[np.float64]:
        across = (np.log(rows["wall_s"].to_numpy(float)) - left) / (right - left)
        return np.column_stack([inner[0] * across, inner[1] * (rows["mean"].to_numpy(float) - bottom) / (top - bottom)])

    words = [str(label) for label in named["label"]]
    steps = _along(places(part[part["on_front"]].sort_values(["wall_s", "mean"])))
    corners = placed(places(named), words, np.vstack([places(part), steps]), inner, SMALL)
    for row, word, (x, y, far) in zip(named.itertuples(), words, corners, strict=True):
        line: dict[str, Any] = (
            {"arrowprops": {"arrowstyle": "-", "linewidth": 0.5, "color": "0.6", "shrinkB": 1.5}} if far else {}
        )
        axis.annotate(
            word, (row.wall_s, row.mean), (x, y), textcoords="offset points", ha="left", va="bottom", fontsize=SMALL,
            color="0.35", annotation_clip=False, **line,
        )  # fmt: skip


def _along(front: NDArray[np.float64], every: float = 4.0) -> NDArray[np.float64]:
    """Points on the line through the front: to the right, then up. every : their distance."""
    pieces = [np.empty((0, 2))]
    for (x, y), (right, top) in pairwise(front):
        across, up = np.arange(x + every, right, every), np.arange(y, top, every)
        pieces += [np.column_stack([across, np.full_like(across, y)]), np.column_stack([np.full_like(up, right), up])]
    return np.vstack(pieces)


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from `low` to `high`, of which the logarithms are far enough apart: two at least."""
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)):
        values = [round(step * 10.0**power, 12) for power in exponents for step in steps]
        if len(within := [value for value in values if low <= value <= high]) > 1:
            return within
    return [low, high]


# Names beside points of a panel, so that they cover neither each other nor, where there is room, other points.

_LETTER, _LINE = 0.66, 1.15  # width of a letter and height of a line, in font sizes
_DISTANCES = (4.0, 10.0, 17.0, 25.0, 34.0, 44.0, 56.0, 70.0)  # points from the marker to the name's nearest corner
_DIRECTIONS = 16
_COVERED = 12.0  # cost of a covered point, in points of distance
_FAR = 8.0  # points: beyond, a line leads from the name to its point


def placed(
    named: NDArray[np.float64],
    words: Sequence[str],
    others: NDArray[np.float64],
    size: tuple[float, float],
    font: float,
) -> list[tuple[float, float, bool]]:
    """The lower left corner of each name, relative to its point, and whether a line should lead to it; in points.

    named : (m, 2) the points to name. others : (n, 2) points that should not be covered. size : width and height of the
    panel, in points like all else. A name that has no room in the panel without covering another name is put at the
    place that covers least. Greedy, in the order given. Cost O(m (m + n)).
    """
    taken: NDArray[np.float64] = np.empty((0, 4))
    result = []
    for point, word in zip(named, words, strict=True):
        width, height = _LETTER * font * len(word), _LINE * font
        corners = _candidates(width, height)
        low = point + corners
        boxes = np.hstack([low, low + np.array([width, height])])
        outside = np.maximum(0.0, np.hstack([-boxes[:, :2], boxes[:, 2:] - size])).sum(axis=1)
        cost = (
            np.hypot(*_nearest(corners, width, height).T)
            + _COVERED * _inside(boxes, others)
            + 1e3 * _meeting(boxes, taken)
            + 1e2 * outside
        )
        best = int(np.argmin(cost))
        taken = np.vstack([taken, boxes[best]])
        far = float(np.hypot(*_nearest(corners[best : best + 1], width, height)[0])) > _FAR
        result.append((float(corners[best, 0]), float(corners[best, 1]), far))
    return result


def _candidates(width: float, height: float) -> NDArray[np.float64]:
    """Lower left corners around a point, the nearest first; those above it, towards the left, come before others."""
    corners = []
    for distance in _DISTANCES:
        for step in range(_DIRECTIONS):
            angle = math.radians(112.5) + (1 if step % 2 else -1) * math.pi * ((step + 1) // 2) * 2 / _DIRECTIONS
            x, y = distance * math.cos(angle), distance * math.sin(angle)
            across = -width if x < -1e-9 else 0.0 if x > 1e-9 else -width / 2
            along = -height if y < -1e-9 else 0.0 if y > 1e-9 else -height / 2
            corners.append((x + across, y + along))
    return np.array(corners)


def _nearest(corners: NDArray[np.float64], width: float, height: float) -> NDArray[np.float64]:
    """The point of each box that is nearest to the origin."""
    nearest: NDArray[np.float64] = np.clip(0.0, corners, corners + np.array([width, height]))
    return nearest


def _inside(boxes: NDArray[np.float64], points: NDArray[np.float64], margin: float = 2.0) -> NDArray[np.float64]:
    """Number of points in each box."""
    x, y = points[:, 0], points[:, 1]
    low, high = boxes[:, None, :2] - margin, boxes[:, None, 2:] + margin
    within: Any = (low[..., 0] < x) & (x < high[..., 0]) & (low[..., 1] < y) & (y < high[..., 1])
    count: NDArray[np.float64] = within.sum(axis=1).astype(float)
    return count


def _meeting(boxes: NDArray[np.float64], taken: NDArray[np.float64]) -> NDArray[np.float64]:
    """Number of the boxes taken that each box meets."""
    apart = (boxes[:, None, :2] >= taken[:, 2:]) | (boxes[:, None, 2:] <= taken[:, :2])
    count: NDArray[np.float64] = (~apart.any(axis=2)).sum(axis=1).astype(float)
    return count
