"""Methods by data sets as a heat map: the mean over the rates of one corruption, with the numbers in the cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from mvarena.analysis.naming import natural_order
from mvarena.report.drawing.canvas import Drawing, caption, drawable_words
from mvarena.report.drawing.grid import MOST_ROWS, columns_with_room, draw_grid, has_numbers, relative
from mvarena.report.figures.rate import picked_words
from mvarena.report.formatting import NOT_RUN, STATUS_WORDS, shown_number
from mvarena.report.style import Looks
from mvarena.text import plural

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "methods by data sets, the mean over the rates of a corruption in each cell"
NEEDS = "two methods or more on two data sets or more under one corruption"
SPLIT = ("metric", "corruption")
_ENTRY = ["dataset", "corruption", "contestant", "metric"]
_OWN_RATES = "mean over the rates of each data set"
_BELOW = -0.01  # the colour's place of who failed: behind all that have a number


def points(results: ReportData) -> pd.DataFrame:
    """One row per data set, corruption, contestant and metric with two methods and two data sets or more.

    mean : over the rates, in the unit shown; NaN where some rate that anybody has there has none. shown : the mean as
    text, or what became of it. condition : the corruption and its rates in words. higher : whether higher is
    better.
    """
    context, rows = results.context, results.methods
    rates = rows.groupby(["dataset", "corruption"])["rate"].nunique().rename("of_rates").reset_index()
    known = rows.assign(known=rows["mean"].notna())
    cells = known.groupby(_ENTRY, sort=False).agg(
        mean=("mean", "mean"), n_rates=("known", "sum"), label_picked=("label_picked", "any"), rate=("rate", "first")
    )
    worst = known[~known["known"]].drop_duplicates(_ENTRY).set_index(_ENTRY)["status"]
    cells = cells.join(worst).reset_index().merge(rates, on=["dataset", "corruption"])
    all_known = cells["n_rates"] == cells["of_rates"]
    status = cells["status"].where(cells["n_rates"] == 0, "INCOMPLETE").mask(all_known, "DONE")
    percent = cells["metric"].map(context.in_percent)
    labels = context.contestants(cells["contestant"].unique())
    cells = cells.assign(
        status=status,
        mean=cells["mean"].where(all_known) * percent.map({True: 100.0, False: 1.0}),
        shown=[
            shown_number(mean, percent=hundred) if state == "DONE" else STATUS_WORDS.get(state, NOT_RUN)
            for mean, hundred, state in zip(cells["mean"], percent, status, strict=True)
        ],
        title=cells["dataset"].map(context.dataset),
        label=cells["contestant"].map(labels),
        metric_axis=cells["metric"].map(context.metric_axis),
        higher=[context.directions.get(str(metric), True) for metric in cells["metric"]],
    )
    groups = cells.groupby(["corruption", "metric"])
    several = (groups["contestant"].transform("nunique") > 1) & (groups["dataset"].transform("nunique") > 1)
    return _with_conditions(cells[several].drop(columns="rate"), rows, results)


def _with_conditions(cells: pd.DataFrame, rows: pd.DataFrame, results: ReportData) -> pd.DataFrame:
    words = {}
    for (corruption, metric), own in cells.groupby(["corruption", "metric"]):
        there = rows[(rows["corruption"] == corruption) & rows["dataset"].isin(own["dataset"])]
        rates = {tuple(sorted(part.unique())) for _, part in there.groupby("dataset")["rate"]}
        named = there["dataset"].unique()
        shared = results.context.conditions(str(corruption), rates.pop(), named) if len(rates) == 1 else ""
        words[corruption, metric] = shared or f"{results.context.corruption(str(corruption))}, {_OWN_RATES}"
    pairs = zip(cells["corruption"], cells["metric"], strict=True)
    return cells.assign(condition=[words[pair] for pair in pairs]).reset_index(drop=True)


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """The points of one corruption and metric: methods down, the best first by the mean of their colours.

    Colours run from the lowest to the highest number of each data set; who failed has the lowest, and what was not run
    does not count.
    """
    del looks
    points, of_names = drawable_words(points, ("title", "label", "metric_axis", "condition"), width)
    points = points.assign(label=points["label"].where(~points["label_picked"], points["label"] + " *"))
    labels = dict(zip(points["contestant"], points["label"], strict=True))
    every = dict(zip(points["dataset"], points["title"], strict=True))
    most = columns_with_room(list(labels.values()), width)
    titles = {name: every[name] for name in sorted(every, key=natural_order)[:most]}
    table = points.pivot(index="contestant", columns="dataset", values="mean").astype(float)
    share = relative(table.reindex(index=list(labels), columns=list(titles)))
    states = points.pivot(index="contestant", columns="dataset", values="status").reindex_like(share)
    failed = states.notna() & ~states.isin(["DONE", "INCOMPLETE"])
    better = share if points["higher"].iloc[0] else 1.0 - share
    ahead = better.mask(failed, _BELOW).mean(axis=1).dropna()  # without who ran at some rates alone everywhere
    order = list(ahead.sort_values(ascending=False, kind="stable").index[:MOST_ROWS])
    names = {name: labels[name] for name in order}
    numbers = has_numbers(len(titles), list(names.values()), width)
    words = points.pivot(index="contestant", columns="dataset", values="shown").reindex(order)[list(titles)]
    words = words.where(states.loc[order] == "DONE", states.loc[order].map(_mark))
    shown = words.fillna(NOT_RUN) if numbers else states.loc[order].map(_mark)
    title = f"{points['metric_axis'].iloc[0]}, {points['condition'].iloc[0]}"
    text = caption(
        f"{title}. Colour: from the lowest to the highest number of each column; rows by mean colour, the best first. "
        "×: no value; ·: not run at all rates; blank or –: not run.",
        "Not all data sets have the same rates." if points["condition"].iloc[0].endswith(_OWN_RATES) else "",
        _left_out(len(every) - len(titles), "data set"),
        _left_out(len(labels) - len(order), "method"),
        picked_words(points),
        of_names,
    )
    return Drawing(draw_grid(share.loc[order], shown, names, list(titles.values()), title, width), text)


def _mark(status: object) -> str:
    """A cross for what gave no number, a dot for what lacks rates, nothing for all else."""
    return "" if pd.isna(status) or status == "DONE" else "·" if status == "INCOMPLETE" else "×"


def _left_out(count: int, noun: str) -> str:
    return f"{plural(count, noun)} not drawn; filters choose among them." if count > 0 else ""
