"""Quality against time: the score of each method and its seconds, with those that nobody dominates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator, NullFormatter

from mvarena.analysis.boards import Board, on_front
from mvarena.analysis.standings import by_corpus
from mvarena.report.context import Context
from mvarena.report.drawing.canvas import (
    CELL_LETTER,
    SMALL,
    Drawing,
    caption,
    drawable_words,
    panels,
    rule,
    set_head,
)
from mvarena.report.drawing.legend import legend_height, legend_labels, line_style, method_legend
from mvarena.report.style import Looks

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "each metric against the seconds of a trial, with the methods that no other dominates"
NEEDS = "two methods or more with a score and a time under one condition"
SPLIT = ("metric", "group")
_HIGH = 3.2  # inches
_NAME: dict[str, Any] = {"fontsize": SMALL, "color": "0.35"}


def points(results: ReportData) -> pd.DataFrame:
    """One row per metric, condition and method with a score and a time: over all data sets and conditions where there
    is a board, else of each data set and condition.

    wall_s : mean seconds per trial: preparation, fit, assignment of all restarts, scoring; over data sets their
    geometric mean. mean : of a method that finished everything, its mean over corpora; of others (finished below
    conditions) that of the first place, less their distance to it on what both finished. on_front : nobody who finished
    everything is both faster and better. Of a board, a filter hides methods and changes no number.
    """
    context = results.context
    parts = []
    for metric in results.metrics:
        board = results.board(metric)
        if board is not None:
            parts.append(_of_board(board, results))
            continue
        rows = results.methods[results.methods["metric"] == metric]
        parts += [_of_condition(part, context) for _, part in rows.groupby(["dataset", "corruption", "rate"])]
    parts = [part for part in parts if len(part) > 1]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def _of_board(board: Board, results: ReportData) -> pd.DataFrame:
    table, rows, context = board.table, results.whole, results.context
    sign = 1.0 if board.standings.higher_is_better else -1.0
    first = board.standings.contestants[0]
    leader = float(by_corpus(board.standings.cells[[first]], board.standings.corpus_of).mean().iloc[0])
    rows = rows[(rows["metric"] == board.question.metric) & rows["contestant"].isin(table["contestant"])]
    times = rows[rows["wall_s"] > 0].groupby(["contestant", "dataset"])["wall_s"].mean()
    seconds = np.exp(np.log(times).groupby("contestant").mean())
    found = table[table["contestant"].isin(seconds.index) & table["gap"].notna()]
    every = _worded(
        found.assign(
            wall_s=found["contestant"].map(seconds),
            mean=leader - sign * found["gap"],
            label_picked=False,
            group="",
            title=f"{context.question(board.question)}, over {board.standings.over}",
        ),
        board.question.metric,
        context,
    )
    return every[every["contestant"].isin(results.methods["contestant"].unique())]


def _of_condition(rows: pd.DataFrame, context: Context) -> pd.DataFrame:
    dataset, corruption, rate = (rows[name].iloc[0] for name in ("dataset", "corruption", "rate"))
    metric = str(rows["metric"].iloc[0])
    known = rows[np.isfinite(rows["mean"].astype(float)) & (rows["wall_s"] > 0)]
    condition = context.condition(str(corruption), float(rate), [str(dataset)])
    found = known.assign(
        finished=known["n_trials"],
        conditions=known["n_stored"],
        group=f"{dataset} {'' if corruption == 'none' else f'{corruption} {rate:g}'}".strip(),
        title=f"{context.metric(metric)}, {context.dataset(str(dataset))}, {condition}",
    )
    return _worded(found, metric, context)


def _worded(found: pd.DataFrame, metric: str, context: Context) -> pd.DataFrame:
    whole = found["finished"] == found["conditions"]
    front = on_front(found, competing=whole & ~found["label_picked"], higher=context.directions.get(metric, True))
    unit = 100.0 if context.in_percent(metric) else 1.0
    labels = context.contestants(found["contestant"].unique())
    columns = ["contestant", "wall_s", "mean", "finished", "conditions", "label_picked", "group", "title"]
    return found[columns].assign(
        mean=found["mean"] * unit,
        on_front=front,
        metric=metric,
        label=found["contestant"].map(labels),
        metric_axis=context.metric_axis(metric),
    )


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """The points of one metric and question in one panel."""
    points, of_names = drawable_words(points, ("title", "label", "metric_axis"), width)
    labels = legend_labels(points, looks)
    figure, (axis,) = panels(1, 1, _HIGH, width, below=legend_height(list(labels.values()), width))
    _draw(axis, points, looks, width)
    set_head(figure, points["title"].iloc[0])
    method_legend(figure, labels, looks, lines=False)
    open_ones = points["finished"] < points["conditions"]
    hollow = "Hollow: did not finish everything; placed by its distance to the first on what both finished."
    line = "Line: no other method is both faster and better."
    text = f"{points['title'].iloc[0]}, against mean seconds per trial. {line}"
    return Drawing(figure, caption(text, hollow if open_ones.any() else "", of_names))


def _draw(axis: Axes, part: pd.DataFrame, looks: Looks, width: float) -> None:
    front = part[part["on_front"]].sort_values(["wall_s", "mean"])
    axis.plot(front["wall_s"], front["mean"], color="0.6", linewidth=1.0, drawstyle="steps-post", zorder=1)
    for row in part.itertuples():
        name = str(row.contestant)
        style = line_style(looks[name])
        colour = looks.colour(name)
        if name in looks.muted:
            style = {"marker": "o", "markersize": 3.2, "markeredgewidth": 0.0}
        hollow: dict[str, Any] = {}
        if row.finished < row.conditions or row.label_picked:
            hollow = {"markerfacecolor": "white", "markeredgecolor": colour, "markeredgewidth": 0.8}
        axis.plot([row.wall_s], [row.mean], color=colour, zorder=2.5, **style | {"linestyle": "none"} | hollow)
    axis.set_xscale("log")
    fastest, slowest = part["wall_s"].min(), part["wall_s"].max()
    named = front[front["contestant"].isin(looks.muted)]
    share = min(0.5, CELL_LETTER * named["label"].map(len).max() / (width - 0.7)) if len(named) else 0.0  # of the axis
    axis.set_xlim(fastest / max(2.0, (slowest / fastest) ** (share / (1.0 - share))), slowest * 2.0)
    lowest, highest = part["mean"].min(), part["mean"].max()
    room = max(highest - lowest, 1e-3 * abs(highest), 1e-9)
    axis.set_ylim(lowest - 0.06 * room, highest + 0.14 * room)
    _write_names(axis, named)
    if math.log10(slowest / fastest) < 1.2:  # at least two ticks
        axis.xaxis.set_major_locator(FixedLocator(_ticks(*axis.get_xlim())))
    else:
        axis.xaxis.set_major_locator(LogLocator(numticks=8))
    axis.yaxis.set_major_locator(MaxNLocator(6))
    axis.ticklabel_format(axis="y", useOffset=False)
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.set(xlabel="seconds per trial", ylabel=part["metric_axis"].iloc[0])
    rule(axis, "both")


def _write_names(axis: Axes, front: pd.DataFrame) -> None:
    """Names of methods on the front, a line each: nothing is both faster and better, so their upper left is free."""
    inch, above = axis.figure.dpi, -math.inf
    for row in front.sort_values("mean").itertuples():
        place = (row.wall_s, row.mean)
        height = axis.transData.transform(place)[1] * 72.0 / inch  # points
        above = max(height + 2.0, above + 1.1 * SMALL)
        axis.annotate(row.label, place, (-3, above - height), textcoords="offset points", ha="right", **_NAME)


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from `low` to `high`, of which the logarithms are far enough apart: two at least."""
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)):
        values = [round(step * 10.0**power, 12) for power in exponents for step in steps]
        if len(within := [value for value in values if low <= value <= high]) > 1:
            return within
    return [low, high]
