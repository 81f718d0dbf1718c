"""One panel of a figure: a metric against the rate, one line per contestant with its band."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from mvarena.contracts.look import Look
from mvarena.report.style import hex_code, line_pattern

_SIZES = {"o": 5.0, "s": 4.6, "D": 4.4, "X": 6.2, "P": 6.0, "*": 7.4}  # points; sized to look alike
_MARGIN = 0.03  # how far an axis may reach past the range of its metric, as a share of what it shows: half a marker


def draw_panel(axis: Axes, panel: pd.DataFrame, looks: Mapping[str, Look]) -> None:
    """Draw the rows `panel` of `mvarena.report.curves.curves`; `looks` is contestant -> look.

    At a single rate, points with error bars stand side by side.
    """
    rates = np.sort(panel["rate"].unique())
    lines = list(panel.groupby("contestant", sort=False))
    axis.set_title(panel["title"].iloc[0])
    axis.set_xlabel(panel["rate_axis"].iloc[0])
    axis.set_ylabel(panel["metric_axis"].iloc[0])
    axis.grid(axis="y", color="0.9", linewidth=0.6)
    axis.set_axisbelow(True)
    for index, (name, line) in enumerate(lines):
        if len(rates) == 1:
            _draw_bar(axis, line, looks[name], (index + 1) / (len(lines) + 1) - 0.5)
        else:
            _draw_line(axis, line, looks[name], opacity=0.16 if len(lines) <= 5 else 0.08)
    if len(rates) == 1:
        axis.set_xlim(-0.5, 0.5)
        axis.set_xticks([0.0], [f"{rates[0]:g}"])
    else:
        _set_rate_ticks(axis, rates)
    _set_limits(axis, panel)


def _draw_line(axis: Axes, line: pd.DataFrame, look: Look, *, opacity: float) -> None:
    rate, mean = line["rate"].to_numpy(), line["mean"].to_numpy()
    low, high = line["low"].to_numpy(), line["high"].to_numpy()
    axis.fill_between(rate, low, high, color=hex_code(look), alpha=opacity, linewidth=0.0)
    axis.plot(rate, mean, color=hex_code(look), linestyle=line_pattern(look), **line_style(look))
    known = np.isfinite(np.concatenate([[np.nan], mean, [np.nan]]))
    alone = known[1:-1] & ~known[:-2] & ~known[2:]  # between failures no band has any width
    axis.vlines(rate[alone], low[alone], high[alone], color=hex_code(look), alpha=0.5, linewidth=1.2)


def _draw_bar(axis: Axes, line: pd.DataFrame, look: Look, place: float) -> None:
    mean, std = line["mean"].to_numpy(), line["std"].fillna(0.0).to_numpy()
    axis.errorbar([place], mean, yerr=std, color=hex_code(look), capsize=2.5, elinewidth=1.2, **line_style(look))


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


def _set_limits(axis: Axes, panel: pd.DataFrame) -> None:
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


def line_style(look: Look) -> dict[str, Any]:
    """Width and marker, for lines, bars and the legend."""
    return {
        "linewidth": 1.4,
        "marker": look.marker,
        "markersize": _SIZES.get(look.marker, 5.4),
        "markeredgecolor": "white",
        "markeredgewidth": 0.5,
    }
