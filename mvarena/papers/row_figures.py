"""Figures of a few rows, each a bar or dots with whiskers: those of the pages under reports/."""

from __future__ import annotations

from textwrap import fill

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from mvarena.report.drawing.canvas import RC, WIDTH, finish, in_lines, panels, per_row_for, rule, set_head
from mvarena.report.drawing.legend import draw_legend, legend_height
from mvarena.report.style import COLOURS

_LINE = 0.14  # inches
_NAME_LETTERS = 5.6  # of a row's name on one line, in one inch of a panel
_LOOKS = ((COLOURS["blue"], "o"), (COLOURS["vermilion"], "s"))


def draw_rows(points: pd.DataFrame, title: str, *, bars: bool = False) -> Figure:
    """A panel for each `axis` of `points`, with a row for each `row`, in their order; dots, or bars of
    numbers of things from 0.

    points : columns row, axis (label of a panel's x axis, with its unit), value, and optionally low and high (the ends
        of a whisker; NaN: none) and series (two at most, named in a legend).
    """
    points = pd.DataFrame({"low": np.nan, "high": np.nan, "series": ""}, index=points.index).assign(**points)
    parts = [part for _, part in points.groupby("axis", sort=False)]
    names = [name for name in points["series"].unique() if name]
    per_row = per_row_for(len(parts), WIDTH, narrowest=3.0)
    rows = {row: _in_lines(row, WIDTH / per_row) for row in points["row"].unique()}
    lines = sum(name.count("\n") + (1.8 if len(names) > 1 else 1.4) for name in rows.values())
    with rc_context(RC):
        figure, axes = panels(len(parts), per_row, 0.6 + _LINE * lines, WIDTH, below=legend_height(names, WIDTH))
        for index, (axis, part) in enumerate(zip(axes, parts, strict=True)):
            _draw(axis, part, list(rows), bars)
            axis.set_yticks(range(len(rows)), list(rows.values()) if index % per_row == 0 else [""] * len(rows))
            axis.set_xlabel(in_lines(str(part["axis"].iloc[0]), 0.8 * WIDTH / per_row))
        handles = [Line2D([], [], color=colour, marker=marker) for colour, marker in _LOOKS[: len(names)]]
        draw_legend(figure, handles, names)
        set_head(figure, title)
        return finish(figure)


def _in_lines(name: str, width: float) -> str:
    """A row's name in as many lines as it takes beside a panel of `width` inches; words stay whole."""
    return fill(name, int(_NAME_LETTERS * width), break_long_words=False, break_on_hyphens=False)


def _draw(axis: Axes, part: pd.DataFrame, rows: list[str], bars: bool) -> None:
    places = {row: place for place, row in enumerate(rows)}
    series = list(part.groupby("series", sort=False))
    for index, (_, own) in enumerate(series):
        colour, marker = _LOOKS[index]
        heights = own["row"].map(places) + 0.25 * (index - (len(series) - 1) / 2)
        axis.hlines(heights, own["low"], own["high"], color=colour, linewidth=1.1)
        if bars:
            axis.barh(heights, own["value"], 0.7, color=colour)
            axis.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
        else:
            axis.plot(own["value"], heights, color=colour, marker=marker, markersize=4.5, linestyle="")
    if part[["value", "low"]].min(axis=None) < 0:
        axis.axvline(0.0, color="0.3", linewidth=0.8)
    axis.set_ylim(len(rows) - 0.4, -0.6)
    axis.tick_params(axis="y", length=0)
    rule(axis, "x")
