"""The main figure of the papers: a metric against the missing rate, one line per method, one panel per data set.

Only this module knows matplotlib; it draws on figures of its own, without pyplot and without global state.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from mvarena.analysis.contestants import natural_order
from mvarena.report.curves import PANEL
from mvarena.report.style import Look, looks
from mvarena.report.wording import PICKED_MARK, metric_label, rate_axis

DPI = 200
_PANEL_WIDTH, _PANEL_HEIGHT = 3.1, 2.5  # inches
_NARROWEST = 4.6
_LEGEND_ROW = 0.19
_CHARACTER = 0.068
_HANDLE = 0.55
_SIZES = {"o": 5.0, "s": 4.6, "D": 4.4, "X": 6.2, "P": 6.0, "*": 7.4}  # points; sized to look alike
_RC: dict[Any, Any] = {
    "font.size": 9.0,
    "axes.titlesize": 9.0,
    "axes.labelsize": 9.0,
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
    "legend.fontsize": 8.0,
    "legend.title_fontsize": 8.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "text.parse_math": False,  # names are text: a dollar sign in one stays a dollar sign
    "svg.hashsalt": "mvarena",
    "svg.fonttype": "path",
}


def by_rate(points: pd.DataFrame, *, columns: int | None = None, styles: Mapping[str, Look] | None = None) -> Figure:
    """One panel per data set, corruption and metric; in each, one line per contestant with a band of +-1 std.

    Parameters
    ----------
    points : what `mvarena.report.curves.curves` returns, at least one row.
    columns : panels per row; None: the metrics of one data set in a row, or three panels where there is one metric.
    styles : contestant -> look; None: `looks` of the contestants in `points`.

    At a single rate, points with error bars stand side by side. Cost: some 0.2 s per panel.
    """
    chosen = dict(styles) if styles is not None else looks(points["contestant"].unique())
    panels = list(points.groupby(PANEL, sort=False))
    per_row = _per_row(points, len(panels)) if columns is None else min(columns, len(panels))
    n_rows = math.ceil(len(panels) / per_row)
    width = max(_NARROWEST, _PANEL_WIDTH * per_row)
    labels = _legend_labels(points)
    legend_columns = _legend_columns(list(labels.values()), width)
    height = _PANEL_HEIGHT * n_rows + _LEGEND_ROW * (1 + math.ceil(len(labels) / legend_columns)) + 0.1
    with rc_context(_RC):
        figure = Figure(figsize=(width, height), dpi=DPI, layout=ConstrainedLayoutEngine(w_pad=0.07, h_pad=0.06))
        axes = figure.subplots(n_rows, per_row, squeeze=False).flatten()
        for axis, (_, panel) in zip(axes, panels, strict=False):
            _draw_panel(axis, panel, chosen)
        for axis in axes[len(panels) :]:
            axis.set_axis_off()
        _draw_legend(figure, points, labels, chosen, legend_columns)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # laid out once: a second pass would move things by a hair
    return figure


def image_bytes(figure: Figure, kind: Literal["png", "svg"]) -> bytes:
    """The figure as a file's content; the same figure always gives the same bytes."""
    metadata: dict[str, Any] = {"Software": "mvarena"} if kind == "png" else {"Creator": "mvarena", "Date": None}
    buffer = io.BytesIO()
    with rc_context(_RC):
        figure.savefig(buffer, format=kind, dpi=DPI, metadata=metadata)
    return buffer.getvalue()


def _per_row(points: pd.DataFrame, n_panels: int) -> int:
    metrics = int(points["metric"].nunique())
    if metrics > 1:
        return min(4, metrics)
    return 2 if n_panels == 4 else min(3, n_panels)


def _spread_words(points: pd.DataFrame) -> str:
    several = _has_lines(points)
    what = "band" if several.all() else "bar" if not several.any() else "band or bar"
    return f"{what}: ± 1 standard deviation"


def _has_lines(points: pd.DataFrame) -> pd.Series:
    """Panel -> whether it has several rates."""
    return points.groupby(PANEL)["rate"].nunique() > 1


def _legend_labels(points: pd.DataFrame) -> dict[str, str]:
    """Contestant -> its name, marked if ground truth picked any of its numbers."""
    picked = set(points.loc[points["label_picked"], "contestant"])
    names = sorted(points["contestant"].unique(), key=natural_order)
    return {name: f"{name} {PICKED_MARK}" if name in picked else name for name in names}


def _legend_columns(labels: list[str], width: float) -> int:
    entry = max(len(label) for label in labels) * _CHARACTER + _HANDLE
    fitting = max(1, int(width / entry))
    rows = math.ceil(len(labels) / fitting)
    return math.ceil(len(labels) / rows)


def _draw_legend(
    figure: Figure, points: pd.DataFrame, labels: Mapping[str, str], styles: Mapping[str, Look], columns: int
) -> None:
    lines = bool(_has_lines(points).any())
    picked = any(label != name for name, label in labels.items())
    figure.legend(
        [_handle(styles[name], line=lines) for name in labels],
        list(labels.values()),
        loc="outside lower center",
        ncols=columns,
        title=f"mean; {_spread_words(points)}{f'; {PICKED_MARK} picked by ground truth' if picked else ''}",
        frameon=False,
        handlelength=3.2 if lines else 1.2,
        columnspacing=1.4,
    )


def _handle(look: Look, *, line: bool) -> Line2D:
    return Line2D([], [], color=look.hex, linestyle=look.linestyle if line else "none", **_line(look))


def _line(look: Look) -> dict[str, Any]:
    return {
        "linewidth": 1.4,
        "marker": look.marker,
        "markersize": _SIZES.get(look.marker, 5.4),
        "markeredgecolor": "white",
        "markeredgewidth": 0.5,
    }


def _draw_panel(axis: Axes, panel: pd.DataFrame, styles: Mapping[str, Look]) -> None:
    rates = np.sort(panel["rate"].unique())
    lines = list(panel.groupby("contestant", sort=False))
    corruption, metric = panel["corruption"].iloc[0], panel["metric"].iloc[0]
    axis.set_title(panel["dataset"].iloc[0])
    axis.set_xlabel(rate_axis(corruption))
    axis.set_ylabel(f"{metric_label(metric)} (%)" if panel["percent"].iloc[0] else metric_label(metric))
    axis.grid(axis="y", color="0.9", linewidth=0.6)
    axis.set_axisbelow(True)
    for index, (name, line) in enumerate(lines):
        if len(rates) == 1:
            _draw_bar(axis, line, styles[name], (index + 1) / (len(lines) + 1) - 0.5)
        else:
            _draw_line(axis, line, styles[name], opacity=0.16 if len(lines) <= 5 else 0.08)
    if len(rates) == 1:
        axis.set_xlim(-0.5, 0.5)
        axis.set_xticks([0.0], [f"{rates[0]:g}"])
    else:
        _set_rate_ticks(axis, rates)
    _set_limits(axis, panel)


def _draw_line(axis: Axes, line: pd.DataFrame, look: Look, *, opacity: float) -> None:
    rate, mean = line["rate"].to_numpy(), line["mean"].to_numpy()
    low, high = line["low"].to_numpy(), line["high"].to_numpy()
    axis.fill_between(rate, low, high, color=look.hex, alpha=opacity, linewidth=0.0)
    axis.plot(rate, mean, color=look.hex, linestyle=look.linestyle, **_line(look))
    known = np.isfinite(np.concatenate([[np.nan], mean, [np.nan]]))
    alone = known[1:-1] & ~known[:-2] & ~known[2:]  # between failures no band has any width
    axis.vlines(rate[alone], low[alone], high[alone], color=look.hex, alpha=0.5, linewidth=1.2)


def _draw_bar(axis: Axes, line: pd.DataFrame, look: Look, place: float) -> None:
    mean, std = line["mean"].to_numpy(), line["std"].fillna(0.0).to_numpy()
    axis.errorbar([place], mean, yerr=std, color=look.hex, capsize=2.5, elinewidth=1.2, **_line(look))


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
    """No band is drawn past what a percentage can be."""
    finite = panel.loc[np.isfinite(panel["mean"]), "mean"]
    if finite.empty:
        axis.set_yticks([])
        axis.text(0.5, 0.5, "no trial gave a value", transform=axis.transAxes, ha="center", va="center", color="0.4")
    elif panel["percent"].iloc[0]:
        low, high = axis.get_ylim()
        axis.set_ylim(max(low, -2.0) if finite.min() >= 0 else low, min(high, 102.0))
