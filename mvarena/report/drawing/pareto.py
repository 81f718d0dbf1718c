"""Quality against time, with the methods that nobody dominates named."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator
from numpy.typing import NDArray

from mvarena.report.drawing.canvas import (
    LONGEST_TITLE,
    NOTE,
    RC,
    drawable_words,
    figure_width,
    finish,
    fitting_panels,
    panels,
    rule,
)
from mvarena.report.drawing.legend import legend_height, legend_labels, line_style, method_legend
from mvarena.report.drawing.rate import picked_words
from mvarena.report.style import MUTED, Looks
from mvarena.text import shortened

_SIZE, _ALONE = (3.1, 2.7), (6.2, 4.0)
_AROUND = (0.65, 0.95)  # inches of a panel that its axes leave to labels and title
_FONT = 6.5


def draw_pareto(points: pd.DataFrame, looks: Looks) -> Figure:
    """The points of one corruption and metric (`mvarena.report.figures.pareto.pareto_points`), a panel per data set."""
    points, escaped = drawable_words(points, ("title", "label", "metric_axis", "condition"))
    parts = [part for _, part in points.groupby("dataset", sort=False)]
    per_row = 2 if len(parts) == 4 else min(3, len(parts))
    size = _ALONE if len(parts) == 1 else _SIZE
    labels = legend_labels(points, looks)
    below = legend_height(list(labels.values()), figure_width(per_row, size[0]))
    parts, left_out = fitting_panels(parts, per_row, size, below)
    with rc_context(RC):
        figure, axes = panels(len(parts), per_row, size, below=below)
        for axis, part in zip(axes, parts, strict=True):
            _draw(axis, part, looks, size)
        front = "line: no other method is both faster and better"
        muted = points["contestant"].isin(looks.muted)
        hollow = "; hollow: chosen by ground truth" if points.loc[muted, "label_picked"].any() else ""
        title = f"{front}{picked_words(points[~muted])}{hollow}{left_out}{f'; {NOTE}' if escaped else ''}"
        method_legend(figure, labels, looks, title, lines=False)
        return finish(figure)


def _name(axis: Axes, named: pd.DataFrame, part: pd.DataFrame, size: tuple[float, float]) -> None:
    """The names of points, with a line to each that has no room at its point. size : of the panel, in inches."""
    inner = 72 * (size[0] - _AROUND[0]), 72 * (size[1] - _AROUND[1])
    (left, right), (bottom, top) = np.log(axis.get_xlim()), axis.get_ylim()

    def places(rows: pd.DataFrame) -> NDArray[np.float64]:
        across = (np.log(rows["wall_s"].to_numpy(float)) - left) / (right - left)
        return np.column_stack([inner[0] * across, inner[1] * (rows["mean"].to_numpy(float) - bottom) / (top - bottom)])

    words = [str(label) for label in named["label"]]
    steps = _along(places(part[part["on_front"]].sort_values(["wall_s", "mean"])))
    corners = placed(places(named), words, np.vstack([places(part), steps]), inner, _FONT)
    for row, word, (x, y, far) in zip(named.itertuples(), words, corners, strict=True):
        line: dict[str, Any] = (
            {"arrowprops": {"arrowstyle": "-", "linewidth": 0.5, "color": "0.6", "shrinkB": 1.5}} if far else {}
        )
        axis.annotate(
            word, (row.wall_s, row.mean), (x, y), textcoords="offset points", ha="left", va="bottom", fontsize=_FONT,
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


def _draw(axis: Axes, part: pd.DataFrame, looks: Looks, size: tuple[float, float]) -> None:
    front = part[part["on_front"]].sort_values(["wall_s", "mean"])
    axis.plot(front["wall_s"], front["mean"], color="0.6", linewidth=1.0, drawstyle="steps-post", zorder=1)
    back = part[part["contestant"].isin(looks.muted)]
    dot: dict[str, Any] = {"color": MUTED, "marker": "o", "markersize": 3.0, "markeredgewidth": 0.0}
    picked = back["label_picked"].astype(bool)
    axis.plot(back["wall_s"][~picked], back["mean"][~picked], linestyle="none", zorder=2.5, **dot)
    hollow = {**dot, "markerfacecolor": "white", "markeredgewidth": 0.7}
    axis.plot(back["wall_s"][picked], back["mean"][picked], linestyle="none", zorder=2.5, **hollow)
    for row in part[~part["contestant"].isin(looks.muted)].itertuples():
        name = str(row.contestant)
        style = line_style(looks[name])
        axis.plot([row.wall_s], [row.mean], color=looks.colour(name), linestyle="none", zorder=2.5, **style)
    axis.set_xscale("log")
    fastest, slowest = part["wall_s"].min(), part["wall_s"].max()
    axis.set_xlim(fastest / 2.0, slowest * 1.6)
    lowest, highest = part["mean"].min(), part["mean"].max()
    room = max(highest - lowest, 1e-3 * abs(highest), 1e-9)
    axis.set_ylim(lowest - 0.06 * room, highest + 0.14 * room)
    _name(axis, back[back["on_front"]], part, size)
    if math.log10(slowest / fastest) < 1.2:  # at least two ticks
        axis.xaxis.set_major_locator(FixedLocator(_ticks(*axis.get_xlim())))
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.xaxis.set_minor_formatter(NullFormatter())
    if size != _ALONE:
        axis.xaxis.set_minor_locator(NullLocator())  # a third of the time to draw, and hard to see
    words = "\n".join(filter(None, (shortened(part["title"].iloc[0], LONGEST_TITLE), part["condition"].iloc[0])))
    axis.set(title=words, xlabel="seconds per trial", ylabel=part["metric_axis"].iloc[0])
    rule(axis, "both")


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
