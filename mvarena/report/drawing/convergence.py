"""The objective of each method by iteration, one panel per method: their values cannot be compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps, rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from mvarena.report.drawing.canvas import NOTE, RC, drawable_words, figure_width, finish, fitting_panels, panels, rule
from mvarena.report.drawing.heatmap import MAP
from mvarena.report.drawing.legend import draw_legend, legend_height
from mvarena.report.drawing.rate import per_row_of
from mvarena.report.style import DASHES, Looks
from mvarena.text import plural, shortened

_SIZE = (2.6, 2.1)
_LONGEST_TITLE = 28  # letters
_LOGARITHMIC = 50.0  # the ratio of values beyond which the axis is logarithmic


def draw_convergence(points: pd.DataFrame, looks: Looks) -> Figure:
    """The points of one data set and corruption (`mvarena.report.figures.convergence.convergence_points`).

    A panel for each method that does not stand back. A line per rate, from dark to light and each with its own dashes;
    it ends in a dot where the method says that it has converged, and in a cross where not.
    """
    every = points["contestant"].nunique()
    if not set(points["contestant"]) <= looks.muted:
        points = points[~points["contestant"].isin(looks.muted)]
    left_out = every - points["contestant"].nunique()
    points, escaped = drawable_words(points, ("title", "label", "line"))
    parts = [part for _, part in points.groupby("contestant", sort=False)]
    per_row = 4 if len(parts) > 6 else per_row_of(points.assign(metric=""), len(parts))
    lines = dict.fromkeys(points.sort_values("rate")["line"])
    styles = dict(zip(lines, _styles(len(lines)), strict=True))
    shown = [f"rate {line}" if line else "as they are" for line in lines]
    entries = [Line2D([], [], **style, linewidth=1.3) for style in styles.values()]
    ends = [Line2D([], [], color="0.3", linestyle="none", marker=marker, markersize=4) for marker in "ox"]
    with rc_context(RC):
        labels = [*shown, "converged", "stopped before"]
        below = legend_height(labels, figure_width(per_row, _SIZE[0])) + 0.2
        parts, no_room = fitting_panels(parts, per_row, _SIZE, below + 0.3, by="--algo")
        figure, axes = panels(len(parts), per_row, _SIZE, below=below)
        for axis, part in zip(axes, parts, strict=True):
            _draw(axis, part, styles)
        figure.suptitle(points["title"].iloc[0], fontsize=9.5)
        others = f"; {plural(left_out, 'other')} not shown" if left_out else ""
        title = f"the first repeat of each{others}{no_room}{f'; {NOTE}' if escaped else ''}"
        draw_legend(figure, [*entries, *ends], labels, title)
        return finish(figure)


def _styles(count: int) -> list[dict[str, Any]]:
    places = np.linspace(0.0, 0.8, max(count, 2))
    dashes = list(DASHES.values())
    return [
        {"color": colormaps[MAP](places[i]), "linestyle": (0.0, dashes[i % len(dashes)]) if i % len(dashes) else "-"}
        for i in range(count)
    ]


def _draw(axis: Axes, part: pd.DataFrame, styles: dict[str, dict[str, Any]]) -> None:
    finite = part["objective"].where(np.isfinite(part["objective"]))
    for line, course in part.assign(objective=finite).groupby("line", sort=False):
        style = styles[str(line)]
        marker = "o" if course["converged"].iloc[-1] else "x"
        end: dict[str, Any] = {"marker": marker, "markersize": 4, "markevery": [len(course) - 1]}
        axis.plot(course["iteration"], course["objective"], **style, **end, linewidth=1.3)
    if finite.min() > 0 and finite.max() / finite.min() > _LOGARITHMIC:
        axis.set_yscale("log")
        axis.yaxis.set_major_locator(LogLocator(numticks=5))
        axis.yaxis.set_minor_formatter(NullFormatter())
    else:
        axis.yaxis.set_major_locator(MaxNLocator(5))
    axis.yaxis.set_major_formatter(lambda value, _: f"{value:.5g}")
    axis.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axis.set(title=shortened(part["label"].iloc[0], _LONGEST_TITLE), xlabel="iteration", ylabel="objective")
    rule(axis)
