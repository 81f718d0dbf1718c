"""The main figure of the papers: a metric against the missing rate, one line per method, one panel per data set.

Only this module and `panels` know matplotlib; they draw on figures of their own, without pyplot and global state.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from typing import Any, Literal

import pandas as pd
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D

from mvarena.analysis.contestants import natural_order
from mvarena.contracts.look import Look
from mvarena.report.curves import PANEL
from mvarena.report.panels import draw_panel, line_style
from mvarena.report.style import hex_code, line_pattern
from mvarena.report.wording import PICKED_MARK

DPI = 200
_PANEL_WIDTH, _PANEL_HEIGHT = 3.1, 2.5  # inches
_NARROWEST = 4.6
_LEGEND_ROW = 0.19
_CHARACTER = 0.068
_HANDLE = 0.55
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


def by_rate(points: pd.DataFrame, looks: Mapping[str, Look], *, columns: int | None = None) -> Figure:
    """One panel per data set, corruption and metric; in each, one line per contestant with a band of +-1 std.

    Parameters
    ----------
    points : what `mvarena.report.curves.curves` returns, at least one row.
    looks : contestant -> look (`mvarena.report.style.looks`).
    columns : panels per row; None: the metrics of one data set in a row, or three panels where there is one metric.

    Cost: some 0.2 s per panel.
    """
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
            draw_panel(axis, panel, looks)
        for axis in axes[len(panels) :]:
            axis.set_axis_off()
        _draw_legend(figure, points, labels, looks, legend_columns)
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
    """Contestant -> its label, marked if ground truth picked any of its numbers; in the labels' natural order."""
    picked = set(points.loc[points["label_picked"], "contestant"])
    shown = dict(zip(points["contestant"], points["label"], strict=True))
    names = sorted(shown, key=lambda name: natural_order(shown[name]))
    return {name: f"{shown[name]} {PICKED_MARK}" if name in picked else shown[name] for name in names}


def _legend_columns(labels: list[str], width: float) -> int:
    entry = max(len(label) for label in labels) * _CHARACTER + _HANDLE
    fitting = max(1, int(width / entry))
    rows = math.ceil(len(labels) / fitting)
    return math.ceil(len(labels) / rows)


def _draw_legend(
    figure: Figure, points: pd.DataFrame, labels: Mapping[str, str], looks: Mapping[str, Look], columns: int
) -> None:
    lines = bool(_has_lines(points).any())
    picked = bool(points["label_picked"].any())
    figure.legend(
        [_handle(looks[name], line=lines) for name in labels],
        list(labels.values()),
        loc="outside lower center",
        ncols=columns,
        title=f"mean; {_spread_words(points)}{f'; {PICKED_MARK} picked by ground truth' if picked else ''}",
        frameon=False,
        handlelength=3.2 if lines else 1.2,
        columnspacing=1.4,
    )


def _handle(look: Look, *, line: bool) -> Line2D:
    return Line2D([], [], color=hex_code(look), linestyle=line_pattern(look) if line else "none", **line_style(look))
