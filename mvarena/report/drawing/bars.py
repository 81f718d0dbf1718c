"""Scores at a single condition as bars: grouped by data set, or lying down where there are many methods."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from mvarena.analysis.naming import natural_order
from mvarena.report.drawing.canvas import NOTE, RC, drawable_words, figure_width, finish, fitting_panels, panels, rule
from mvarena.report.drawing.legend import HATCHES, draw_legend, is_head, legend_height, legend_labels
from mvarena.report.drawing.rate import per_row_of, picked_words, set_limits
from mvarena.report.style import MUTED, Looks
from mvarena.text import plural

_STANDING = 10  # at most so many methods stand side by side
_MOST_LYING = 20  # and so many lie below each other
_REMARK = 0.3  # inches
_BAR = 0.13  # inches
_BARS_HIGH, _ROW = 2.3, 0.17


def draw_bars(points: pd.DataFrame, looks: Looks) -> Figure:
    """One panel per condition and metric; where there are many methods, also per data set.

    points : what `mvarena.report.figures.bars.bar_points` returns, at least one row.
    """
    points, escaped = drawable_words(points, ("title", "label", "metric_axis", "condition"))
    gone = "; × no value" if points["mean"].isna().any() else ""
    spread = "whisker: ± 1 standard deviation" if points["std"].notna().any() else "bar: the mean"
    remark = spread + gone + picked_words(points) + (f"; {NOTE}" if escaped else "")
    with rc_context(RC):
        draw = _standing if points["contestant"].nunique() <= _STANDING else _lying
        return finish(draw(points, looks, remark))


def _standing(points: pd.DataFrame, looks: Looks, remark: str) -> Figure:
    """Data sets side by side, of each a group of bars in the legend's order."""
    parts = [part for _, part in points.groupby(["corruption", "rate", "metric"], sort=False)]
    labels = legend_labels(points, looks)
    names = [name for name in labels if name and not is_head(name)] + sorted(looks.muted & set(points["contestant"]))
    widest = max(part["dataset"].nunique() for part in parts)
    width = max(3.1, 0.9 + widest * (len(names) + 1.5) * _BAR)
    per_row = max(1, min(len(parts), 2, int(9.5 / width)))
    below = legend_height([*labels.values()], figure_width(per_row, width))
    parts, left_out = fitting_panels(parts, per_row, (width, _BARS_HIGH), below)
    remark += left_out
    figure, axes = panels(len(parts), per_row, (width, _BARS_HIGH), below=below)
    for axis, part in zip(axes, parts, strict=True):
        _stand(axis, part, names, looks)
    handles = [_patch(name, looks) for name in labels]
    draw_legend(figure, handles, list(labels.values()), remark, lines=False)
    return figure


def _stand(axis: Axes, part: pd.DataFrame, names: list[str], looks: Looks) -> None:
    values = dict(zip(part["dataset"], part["title"], strict=True))
    titles = {name: values[name] for name in sorted(values, key=natural_order)}
    width = 1 / (len(names) + 1.5)
    position = {dataset: index for index, dataset in enumerate(titles)}
    for index, name in enumerate(names):
        own = part[part["contestant"] == name]
        shift = (index - (len(names) - 1) / 2) * width
        at = own["dataset"].map(position).astype(float) + shift
        axis.bar(at, own["mean"], width, yerr=own["std"], **_filled(name, looks), error_kw=_ERRORS)
        for where, mean in zip(at, own["mean"], strict=True):
            if not np.isfinite(mean):
                axis.text(where, 0.01, "×", transform=axis.get_xaxis_transform(), ha="center", fontsize=7)
    slanted = max(map(len, titles.values())) * 0.075 > 1.1 * (len(names) + 1.5) * _BAR and len(titles) > 1
    ticks: dict[str, Any] = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"} if slanted else {}
    axis.set_xticks(range(len(titles)), list(titles.values()), **ticks)
    axis.set_xlim(-0.6, len(titles) - 0.4)
    axis.tick_params(axis="x", length=0)
    axis.set(ylabel=part["metric_axis"].iloc[0], title=part["condition"].iloc[0])
    rule(axis)
    _from_zero(axis, part)


def _lying(points: pd.DataFrame, looks: Looks, remark: str) -> Figure:
    """Methods below each other, best on top, their names on the axis: no legend is needed."""
    parts = [part for _, part in points.groupby(["dataset", "corruption", "rate", "metric"], sort=False)]
    parts.sort(key=lambda part: natural_order(str(part["dataset"].iloc[0])))
    ranked = _by_rank(points)
    order = dict(list(ranked.items())[:_MOST_LYING])
    rest = list(ranked)[len(order) :]
    shown = "one tick each in the last row: choose with --algo or --family"
    remark += f"; the {plural(len(rest), 'method')} of lower mean rank: {shown}" if rest else ""
    per_row = per_row_of(points, len(parts))
    size = (3.3, 0.75 + _ROW * (len(order) + bool(rest)))
    parts, left_out = fitting_panels(parts, per_row, size, _REMARK)
    remark = textwrap.fill(remark + left_out, int(15 * figure_width(per_row, size[0])), break_on_hyphens=False)
    figure, axes = panels(len(parts), per_row, size, below=_REMARK)
    for index, (axis, part) in enumerate(zip(axes, parts, strict=True)):
        _lie(axis, part, order, looks, named=index % per_row == 0)
        if rest:
            _strokes(axis, part, rest, len(order), named=index % per_row == 0)
    figure.supxlabel(remark, fontsize=8)
    return figure


def _lie(axis: Axes, part: pd.DataFrame, order: dict[str, str], looks: Looks, *, named: bool) -> None:
    rows = part.set_index("contestant").reindex(list(order))
    places = list(range(len(order)))
    for index, (name, row) in zip(places, rows.iterrows(), strict=True):
        spread = row["std"] if np.isfinite(row["std"]) else None
        filled = _filled(str(name), looks)
        if np.isfinite(row["mean"]):
            axis.barh(index, row["mean"], 0.75, xerr=spread, **filled, error_kw=_ERRORS)
        else:
            axis.text(0.01, index, "×", transform=axis.get_yaxis_transform(), va="center", fontsize=7)
    axis.set_ylim(len(order) - 0.4, -0.6)
    axis.set_yticks(places, list(order.values()) if named else [""] * len(order))
    axis.tick_params(axis="y", length=0)
    words = "\n".join(filter(None, (part["title"].iloc[0], part["condition"].iloc[0])))
    axis.set(xlabel=part["metric_axis"].iloc[0], title=words)
    rule(axis, "x")
    if part["lowest"].iloc[0] == 0 and part["mean"].notna().any():
        axis.set_xlim(left=0.0, right=min(axis.get_xlim()[1], part["highest"].iloc[0] * 1.02))


def _strokes(axis: Axes, part: pd.DataFrame, names: list[str], row: int, *, named: bool) -> None:
    """The methods of a panel that have no bar, as strokes in one row below the bars."""
    means = part.set_index("contestant")["mean"].reindex(names).dropna()
    axis.plot(means, [row] * len(means), "|", color="0.45", markersize=6, markeredgewidth=0.7)
    axis.set_yticks([*axis.get_yticks(), row], [*_words(axis), f"{len(names)} others" if named else ""])
    axis.set_ylim(row + 0.6, -0.6)
    if part["lowest"].iloc[0] == 0 and means.size:
        axis.set_xlim(right=max(axis.get_xlim()[1], 1.02 * float(means.max())))


def _words(axis: Axes) -> list[str]:
    return [label.get_text() for label in axis.get_yticklabels()]


def _by_rank(points: pd.DataFrame) -> dict[str, str]:
    """Contestant -> label, the highest mean over all panels first."""
    filled = points.assign(mean=points["mean"].fillna(-np.inf))
    ranks = filled.groupby(["dataset", "corruption", "rate", "metric"])["mean"].rank(ascending=False)
    means = ranks.groupby(points["contestant"]).mean().sort_values(kind="stable")
    labels = dict(zip(points["contestant"], points["label"], strict=True))
    picked = set(points.loc[points["label_picked"], "contestant"])
    return {name: f"{labels[name]} *" if name in picked else labels[name] for name in means.index}


def _from_zero(axis: Axes, part: pd.DataFrame) -> None:
    """A bar's length is its number where the metric starts at 0."""
    set_limits(axis, part)
    if part["lowest"].iloc[0] == 0 and part["mean"].notna().any():
        axis.set_ylim(bottom=0.0)


_ERRORS = {"elinewidth": 0.9, "capsize": 1.5, "ecolor": "0.2"}


def _filled(name: str, looks: Looks) -> dict[str, Any]:
    if name in looks.muted:
        return {"color": MUTED, "linewidth": 0.0}
    hatch = HATCHES[looks[name].marker]
    return {"color": looks.colour(name), "hatch": hatch, "edgecolor": "white", "linewidth": 0.4}


def _patch(name: str, looks: Looks) -> Patch:
    if is_head(name):
        return Patch(facecolor="none")
    if not name:
        return Patch(facecolor=MUTED)
    hatch = HATCHES[looks[name].marker]
    return Patch(facecolor=looks.colour(name), hatch=2 * hatch, edgecolor="white", linewidth=0.4)
