"""A metric against the values of one parameter as lines, or of two as a heat map."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from mvarena.analysis.naming import natural_order
from mvarena.report.drawing.canvas import NOTE, RC, drawable_words, figure_width, finish, fitting_panels, panels, rule
from mvarena.report.drawing.heatmap import draw_cells, relative
from mvarena.report.drawing.legend import draw_legend, handle, legend_height, line_style
from mvarena.report.drawing.rate import per_row_of
from mvarena.report.figures.sensitivity import GRID
from mvarena.report.formatting import NOT_RUN
from mvarena.report.style import Looks, line_pattern
from mvarena.report.style import looks as new_looks

_SIZE = (3.3, 2.5)
_LETTER = 0.065  # inches
_DECADE = 10.0  # the ratio of values beyond which the axis is logarithmic


def draw_sensitivity(points: pd.DataFrame, looks: Looks) -> Figure:
    """The points of one algorithm and parameter, or pair (`mvarena.report.figures.sensitivity.sensitivity_points`).

    Lines are settings of one algorithm, so they have looks of their own.
    """
    del looks
    points, escaped = drawable_words(points, ("title", "label", "line", "panel", "metric_axis"))
    parts = [part for _, part in points.groupby(["dataset", "corruption", "panel", "metric"], sort=False)]
    per_row = per_row_of(points, len(parts))
    remarks = (*dict.fromkeys(over for over in points["over"] if over), NOTE if escaped else "")
    remark = "; ".join(filter(None, remarks))
    with rc_context(RC):
        if points["form"].iloc[0] == GRID:
            figure = _draw_grids(parts, per_row, remark)
        else:
            figure = _draw_lines(points, parts, per_row, remark)
        return finish(figure)


def _draw_lines(points: pd.DataFrame, parts: list[pd.DataFrame], per_row: int, remark: str) -> Figure:
    names = sorted(points["line"].unique(), key=natural_order)
    own = new_looks(names, {})
    labels = [name for name in names if name]
    below = legend_height(labels or [""], figure_width(per_row, _SIZE[0]))
    parts, left_out = fitting_panels(parts, per_row, _SIZE, below)
    figure, axes = panels(len(parts), per_row, _SIZE, below=below)
    for axis, part in zip(axes, parts, strict=True):
        _draw_panel(axis, part, own)
    title = "; ".join(filter(None, ("mean; band: ± 1 standard deviation", remark))) + left_out
    if labels:
        draw_legend(figure, [handle(name, own) for name in labels], labels, title)
    else:
        figure.supxlabel(title, fontsize=8)
    return figure


def _draw_panel(axis: Axes, part: pd.DataFrame, looks: Looks) -> None:
    values = [json.loads(value) for value in part["value"]]
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
    if numbers:
        places = {text: float(value) for text, value in zip(part["value"], values, strict=True)}
    else:
        ordered = sorted(dict.fromkeys(part["value"]), key=natural_order)
        places = {text: float(index) for index, text in enumerate(ordered)}
    for name, line in part.groupby("line", sort=False):
        line = line.assign(x=line["value"].map(places)).sort_values("x")
        spread = line["std"].fillna(0.0)
        look, colour = looks[str(name)], looks.colour(str(name))
        axis.fill_between(
            line["x"], line["mean"] - spread, line["mean"] + spread, color=colour, alpha=0.12, linewidth=0.0
        )
        axis.plot(line["x"], line["mean"], color=colour, linestyle=line_pattern(look), **line_style(look))
    if numbers:
        _number_ticks(axis, np.unique(list(places.values())))
    else:
        labels = [_word(text) for text in places]
        axis.set_xticks(list(places.values()), labels, **_slanted(labels, _SIZE[0]))
    axis.set(title=_title(part), xlabel=part["parameter"].iloc[0], ylabel=part["metric_axis"].iloc[0])
    rule(axis)


def _number_ticks(axis: Axes, values: Any) -> None:
    """A logarithmic axis over decades, on which zero, if it is asked for, stands at the left end; a linear one for even
    steps."""
    positive = values[values > 0]
    shown = values
    even = len(values) > 2 and np.allclose(np.diff(values), np.diff(values)[0])
    if not even and len(positive) > 1 and values[0] >= 0 and positive[-1] / positive[0] > _DECADE:
        least = float(positive[0])
        has_zero = values[0] == 0
        axis.set_xscale("symlog", linthresh=least, linscale=0.5)
        axis.set_xlim(-0.15 * least if has_zero else least / 1.3, 1.3 * float(positive[-1]))
        powers = 10.0 ** np.arange(np.ceil(np.log10(least) - 1e-9), np.floor(np.log10(positive[-1]) + 1e-9) + 1)
        if len(values) > 6 and len(powers) > 1:
            shown = np.concatenate([[0.0], powers]) if has_zero else powers
    kept = _with_room(axis, shown)
    axis.set_xticks(kept, [f"{tick:g}" for tick in kept])
    axis.xaxis.set_minor_locator(NullLocator())


def _with_room(axis: Axes, ticks: Any) -> list[float]:
    """Of the ticks those whose labels do not touch: both ends, and from the left what fits between."""
    to_axes = axis.transData + axis.transAxes.inverted()
    inches = {float(tick): 2.4 * float(to_axes.transform((tick, 0.0))[0]) for tick in ticks}
    widths = {tick: _LETTER * (len(f"{tick:g}") + 1.5) for tick in inches}
    kept = [min(inches)]
    last = max(inches)
    for tick in sorted(inches)[1:]:
        far = inches[tick] - inches[kept[-1]] >= (widths[tick] + widths[kept[-1]]) / 2
        free = tick == last or inches[last] - inches[tick] >= (widths[tick] + widths[last]) / 2
        if far and free:
            kept.append(tick)
    return kept


def _slanted(labels: list[str], width: float) -> dict[str, Any]:
    """Rotation of tick labels on an axis of this width: slanted where they would touch side by side."""
    touching = max(map(len, labels)) * _LETTER * len(labels) > width - 0.9
    return {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if touching else {}


def _draw_grids(parts: list[pd.DataFrame], per_row: int, remark: str) -> Figure:
    """Panels as large as their cells need."""
    across = max(part["value"].nunique() for part in parts)
    down = max(part["second_value"].nunique() for part in parts)
    size = (max(_SIZE[0], 1.0 + 0.42 * across), max(_SIZE[1], 1.1 + 0.22 * down))
    per_row = max(1, min(per_row, int(12 / size[0])))
    parts, left_out = fitting_panels(parts, per_row, size, 0.2)
    remark = f"{remark}{left_out}".lstrip("; ")
    figure, axes = panels(len(parts), per_row, size, below=0.2 if remark else 0.0)
    for axis, part in zip(axes, parts, strict=True):
        _draw_grid(axis, part, size[0])
    if remark:
        figure.supxlabel(remark, fontsize=8)
    return figure


def _draw_grid(axis: Axes, part: pd.DataFrame, width: float) -> None:
    table = part.pivot(index="second_value", columns="value", values="mean").astype(float)
    table = table.reindex(index=sorted(table.index, key=_number)[::-1], columns=sorted(table.columns, key=_number))
    every = relative(pd.DataFrame(table.to_numpy().reshape(-1, 1))).to_numpy().reshape(table.shape)
    share = pd.DataFrame(every, table.index, table.columns)
    words = table.map(lambda value: f"{value:.1f}" if np.isfinite(value) else NOT_RUN)
    draw_cells(axis, share, words, size=7.0)
    heads = [_word(value) for value in table.columns]
    axis.set_xticks(range(table.shape[1]), heads, **_slanted(heads, width))
    axis.set_yticks(range(table.shape[0]), [_word(value) for value in table.index])
    title = ", ".join(filter(None, (part["metric_axis"].iloc[0], _title(part), part["panel"].iloc[0])))
    axis.set(title=title, xlabel=part["parameter"].iloc[0], ylabel=part["second"].iloc[0])


def _title(part: pd.DataFrame) -> str:
    return f"{part['label'].iloc[0]} on {part['title'].iloc[0]}"


def _number(text: str) -> float:
    return float(json.loads(text))


def _word(text: str) -> str:
    value = json.loads(text)
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
