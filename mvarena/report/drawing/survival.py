"""Survival of the clusters of each method: Kaplan-Meier curves, one panel per method."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from mvarena.report.drawing.canvas import NOTE, RC, drawable_words, figure_width, finish, fitting_panels, panels, rule
from mvarena.report.drawing.legend import draw_legend, legend_height
from mvarena.report.style import COLOURS, DASHES, Looks
from mvarena.text import shortened

_SIZE = (2.9, 2.5)
_LONGEST_TITLE = 28  # letters
_MOST_NAMED = 5  # clusters that a panel names
_STYLES: list[dict[str, Any]] = [
    {"color": colour, "linestyle": (0.0, dash) if dash else "-"}
    for colour, dash in zip([*COLOURS.values()][1:], [*DASHES.values(), *DASHES.values()], strict=False)
]


def draw_survival(points: pd.DataFrame, looks: Looks) -> Figure:
    """The points of one data set and condition (`mvarena.report.figures.survival.survival_points`).

    A panel for each method that does not stand back, a curve for each cluster, the longest survival first, with a
    stroke where samples were censored.
    """
    if not set(points["contestant"]) <= looks.muted:
        points = points[~points["contestant"].isin(looks.muted)]
    points, escaped = drawable_words(points, ("title", "label", "time_name"))
    parts = [part for _, part in points.groupby("contestant", sort=False)]
    per_row = 2 if len(parts) == 4 else min(3, len(parts))
    stroke = Line2D([], [], color="0.3", linestyle="none", marker="|", markersize=6)
    entry = "censored"
    with rc_context(RC):
        below = legend_height([entry], figure_width(per_row, _SIZE[0])) + 0.15
        parts, no_room = fitting_panels(parts, per_row, _SIZE, below + 0.3, by="--algo")
        figure, axes = panels(len(parts), per_row, _SIZE, below=below)
        for axis, part in zip(axes, parts, strict=True):
            _draw(axis, part, float(points["time"].max()))
        figure.suptitle(points["title"].iloc[0], fontsize=9.5)
        note = f"numbers: events of samples; the restart of lowest inertia; p: log-rank, by permutations{no_room}"
        draw_legend(figure, [stroke], [entry], note + (f"; {NOTE}" if escaped else ""))
        return finish(figure)


def _draw(axis: Axes, part: pd.DataFrame, longest: float) -> None:
    clusters = [curve for _, curve in part.groupby("cluster", sort=False)]
    for index, curve in enumerate(clusters):
        style = _STYLES[index % len(_STYLES)]
        name = f"cluster {curve['cluster'].iloc[0]}: {curve['events'].iloc[0]} of {curve['n'].iloc[0]}"
        label = name if index < _MOST_NAMED else None
        axis.step(curve["time"], curve["survival"], where="post", linewidth=1.3, label=label, **style)
        censored = curve[curve["censored"] > 0]
        axis.plot(censored["time"], censored["survival"], "|", color=style["color"], markersize=5)
    more = f"and {len(clusters) - _MOST_NAMED} more" if len(clusters) > _MOST_NAMED else None
    axis.legend(frameon=False, fontsize=6.5, loc="upper right", title=more, title_fontsize=6.5, handlelength=2.4)
    p = part["p"].iloc[0]
    words = f", p = {p:.2g}" if p == p else ""
    axis.set(
        title=f"{shortened(part['label'].iloc[0], _LONGEST_TITLE)}{words}",
        xlabel=f"time ({part['time_name'].iloc[0]})",
        ylabel="survival",
        xlim=(0.0, 1.02 * longest),
        ylim=(0.0, 1.03),
    )
    axis.xaxis.set_major_locator(MaxNLocator(5))
    rule(axis)
