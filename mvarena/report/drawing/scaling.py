"""Seconds and memory against the number of samples, with fitted powers of the seconds."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from mvarena.report.drawing.canvas import NOTE, RC, drawable_words, figure_width, finish, panels, rule
from mvarena.report.drawing.legend import is_head, legend_height, legend_labels, line_style, method_legend, muted_style
from mvarena.report.figures.scaling import QUANTITIES
from mvarena.report.style import Looks, line_pattern

_SIZE = (3.4, 2.8)
_RATIO = 10.0  # the ratio of peaks of memory up to which most of each is the process, and the axis begins at 0


def draw_scaling(points: pd.DataFrame, looks: Looks) -> Figure:
    """The points of one corruption (`mvarena.report.figures.scaling.scaling_points`): a panel per quantity."""
    points, escaped = drawable_words(points, ("title", "label"))
    labels = {name: _with_slopes(name, label, points) for name, label in legend_labels(points, looks).items()}
    with rc_context(RC):
        below = legend_height(list(labels.values()), figure_width(2, _SIZE[0]))
        figure, axes = panels(2, 2, _SIZE, below=below)
        for axis, quantity in zip(axes, QUANTITIES, strict=True):
            _draw(axis, points[points["quantity"] == quantity], looks)
        whole = QUANTITIES["peak_rss_mb"] in set(points["axis"])
        memory = "memory includes the interpreter" if whole else "at start: the interpreter with its libraries"
        title = f"in brackets: fitted exponent of n of the seconds; {memory}{f'; {NOTE}' if escaped else ''}"
        method_legend(figure, labels, looks, title)
        return finish(figure)


def _with_slopes(name: str, label: str, points: pd.DataFrame) -> str:
    if not name or is_head(name):
        return label
    slopes = points[points["contestant"] == name].drop_duplicates("quantity").set_index("quantity")["slope"]
    power = float(slopes.get("wall_s", np.nan))
    return f"{label} ({round(power, 1) + 0.0:.1f})" if np.isfinite(power) else label  # no '-0.0'


def _draw(axis: Axes, part: pd.DataFrame, looks: Looks) -> None:
    for name, line in part.groupby("contestant", sort=False):
        means = line.groupby("n_samples")["value"].apply(lambda one: float(np.exp(np.log(one).mean())))
        n, value = means.index.to_numpy(dtype=float), means.to_numpy()
        colour = looks.colour(str(name))
        if name in looks.muted:
            axis.plot(n, value, color=colour, **muted_style())
            continue
        look = looks[str(name)]
        slope = line["slope"].iloc[0]
        joined = {} if np.isfinite(slope) else {"linestyle": line_pattern(look), "linewidth": 1.0}
        axis.plot(n, value, color=colour, **{**line_style(look), "linewidth": 0.0, **joined})
        if np.isfinite(slope):
            level = np.log(line["value"]).mean() - slope * np.log(line["n_samples"].astype(float)).mean()
            axis.plot(n, np.exp(level) * n**slope, color=colour, linestyle=line_pattern(look), linewidth=1.2)
    axis.set_xscale("log")
    sizes = np.sort(part["n_samples"].unique())
    kept = _apart(sizes)
    axis.set_xticks(kept, [f"{int(item):,}" for item in kept])
    for one in (axis.xaxis, axis.yaxis):
        one.set_minor_formatter(NullFormatter())
    low, high = part["value"].min(), part["value"].max()
    logarithmic = part["quantity"].iloc[0] == "wall_s" or high / low > _RATIO
    if logarithmic:
        axis.set_yscale("log")
        axis.set_ylim(low / 1.25, high * 1.25)
    else:
        axis.set_ylim(0.0, high * 1.08)
    if logarithmic and high / low < 30:  # within a decade or so, powers of ten are too few
        axis.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high / low > 3 else tuple(range(1, 10))))
    axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set(xlabel="samples n", ylabel=part["axis"].iloc[0])
    rule(axis, "both")


def _apart(sizes: np.ndarray) -> list[float]:
    """Of the sizes those that have room for a tick."""
    kept: list[float] = []
    room = np.log(sizes[-1] / sizes[0]) / 5
    for size in sizes:
        if not kept or np.log(size / kept[-1]) >= room:
            kept.append(float(size))
    return kept
