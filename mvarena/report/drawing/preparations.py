"""Methods by scalings and fillings, coloured by their scores on one scale."""

from __future__ import annotations

from itertools import pairwise

import pandas as pd
from matplotlib.figure import Figure

from mvarena.report.drawing.canvas import NOTE, drawable_words
from mvarena.report.drawing.heatmap import draw_grid, grid_for
from mvarena.report.drawing.rate import picked_words
from mvarena.report.figures.preparations import best_first
from mvarena.report.style import Looks
from mvarena.text import plural

_MOST = 110  # methods, as a page has room for


def draw_preparations(points: pd.DataFrame, looks: Looks) -> Figure:
    """The points of one metric (`mvarena.report.figures.preparations.preparation_points`): methods down.

    Methods stand by their mean in the first column. One scale of colours for all cells, so
    that rows and columns can be compared; a gap between any two scalings.
    """
    points, escaped = drawable_words(points, ("title", "label", "metric_axis", "over", "left_out"))
    labels = dict(zip(points["contestant"], points["label"], strict=True))
    picked = set(points.loc[points["label_picked"], "contestant"])
    order = best_first(points)[:_MOST]
    names = {name: f"{labels[name]} *" if name in picked else labels[name] for name in order}
    heads = list(dict.fromkeys(points["title"]))
    means, words = (
        points.pivot(index="contestant", columns="title", values=column).reindex(index=order, columns=heads)
        for column in ("mean", "shown")
    )
    low, high = means.min(axis=None), means.max(axis=None)
    share = (means.astype(float) - low) / (high - low if high > low else 1.0)
    numbered = grid_for(*share.shape).numbers
    rest = len(labels) - len(order)
    remarks = (
        f"colour: from {low:.4g} to {high:.4g}; rows by the first column",
        f"mean over {points['over'].iloc[0]} common to all columns",
        "a/b: results at a of b conditions" if numbered and points["shown"].str.contains("/").any() else "",
        "" if numbered else "blank: not run at all conditions",
        "blank: not run" if numbered and words.isna().any(axis=None) else "",
        points["left_out"].iloc[0],
        f"{plural(rest, 'other method')} not shown: choose with --algo" if rest else "",
        picked_words(points).lstrip("; "),
        NOTE if escaped else "",
    )
    scalings = points.drop_duplicates("title")["scaling"].tolist()
    gaps = [place for place, (one, other) in enumerate(pairwise(scalings), start=1) if one != other]
    shown = words.fillna("") if numbered else words.map(lambda _: "")
    title = f"{points['metric_axis'].iloc[0]} by scaling + filling"
    return draw_grid(share, shown, names, heads, looks, title, remarks, gaps)
