"""Scores at a single condition as bars: methods below each other, a panel per data set and metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from mvarena.analysis.naming import natural_order
from mvarena.report.drawing.canvas import (
    CELL_LETTER,
    SMALL,
    Drawing,
    caption,
    drawable_words,
    fitting_panels,
    in_lines,
    panels,
    rule,
)
from mvarena.report.figures.rate import PANEL, curves, has_one_rate, picked_words
from mvarena.report.style import Looks
from mvarena.text import plural

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "each metric by data set, at a single condition, with lines for the baselines"
NEEDS = "a data set with results at a single rate, or without corruption"
SPLIT = ()
_MOST = 20  # methods
_ROW, _LINE = 0.16, 0.17  # inches, of a bar and of a line of a title
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
    points = zip(every["corruption"], every["rate"], every[["dataset"]].to_numpy(), strict=True)
    condition = [context.condition(*point) for point in points]
    signs = np.array([1.0 if context.directions.get(str(metric), True) else -1.0 for metric in every["metric"]])
    signed = every.assign(signed=(every["mean"] * signs).fillna(-np.inf))
    return every.assign(
        rank=signed.groupby([*PANEL, "rate"])["signed"].rank(ascending=False),
        condition=condition, baseline=np.array([float(known.get(pair, np.nan)) for pair in pairs]) * unit
    ).drop(columns=["rate_axis", "over", "left_out"]).reset_index(drop=True)  # fmt: skip


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """One panel per data set, condition and metric: methods below each other, the best on top, their names on the
    axis."""
    points, of_names = drawable_words(points, ("title", "label", "metric_axis", "condition"), width)
    parts = [part for _, part in points.groupby(["dataset", "corruption", "rate", "metric"], sort=False)]
    parts.sort(key=lambda part: natural_order(str(part["dataset"].iloc[0])))
    ranked = _by_rank(points)
    order = dict(list(ranked.items())[:_MOST])
    names = CELL_LETTER * max(map(len, order.values()))
    per_row = max(1, int((width - names) / 1.5)) if len(parts) > 1 else 1
    per_row = min(per_row, len(parts), 4)
    room = max(1.2, (width - names) / per_row)
    lines = max(_title(part, room).count("\n") + 1 for part in parts)
    height = 0.5 + _LINE * lines + _ROW * len(order)
    parts, left_out = fitting_panels(parts, per_row, height)
    spread = "whisker: one standard deviation" if points["std"].notna().any() else "one value each"
    base = (
        "Dotted: the better trivial baseline (one cluster, random labels)." if points["baseline"].notna().any() else ""
    )
    gone = "×: no value." if points["mean"].isna().any() else ""
    rest = len(ranked) - len(order)
    others = f"{plural(rest, 'other method')} not drawn." if rest else ""
    figure, axes = panels(len(parts), per_row, height, width)
    for index, (axis, part) in enumerate(zip(axes, parts, strict=True)):
        _draw(axis, part, order, looks, named=index % per_row == 0)
        axis.set_title(_title(part, room))
    notes = (base, gone, picked_words(points), others, left_out, of_names)
    return Drawing(figure, caption(f"Bars: mean; {spread}.", *notes))


def _draw(axis: Axes, part: pd.DataFrame, order: dict[str, str], looks: Looks, *, named: bool) -> None:
    rows = part.set_index("contestant").reindex(list(order))
    places = list(range(len(order)))
    for index, (name, row) in zip(places, rows.iterrows(), strict=True):
        spread = row["std"] if np.isfinite(row["std"]) else None
        if np.isfinite(row["mean"]):
            axis.barh(index, row["mean"], 0.75, xerr=spread, color=looks.colour(str(name)), error_kw=_ERRORS)
        else:
            axis.text(0.01, index, "×", transform=axis.get_yaxis_transform(), va="center", fontsize=SMALL)
    if np.isfinite(baseline := float(part["baseline"].iloc[0])):
        axis.axvline(baseline, color="0.3", linestyle=":")
    axis.set_ylim(len(order) - 0.4, -0.6)
    axis.set_yticks(places, list(order.values()) if named else [""] * len(order))
    axis.tick_params(axis="y", length=0)
    axis.set_xlabel(part["metric_axis"].iloc[0])
    rule(axis, "x")
    if part["lowest"].iloc[0] == 0 and part["mean"].notna().any():
        axis.set_xlim(left=0.0, right=min(axis.get_xlim()[1], part["highest"].iloc[0] * 1.02))


def _title(part: pd.DataFrame, room: float) -> str:
    first = part.iloc[0]
    words = (first["title"], f"{first['metric_axis']}, {first['condition']}")
    return "\n".join(in_lines(text, room) for text in words if text)


def _by_rank(points: pd.DataFrame) -> dict[str, str]:
    """Contestant -> label, the best mean rank over all panels first."""
    means = points.groupby("contestant")["rank"].mean().sort_values(kind="stable")
    labels = dict(zip(points["contestant"], points["label"], strict=True))
    picked = set(points.loc[points["label_picked"], "contestant"])
    return {name: f"{labels[name]} *" if name in picked else labels[name] for name in means.index}
