"""The main figure of the papers: a metric against the missing rate, one line per method, one panel per data set."""

from __future__ import annotations

from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

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
from mvarena.report.drawing.legend import legend_height, legend_labels, line_style, method_legend, muted_style
from mvarena.report.figures.rate import PANEL
from mvarena.report.formatting import PICKED_MARK
from mvarena.report.style import MUTED, Looks, line_pattern
from mvarena.text import shortened

_SIZE = (3.1, 2.5)
_LONGEST_LINE = 40  # letters below a panel


def by_rate(points: pd.DataFrame, looks: Looks) -> Figure:
    """One panel per data set, corruption and metric; in each, one line per contestant with a band of +-1 std.

    points : what `mvarena.report.figures.rate.curves` returns, at least one row. Cost: some 0.2 s per panel.
    """
    points, escaped = drawable_words(points, ("title", "rate_axis", "metric_axis", "label"))
    parts = [part for _, part in points.groupby(PANEL, sort=False)]
    per_row = per_row_of(points, len(parts))
    labels = legend_labels(points, looks)
    below = legend_height(list(labels.values()), figure_width(per_row, _SIZE[0]))
    parts, left_out = fitting_panels(parts, per_row, _SIZE, below)
    with rc_context(RC):
        figure, axes = panels(len(parts), per_row, _SIZE, below=below)
        for axis, panel in zip(axes, parts, strict=True):
            draw_panel(axis, panel, looks)
        title = (
            "mean; band: ± 1 standard deviation" + picked_words(points) + left_out + (f"; {NOTE}" if escaped else "")
        )
        method_legend(figure, labels, looks, title)
        return finish(figure)


def picked_words(points: pd.DataFrame) -> str:
    """Explanation of the mark in a legend's title, where a number has it."""
    return f"; {PICKED_MARK} chosen by ground truth" if points["label_picked"].any() else ""


def per_row_of(points: pd.DataFrame, n_panels: int) -> int:
    """Panels per row: a data set's metrics side by side, or up to three data sets."""
    metrics = int(points["metric"].nunique())
    if metrics > 1:
        return min(4, metrics)
    return 2 if n_panels == 4 else min(3, n_panels)


# One panel of a figure: a metric against the rate, one line per contestant with its band.

_MARGIN = 0.03  # how far an axis may reach past the range of its metric, as a share of what it shows: half a marker


def draw_panel(axis: Axes, panel: pd.DataFrame, looks: Looks) -> None:
    """Draw the rows `panel` of `mvarena.report.figures.rate.curves`, of several rates."""
    rates = np.sort(panel["rate"].unique())
    lines = list(panel.groupby("contestant", sort=False))
    axis.set_title(shortened(panel["title"].iloc[0], LONGEST_TITLE))
    axis.set_xlabel(fill(panel["rate_axis"].iloc[0], _LONGEST_LINE, break_long_words=False, break_on_hyphens=False))
    axis.set_ylabel(panel["metric_axis"].iloc[0])
    rule(axis)
    shown = [(str(name), line) for name, line in lines if name not in looks.muted]
    _draw_muted(axis, [line for name, line in lines if name in looks.muted])
    for name, line in shown:
        _draw_line(axis, line, name, looks, opacity=0.16 if len(shown) <= 5 else 0.08)
    _set_rate_ticks(axis, rates)
    set_limits(axis, panel)


def _draw_line(axis: Axes, line: pd.DataFrame, name: str, looks: Looks, *, opacity: float) -> None:
    rate, mean = line["rate"].to_numpy(), line["mean"].to_numpy()
    low, high = line["low"].to_numpy(), line["high"].to_numpy()
    colour = looks.colour(name)
    axis.fill_between(rate, low, high, color=colour, alpha=opacity, linewidth=0.0)
    axis.plot(rate, mean, color=colour, linestyle=line_pattern(looks[name]), **line_style(looks[name]))
    known = np.isfinite(np.concatenate([[np.nan], mean, [np.nan]]))
    alone = known[1:-1] & ~known[:-2] & ~known[2:]  # between failures no band has any width
    if alone.any():
        axis.vlines(rate[alone], low[alone], high[alone], color=colour, alpha=0.5, linewidth=1.2)


def _draw_muted(axis: Axes, lines: list[pd.DataFrame]) -> None:
    """All lines that stand back as one, a gap between any two: of very many, each alone would take its time."""
    if lines:
        x, y = (
            np.concatenate([[*line[column].to_numpy(dtype=float), np.nan] for line in lines])
            for column in ("rate", "mean")
        )
        axis.plot(x, y, color=MUTED, **muted_style())


def _set_rate_ticks(axis: Axes, rates: np.ndarray[Any, Any]) -> None:
    """A tick at each rate where their labels have room."""
    logarithmic = rates[0] > 0 and rates[-1] / rates[0] > 50  # signal-to-noise ratios and the like
    if logarithmic:
        axis.set_xscale("log")
    places = np.log(rates) if logarithmic else rates
    margin = 0.05 * (places[-1] - places[0])
    ends = np.array([places[0] - margin, places[-1] + margin])
    axis.set_xlim(*(np.exp(ends) if logarithmic else ends))
    if np.diff(places).min() >= (places[-1] - places[0]) / 11:
        axis.xaxis.set_major_locator(FixedLocator(list(rates)))
    elif not logarithmic:
        axis.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10]))
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.xaxis.set_minor_locator(NullLocator())


def set_limits(axis: Axes, panel: pd.DataFrame) -> None:
    """No band is drawn past what the metric can be."""
    finite = panel.loc[np.isfinite(panel["mean"]), "mean"]
    if finite.empty:
        axis.set_yticks([])
        axis.text(0.5, 0.5, "no trial gave a value", transform=axis.transAxes, ha="center", va="center", color="0.4")
        return
    low, high = axis.get_ylim()
    # whatever a metric announces, every mean stays in sight
    lowest, highest = min(panel["lowest"].iloc[0], finite.min()), max(panel["highest"].iloc[0], finite.max())
    margin = _MARGIN * (min(high, highest) - max(low, lowest))
    axis.set_ylim(max(low, lowest - margin), min(high, highest + margin))
