"""Missing patterns: samples down, sorted by which views they have, views across, the counts beside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Patch, Rectangle

from mvarena.report.context import Context
from mvarena.report.drawing.canvas import (
    CELL_LETTER,
    SMALL,
    Drawing,
    caption,
    drawable_words,
    panels,
    per_row_for,
    set_head,
)
from mvarena.report.drawing.legend import draw_legend
from mvarena.report.style import COLOURS, Looks
from mvarena.report.trial_data import PATTERN_COLUMNS

if TYPE_CHECKING:
    from mvarena.report.data import ReportData

SUMMARY = "samples by the views that they have, as they are and under each corruption and rate"
NEEDS = "to be named, and finished trials on available data in which views are missing"
SPLIT = ("dataset", "corruption")
_OBSERVED, _MISSING = COLOURS["blue"], "#E6E6E6"
_MOST_PANELS = 6
_MOST_NAMED = 24  # views whose names have room
_HIGH = 2.4  # inches
_LINE = 0.02  # between patterns of this share at least there is a line
_ROOM = 0.06  # a count is written where its pattern has this share of the height


def points(results: ReportData) -> pd.DataFrame:
    """`missing_points` of the patterns that were loaded for a report."""
    return missing_points(results.patterns, results.context)


def missing_points(patterns: pd.DataFrame, context: Context) -> pd.DataFrame:
    """`patterns` (`mvarena.report.trial_data.stored_patterns`) with the words title and condition.

    Data sets and conditions in which every sample has every view are left out.
    """
    if patterns.empty:
        return pd.DataFrame(columns=[*PATTERN_COLUMNS, "title", "condition"])
    complete = patterns.groupby(["dataset", "corruption", "rate"])["observed"].transform("all")
    rows = patterns[~complete]
    conditions = zip(rows["corruption"], rows["rate"], strict=True)
    return rows.assign(
        title=rows["dataset"].map(context.dataset),
        condition=[
            "as it is" if corruption == "none" else context.condition(corruption, rate, ())
            for corruption, rate in conditions
        ],
    ).reset_index(drop=True)


def draw(points: pd.DataFrame, looks: Looks, width: float) -> Drawing:
    """The points of one data set and corruption, a panel per rate."""
    del looks
    points, of_names = drawable_words(points, ("title", "view", "condition"), width)
    rates = np.sort(points["rate"].unique())
    shown = rates[np.unique(np.linspace(0, len(rates) - 1, min(len(rates), _MOST_PANELS)).round().astype(int))]
    parts = [points[points["rate"] == rate] for rate in shown]
    n_views = points["view"].nunique()
    names = CELL_LETTER * max(map(len, points["view"])) if n_views <= _MOST_NAMED else 0.1
    per_row = per_row_for(len(parts), width, max(1.6, 0.8 + 0.26 * min(n_views, 12)))
    figure, axes = panels(len(parts), per_row, _HIGH + names, width, below=0.3)
    for axis, part in zip(axes, parts, strict=True):
        _draw(axis, part)
    for axis in axes[::per_row]:
        axis.set_ylabel("samples, sorted by pattern")
    set_head(figure, points["title"].iloc[0])
    draw_legend(
        figure, [Patch(facecolor=colour) for colour in (_OBSERVED, _MISSING)], ["observed", "missing"], lines=False
    )
    left_out = f"Shown: {len(shown)} of {len(rates)} rates." if len(shown) < len(rates) else ""
    numbers = "Numbers: samples of frequent patterns; per cent that each view misses."
    text = f"Missing views of {points['title'].iloc[0]}. {numbers}"
    return Drawing(figure, caption(text, left_out, of_names))


def _draw(axis: Axes, part: pd.DataFrame) -> None:
    views = list(dict.fromkeys(part["view"]))
    total = int(part["n_samples"].iloc[0])
    cells: dict[bool, list[Rectangle]] = {True: [], False: []}
    top, before = 0, 0
    for _, pattern in part.groupby("pattern", sort=True):
        n = int(pattern["n"].iloc[0])
        for index, observed in enumerate(pattern.set_index("view")["observed"].reindex(views)):
            cells[bool(observed)].append(Rectangle((index - 0.46, top), 0.92, n))
        if n >= _ROOM * total:
            axis.text(len(views) - 0.42, top + n / 2, f"{n:,}", va="center", fontsize=SMALL)
        if min(n, before) >= _LINE * total:
            axis.axhline(top, color="white", linewidth=0.8, zorder=3)
        top, before = top + n, n
    for observed, colour in ((True, _OBSERVED), (False, _MISSING)):
        axis.add_collection(PatchCollection(cells[observed], facecolor=colour, edgecolor="none", rasterized=False))
    axis.set_xlim(-0.6, len(views) - 0.4)
    axis.set_ylim(total, 0)
    axis.set_yticks([])
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    words = part["condition"].iloc[0]
    many = part["pattern"].nunique()
    axis.set_title(f"{words}\n{total:,} samples, {many} pattern{'s' * (many > 1)}")
    _name_views(axis, part, views, total)


def _name_views(axis: Axes, part: pd.DataFrame, views: list[str], total: int) -> None:
    missing = part[~part["observed"]].groupby("view")["n"].sum().reindex(views).fillna(0) / total
    if len(views) > _MOST_NAMED:
        axis.set_xticks([])
        axis.set_xlabel(f"{len(views)} views, which miss {100 * missing.min():.0f} to {100 * missing.max():.0f} %")
        return
    labels = [f"{view}  {100 * missing[view]:.0f} %" for view in views]
    axis.set_xticks(range(len(views)), labels, rotation=90, fontsize=SMALL)
