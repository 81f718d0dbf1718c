"""Scores at a single condition as bars: grouped by data set, or lying down where there are many methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from mvarena.analysis.naming import natural_order
from mvarena.report.drawing.canvas import (
    CELL_LETTER,
    RC,
    SMALL,
    Drawing,
    caption,
    drawable_words,
    finish,
    fitting_panels,
    in_lines,
    panels,
    per_row_for,
    rule,
)
from mvarena.report.drawing.legend import HATCHES, draw_legend, legend_height, legend_labels
from mvarena.report.figures.rate import PANEL, curves, has_one_rate, picked_words, set_limits
from mvarena.report.style import MUTED, Looks
from mvarena.text import plural

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "each metric by data set, at a single condition, with lines for the baselines"
NEEDS = "a data set with results at a single rate, or without corruption"
SPLIT = ()
_STANDING = 10  # at most so many methods stand side by side
_MOST_LYING = 20  # and so many lie below each other
_BAR, _NARROWEST_BAR = 0.13, 0.05  # inches
_BARS_HIGH, _ROW = 2.2, 0.16
_ERRORS = {"elinewidth": 0.9, "capsize": 1.5, "ecolor": "0.2"}


def points(results: ReportData) -> pd.DataFrame:
    """`mvarena.report.figures.rate.curves` of each data set and corruption that has a single rate.

    condition : in words. rank : by the mean, 1 the best. baseline : of the better baseline on that data set, in
    the unit shown; NaN where unknown.
    """
    context = results.context
    every = curves(results.methods, context)
    every = every[has_one_rate(every)]
    known = results.methods.drop_duplicates(["dataset", "metric"]).set_index(["dataset", "metric"])["control"]
    pairs = zip(every["dataset"], every["metric"], strict=True)
    unit = [100.0 if context.in_percent(metric) else 1.0 for metric in every["metric"]]
    condition = [context.condition(*one) for one in zip(every["corruption"], every["rate"], strict=True)]
    signs = np.array([1.0 if context.directions.get(str(metric), True) else -1.0 for metric in every["metric"]])
    signed = every.assign(signed=(every["mean"] * signs).fillna(-np.inf))
    return every.assign(
        rank=signed.groupby([*PANEL, "rate"])["signed"].rank(ascending=False),
        condition=condition, baseline=np.array([float(known.get(pair, np.nan)) for pair in pairs]) * unit
    ).drop(columns=["rate_axis", "over", "left_out"]).reset_index(drop=True)  # fmt: skip


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """One panel per condition and metric; where there are many methods, also per data set."""
    points, of_names = drawable_words(points, ("title", "label", "metric_axis", "condition"), width)
    gone = "×: no value." if points["mean"].isna().any() else ""
    spread = "whisker: one standard deviation" if points["std"].notna().any() else "one value each"
    base = (
        "Dotted: the better trivial baseline (one cluster, random labels)." if points["baseline"].notna().any() else ""
    )
    with rc_context(RC):
        make = _standing if points["contestant"].nunique() <= _STANDING else _lying
        figure, left_out = make(points, looks, width)
        return Drawing(finish(figure), caption(f"Bars: mean; {spread}.", base, gone, picked_words(points), left_out,
                                               of_names))  # fmt: skip


def _standing(points: pd.DataFrame, looks: Looks, width: float) -> tuple[Figure, str]:
    """Data sets side by side, of each a group of bars in the legend's order."""
    labels = legend_labels(points, looks)
    names = [name for name in labels if name] + sorted(looks.muted & set(points["contestant"]))
    most = max(1, int((width - 0.8) / ((len(names) + 1.5) * _NARROWEST_BAR)))
    parts = [
        piece
        for _, part in points.groupby(["corruption", "rate", "metric"], sort=False)
        for piece in _pieces(part, most)
    ]
    widest = max(part["dataset"].nunique() for part in parts)
    per_row = per_row_for(len(parts), width, max(2.1, 0.8 + widest * (len(names) + 1.5) * _BAR))
    parts, left_out = fitting_panels(parts, per_row, _BARS_HIGH)
    below = legend_height([*labels.values()], width)
    figure, axes = panels(len(parts), per_row, _BARS_HIGH, width, below=below)
    for axis, part in zip(axes, parts, strict=True):
        _stand(axis, part, names, looks, width / per_row)
    draw_legend(figure, [_patch(name, looks) for name in labels], list(labels.values()), lines=False)
    return figure, left_out


def _pieces(part: pd.DataFrame, most: int) -> list[pd.DataFrame]:
    """The rows of a condition, at most so many data sets together."""
    datasets = sorted(part["dataset"].unique(), key=natural_order)
    return [part[part["dataset"].isin(datasets[i : i + most])] for i in range(0, len(datasets), most)]


def _stand(axis: Axes, part: pd.DataFrame, names: list[str], looks: Looks, room: float) -> None:
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
                axis.text(where, 0.01, "×", transform=axis.get_xaxis_transform(), ha="center", fontsize=SMALL)
    for dataset, baseline in part.drop_duplicates("dataset").set_index("dataset")["baseline"].dropna().items():
        axis.hlines(baseline, position[str(dataset)] - 0.45, position[str(dataset)] + 0.45, color="0.3", linestyle=":")
    slanted = max(map(len, titles.values())) * CELL_LETTER * len(titles) > room - 0.8
    ticks: dict[str, Any] = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"} if slanted else {}
    axis.set_xticks(range(len(titles)), list(titles.values()), **ticks)
    axis.set_xlim(-0.6, len(titles) - 0.4)
    axis.tick_params(axis="x", length=0)
    metric = part["metric_axis"].iloc[0]
    axis.set(ylabel=metric, title=in_lines(f"{metric}, {part['condition'].iloc[0]}", room))
    rule(axis)
    _from_zero(axis, part)


def _lying(points: pd.DataFrame, looks: Looks, width: float) -> tuple[Figure, str]:
    """Methods below each other, best on top, their names on the axis: no legend is needed."""
    parts = [part for _, part in points.groupby(["dataset", "corruption", "rate", "metric"], sort=False)]
    parts.sort(key=lambda part: natural_order(str(part["dataset"].iloc[0])))
    ranked = _by_rank(points)
    order = dict(list(ranked.items())[:_MOST_LYING])
    rest = list(ranked)[len(order) :]
    names = CELL_LETTER * max(map(len, order.values()))
    per_row = max(1, int((width - names) / 1.5)) if len(parts) > 1 else 1
    per_row = min(per_row, len(parts), 4)
    height = 0.7 + _ROW * (len(order) + bool(rest))
    parts, left_out = fitting_panels(parts, per_row, height)
    figure, axes = panels(len(parts), per_row, height, width)
    for index, (axis, part) in enumerate(zip(axes, parts, strict=True)):
        _lie(axis, part, order, looks, max(1.2, (width - names) / per_row), named=index % per_row == 0)
        if rest:
            _strokes(axis, part, rest, len(order), named=index % per_row == 0)
    others = f"Last row: one tick for each of the other {plural(len(rest), 'method')}." if rest else ""
    return figure, caption(others, left_out)


def _lie(axis: Axes, part: pd.DataFrame, order: dict[str, str], looks: Looks, room: float, *, named: bool) -> None:
    rows = part.set_index("contestant").reindex(list(order))
    places = list(range(len(order)))
    for index, (name, row) in zip(places, rows.iterrows(), strict=True):
        spread = row["std"] if np.isfinite(row["std"]) else None
        if np.isfinite(row["mean"]):
            axis.barh(index, row["mean"], 0.75, xerr=spread, **_filled(str(name), looks), error_kw=_ERRORS)
        else:
            axis.text(0.01, index, "×", transform=axis.get_yaxis_transform(), va="center", fontsize=SMALL)
    if np.isfinite(baseline := float(part["baseline"].iloc[0])):
        axis.axvline(baseline, color="0.3", linestyle=":")
    axis.set_ylim(len(order) - 0.4, -0.6)
    axis.set_yticks(places, list(order.values()) if named else [""] * len(order))
    axis.tick_params(axis="y", length=0)
    words = "\n".join(in_lines(part[name].iloc[0], room) for name in ("title", "condition") if part[name].iloc[0])
    axis.set(xlabel=part["metric_axis"].iloc[0], title=words)
    rule(axis, "x")
    if part["lowest"].iloc[0] == 0 and part["mean"].notna().any():
        axis.set_xlim(left=0.0, right=min(axis.get_xlim()[1], part["highest"].iloc[0] * 1.02))


def _strokes(axis: Axes, part: pd.DataFrame, names: list[str], row: int, *, named: bool) -> None:
    """The methods of a panel that have no bar, as strokes in one row below the bars."""
    means = part.set_index("contestant")["mean"].reindex(names).dropna()
    axis.plot(means, [row] * len(means), "|", color="0.45", markersize=6, markeredgewidth=0.7)
    words = [label.get_text() for label in axis.get_yticklabels()]
    axis.set_yticks([*axis.get_yticks(), row], [*words, f"{len(names)} others" if named else ""])
    axis.set_ylim(row + 0.6, -0.6)
    if part["lowest"].iloc[0] == 0 and means.size:
        axis.set_xlim(right=max(axis.get_xlim()[1], 1.02 * float(means.max())))


def _by_rank(points: pd.DataFrame) -> dict[str, str]:
    """Contestant -> label, the best mean rank over all panels first."""
    means = points.groupby("contestant")["rank"].mean().sort_values(kind="stable")
    labels = dict(zip(points["contestant"], points["label"], strict=True))
    picked = set(points.loc[points["label_picked"], "contestant"])
    return {name: f"{labels[name]} *" if name in picked else labels[name] for name in means.index}


def _from_zero(axis: Axes, part: pd.DataFrame) -> None:
    """A bar's length is its number where the metric starts at 0."""
    set_limits(axis, part)
    if part["lowest"].iloc[0] == 0 and part["mean"].notna().any():
        axis.set_ylim(bottom=0.0)


def _filled(name: str, looks: Looks) -> dict[str, Any]:
    if name in looks.muted:
        return {"color": MUTED, "linewidth": 0.0}
    hatch = HATCHES[looks[name].marker]
    return {"color": looks.colour(name), "hatch": hatch, "edgecolor": "white", "linewidth": 0.4}


def _patch(name: str, looks: Looks) -> Patch:
    if not name:
        return Patch(facecolor=MUTED)
    hatch = HATCHES[looks[name].marker]
    return Patch(facecolor=looks.colour(name), hatch=2 * hatch, edgecolor="white", linewidth=0.4)
