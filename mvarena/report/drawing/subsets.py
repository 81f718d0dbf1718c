"""Scores by subset of views: a column per subset, the methods' scores above, dots for its views below."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from mvarena.report.drawing.canvas import NOTE, RC, drawable, drawable_words, finish, panels, rule
from mvarena.report.drawing.legend import legend_height, legend_labels, line_style, method_legend
from mvarena.report.style import Looks
from mvarena.text import shortened

_MOST = 63  # subsets that have room: all of six views
_COLUMN, _ROW, _HIGH = 0.22, 0.2, 2.3  # inches
_IN, _OUT = "#333333", "#DDDDDD"


def draw_subsets(points: pd.DataFrame, looks: Looks) -> Figure:
    """Draw the points of one data set, corruption and metric (`mvarena.report.figures.subsets.subset_points`)."""
    points, escaped = drawable_words(points, ("title", "label"))
    subsets = list(dict.fromkeys(points["views"]))
    left_out = len(subsets) - _MOST
    if left_out > 0:
        places = points.groupby("views")["place"].first().sort_values(kind="stable")
        kept = set(places.index[:_MOST])
        subsets = [subset for subset in subsets if subset in kept]
    points = points[points["views"].isin(subsets)]
    by_size = sorted(subsets, key=lambda subset: -subset.count(","))
    views = list(dict.fromkeys(view for subset in by_size for view in subset.split(",")))
    names = [shortened(drawable(name), 24) for name in views]
    labels = legend_labels(points, looks)
    with rc_context(RC):
        width = max(4.6, 1.1 + 0.07 * max(map(len, names)) + _COLUMN * len(subsets))
        below_axis = _ROW * len(views) + 0.1
        below = legend_height([*labels.values()], width) + 0.1
        figure, (scores, matrix) = panels(2, 1, (width, (_HIGH + below_axis) / 2), below=below)
        scores.get_gridspec().set_height_ratios([_HIGH, below_axis])  # type: ignore[union-attr]
        _draw_scores(scores, points, subsets, looks)
        _draw_views(matrix, subsets, views, names)
        condition = points["condition"].iloc[0]
        figure.suptitle(", ".join(filter(None, (points["title"].iloc[0], condition))), fontsize=9.5)
        more = f"; the best {_MOST} of {left_out + _MOST} subsets" if left_out > 0 else ""
        title = f"views of each subset below, the best of a size first{more}{f'; {NOTE}' if escaped else ''}"
        method_legend(figure, labels, looks, title, lines=False)
        return finish(figure)


def _draw_scores(axis: Axes, points: pd.DataFrame, subsets: list[str], looks: Looks) -> None:
    places = {subset: index for index, subset in enumerate(subsets)}
    names = sorted(set(points["contestant"]) - looks.muted)
    step = min(0.12, 0.5 / max(1, len(names)))  # side by side, so that equal scores do not hide each other
    aside = {name: step * (index - (len(names) - 1) / 2) for index, name in enumerate(names)}
    for name, part in points.groupby("contestant", sort=False):
        muted = name in looks.muted
        style = {"marker": "o", "markersize": 3.0, "zorder": 1.5} if muted else line_style(looks[str(name)])
        x = part["views"].map(places) + aside.get(str(name), 0.0)
        axis.plot(x, part["mean"], color=looks.colour(str(name)), **style | {"linestyle": "none"})
    sizes = np.array([subset.count(",") for subset in subsets])
    for edge in np.flatnonzero(np.diff(sizes)):
        axis.axvline(edge + 0.5, color="0.8", linewidth=0.8)
    axis.set(xlim=(-0.6, len(subsets) - 0.4), ylabel=points["metric_axis"].iloc[0])
    axis.set_xticks([])
    axis.yaxis.set_major_locator(MaxNLocator(5))
    rule(axis)


def _draw_views(axis: Axes, subsets: list[str], views: list[str], names: list[str]) -> None:
    for x, subset in enumerate(subsets):
        chosen = set(subset.split(","))
        rows = [row for row, view in enumerate(views) if view in chosen]
        others = [row for row in range(len(views)) if row not in rows]
        axis.plot([x] * len(others), others, "o", color=_OUT, markersize=4.2)
        axis.plot([x] * len(rows), rows, "o-", color=_IN, markersize=4.2, linewidth=1.2)
    axis.set_xlim(-0.6, len(subsets) - 0.4)
    axis.set_ylim(len(views) - 0.5, -0.5)
    axis.set_yticks(range(len(views)), names)
    axis.set_xticks([])
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
