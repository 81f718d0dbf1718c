"""Quality against time, with the methods that nobody dominates named."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullFormatter

from mvarena.report.drawing.canvas import (
    LONGEST_TITLE,
    NOTE,
    RC,
    drawable_words,
    figure_width,
    finish,
    fitting_panels,
    panels,
)
from mvarena.report.drawing.legend import legend_height, legend_labels, line_style, method_legend
from mvarena.report.drawing.rate import picked_words
from mvarena.report.style import MUTED, Looks
from mvarena.text import shortened

_SIZE, _ALONE = (3.1, 2.7), (6.2, 4.0)


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
            _draw(axis, part, looks)
        front = "line: nobody is faster and better"
        coloured = points[~points["contestant"].isin(looks.muted)]
        title = f"{front}{picked_words(coloured)}{left_out}{f'; {NOTE}' if escaped else ''}"
        method_legend(figure, labels, looks, title, lines=False)
        return finish(figure)


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from `low` to `high`, of which the logarithms are far enough apart: two at least."""
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)):
        values = [round(step * 10.0**power, 12) for power in exponents for step in steps]
        if len(within := [value for value in values if low <= value <= high]) > 1:
            return within
    return [low, high]


def _draw(axis: Axes, part: pd.DataFrame, looks: Looks) -> None:
    front = part[part["on_front"]].sort_values(["wall_s", "mean"])
    axis.plot(front["wall_s"], front["mean"], color="0.6", linewidth=1.0, drawstyle="steps-post", zorder=1)
    back = part[part["contestant"].isin(looks.muted)]
    dot: dict[str, Any] = {"color": MUTED, "marker": "o", "markersize": 3.0, "markeredgewidth": 0.0}
    axis.plot(back["wall_s"], back["mean"], linestyle="none", zorder=2.5, **dot)
    for row in part[~part["contestant"].isin(looks.muted)].itertuples():
        name = str(row.contestant)
        style = line_style(looks[name])
        axis.plot([row.wall_s], [row.mean], color=looks.colour(name), linestyle="none", zorder=2.5, **style)
    for row in back[back["on_front"]].itertuples():
        fast = row.wall_s**2 < part["wall_s"].min() * part["wall_s"].max()  # a name stands where there is room
        axis.annotate(
            str(row.label), (row.wall_s, row.mean), (3 if fast else -2, 3), textcoords="offset points",
            ha="left" if fast else "right", fontsize=6.5, color="0.35",
        )  # fmt: skip
    axis.set_xscale("log")
    fastest, slowest = part["wall_s"].min(), part["wall_s"].max()
    axis.set_xlim(fastest / 1.6, slowest * 1.6)
    if math.log10(slowest / fastest) < 1.2:  # at least two ticks
        axis.xaxis.set_major_locator(FixedLocator(_ticks(*axis.get_xlim())))
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.xaxis.set_minor_formatter(NullFormatter())
    words = "\n".join(filter(None, (shortened(part["title"].iloc[0], LONGEST_TITLE), part["condition"].iloc[0])))
    axis.set(title=words, xlabel="seconds per trial", ylabel=part["metric_axis"].iloc[0])
    axis.grid(color="0.9", linewidth=0.6)
    axis.set_axisbelow(True)
