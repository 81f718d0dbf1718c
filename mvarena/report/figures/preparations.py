"""Methods by scalings and fillings, coloured by their scores on one scale."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pandas as pd

from mvarena.report.drawing.canvas import Drawing, caption, drawable_words
from mvarena.report.drawing.grid import columns_with_room, draw_grid, has_numbers
from mvarena.report.figures.rate import picked_words
from mvarena.report.style import Looks
from mvarena.report.tables.preparations import best_first, shown_mean
from mvarena.text import plural

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "methods by scalings and fillings, over the conditions and repeats common to all"
NEEDS = "two methods or more under two scalings or fillings or more, on the same data"
SPLIT = ("metric",)
_MOST = 20  # methods


def points(results: ReportData) -> pd.DataFrame:
    """`results.preparations` with words, in the unit shown: no rows below two preparations."""
    context, rows = results.context, results.preparations
    if rows.empty:
        return rows
    percent = rows["metric"].map(context.in_percent)
    cells = zip(*(rows[name] for name in ("mean", "status", "n_conditions", "of_conditions")), percent, strict=True)
    shown = [shown_mean(*cell, percent=hundred) for *cell, hundred in cells]
    return rows.assign(
        mean=rows["mean"] * percent.map({True: 100.0, False: 1.0}),
        shown=shown,
        title=[title_of(*pair) for pair in zip(rows["scaling"], rows["filling"], strict=True)],
        label=rows["contestant"].map(context.contestants(rows["contestant"].unique())),
        metric_axis=rows["metric"].map(context.metric_axis),
    )


def title_of(scaling: str, filling: str) -> str:
    """'auto + knn'."""
    return f"{scaling} + {filling}" if filling else scaling


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """The points of one metric: methods down, by their mean in the first column, with one scale of colours for all
    cells, so that rows and columns can be compared, and a gap between any two scalings."""
    del looks
    points, of_names = drawable_words(points, ("title", "label", "metric_axis", "over", "left_out"), width)
    labels = dict(zip(points["contestant"], points["label"], strict=True))
    picked = set(points.loc[points["label_picked"], "contestant"])
    order = best_first(points)[:_MOST]
    names = {name: f"{labels[name]} *" if name in picked else labels[name] for name in order}
    heads = list(dict.fromkeys(points["title"]))[: columns_with_room(list(names.values()), width)]
    means, words = (
        points.pivot(index="contestant", columns="title", values=column).reindex(index=order, columns=heads)
        for column in ("mean", "shown")
    )
    low, high = means.min(axis=None), means.max(axis=None)
    share = (means.astype(float) - low) / (high - low if high > low else 1.0)
    numbered = has_numbers(len(heads), list(names.values()), width)
    rest = len(labels) - len(order)
    scalings = points.drop_duplicates("title")["scaling"].tolist()[: len(heads)]
    gaps = [place for place, (one, other) in enumerate(pairwise(scalings), start=1) if one != other]
    shown = words.fillna("") if numbered else words.map(lambda _: "")
    title = f"{points['metric_axis'].iloc[0]} by scaling + filling, mean over {points['over'].iloc[0]}"
    text = caption(
        f"{title} common to all columns. Colour: from {low:.4g} to {high:.4g}.",
        "Rows by the first column.",
        "a/b: results at a of b conditions." if numbered and points["shown"].str.contains("/").any() else "",
        points["left_out"].iloc[0],
        f"{plural(rest, 'other method')} not drawn." if rest else "",
        picked_words(points),
        of_names,
    )
    return Drawing(draw_grid(share, shown, names, heads, title, width, gaps), text)
