"""The objective of each method by iteration, one panel per method: their values cannot be compared."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from mvarena.analysis.naming import by_name
from mvarena.report.drawing.canvas import (
    Drawing,
    caption,
    drawable_words,
    fitting_panels,
    panels,
    per_row_for,
    rule,
    set_head,
)
from mvarena.report.drawing.grid import MAP
from mvarena.report.drawing.legend import draw_legend, legend_height
from mvarena.report.style import DASHES, Looks
from mvarena.text import plural

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "the objective of each method by iteration"
NEEDS = "finished trials of a method that reports an objective (mvarena show NAME says which)"
SPLIT = ("dataset", "corruption")
_MOST_POINTS = 1000  # of one trace; a longer one is thinned
_COLUMNS = (
    "dataset", "corruption", "rate", "contestant", "seed", "repeat", "iteration", "objective", "converged",
    "stopped_because", "title", "label", "line",
)  # fmt: skip
_HIGH = 1.9  # inches
_LONGEST_TITLE = 28  # letters
_LOGARITHMIC = 50.0  # the ratio of values beyond which the axis is logarithmic


def points(results: ReportData) -> pd.DataFrame:
    """One row per data set, corruption, rate, contestant and iteration of the first repeat that has an objective.

    iteration : counts from 0 where the objective before the first is known, from 1 otherwise. Traces of more than 1,000
    values are thinned evenly, the ends kept. line says the condition.
    """
    values, context = results.method_values, results.context
    trials = values[values["status"] == "DONE"].drop_duplicates(["key", "dataset", "contestant"])
    trials = trials.merge(results.fits, on="key")
    trials = trials[trials["objective"].map(len) > 1].sort_values(["seed", "repeat"], kind="stable")
    trials = trials.drop_duplicates(["dataset", "corruption", "rate", "contestant"])
    if trials.empty:
        return pd.DataFrame(columns=list(_COLUMNS))
    conditions = zip(trials["corruption"], trials["rate"], trials[["dataset"]].to_numpy(), strict=True)
    trials = trials.assign(
        title=trials["dataset"].map(context.dataset),
        label=trials["contestant"].map(context.contestants(trials["contestant"].unique())),
        line=[context.condition(*one) for one in conditions],
    )
    courses = [_course(row.objective, int(row.n_iter)) for row in trials.itertuples()]
    trials = trials.assign(iteration=[item for item, _ in courses], objective=[item for _, item in courses])
    rows = trials.explode(["iteration", "objective"]).astype({"iteration": "int64", "objective": "float64"})
    rows = by_name(rows.sort_values(["corruption", "rate"], kind="stable"), "label")
    return by_name(rows, "dataset")[list(_COLUMNS)].reset_index(drop=True)


def _course(objective: tuple[float, ...], n_iter: int) -> tuple[list[int], list[float]]:
    """The iterations that are shown and their values."""
    first = 0 if len(objective) == n_iter + 1 else 1
    count = len(objective)
    shown = np.unique(np.linspace(0, count - 1, min(count, _MOST_POINTS)).round().astype(int))
    return [int(index) + first for index in shown], [objective[index] for index in shown]


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """The points of one data set and corruption: a panel for each method that does not stand back.

    A line per condition, from dark to light and each with its own dashes; it ends in a dot where the method says that
    it has converged, and in a cross where not.
    """
    every = points["contestant"].nunique()
    if not set(points["contestant"]) <= looks.muted:
        points = points[~points["contestant"].isin(looks.muted)]
    left_out = every - points["contestant"].nunique()
    points, of_names = drawable_words(points, ("title", "label", "line"), width, label=_LONGEST_TITLE)
    parts = [part for _, part in points.groupby("contestant", sort=False)]
    lines = list(dict.fromkeys(points.sort_values("rate")["line"]))
    styles = dict(zip(lines, _styles(len(lines)), strict=True))
    entries = [Line2D([], [], **style, linewidth=1.3) for style in styles.values()]
    ends = [Line2D([], [], color="0.3", linestyle="none", marker=marker, markersize=4) for marker in "ox"]
    per_row = per_row_for(len(parts), width, 2.0)
    parts, no_room = fitting_panels(parts, per_row, _HIGH)
    labels = [*lines, "converged", "stopped before"]
    figure, axes = panels(len(parts), per_row, _HIGH, width, below=legend_height(labels, width) + 0.1)
    for axis, part in zip(axes, parts, strict=True):
        _draw(axis, part, styles)
    set_head(figure, ", ".join([f"Objective on {points['title'].iloc[0]}", *lines[: len(lines) == 1]]))
    draw_legend(figure, [*entries, *ends], labels)
    others = f"{plural(left_out, 'other method')} not drawn." if left_out else ""
    text = f"Objective by iteration on {points['title'].iloc[0]}, in the first repeat of each."
    return Drawing(figure, caption(text, others, no_room, of_names))


def _styles(count: int) -> list[dict[str, Any]]:
    places = np.linspace(0.0, 0.8, max(count, 2))
    dashes = list(DASHES.values())
    return [
        {"color": colormaps[MAP](places[i]), "linestyle": (0.0, dashes[i % len(dashes)]) if i % len(dashes) else "-"}
        for i in range(count)
    ]


def _draw(axis: Axes, part: pd.DataFrame, styles: dict[str, dict[str, Any]]) -> None:
    finite = part["objective"].where(np.isfinite(part["objective"]))
    for line, course in part.assign(objective=finite).groupby("line", sort=False):
        style = styles[str(line)]
        marker = "o" if course["converged"].iloc[-1] else "x"
        end: dict[str, Any] = {"marker": marker, "markersize": 4, "markevery": [len(course) - 1]}
        axis.plot(course["iteration"], course["objective"], **style, **end, linewidth=1.3)
    if finite.min() > 0 and finite.max() / finite.min() > _LOGARITHMIC:
        axis.set_yscale("log")
        axis.yaxis.set_major_locator(LogLocator(numticks=5))
        axis.yaxis.set_minor_formatter(NullFormatter())
    else:
        axis.yaxis.set_major_locator(MaxNLocator(5))
    largest, span = float(finite.abs().max()), float(finite.max() - finite.min())
    digits = min(10, max(5, 2 + math.ceil(math.log10(largest / span)))) if span > 0 else 5  # ticks that differ
    axis.yaxis.set_major_formatter(lambda value, _: f"{value:.{digits}g}")
    axis.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axis.set(title=part["label"].iloc[0], xlabel="iteration", ylabel="objective")
    rule(axis)
