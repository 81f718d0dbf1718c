"""Missing patterns: samples down, sorted by which views they have, views across, the counts beside."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from mvarena.report.drawing.canvas import NOTE, RC, drawable_words, finish, panels
from mvarena.report.drawing.legend import draw_legend
from mvarena.report.style import COLOURS, Looks

_OBSERVED, _MISSING = COLOURS["blue"], "#E6E6E6"
_MOST_PANELS = 6
_MOST_NAMED = 24  # views whose names have room
_HIGH = 2.6  # inches
_LINE = 0.02  # between patterns of this share at least there is a line
_ROOM = 0.05  # a count is written where its pattern has this share of the height


def draw_missing(points: pd.DataFrame, looks: Looks) -> Figure:
    """The points of one data set and corruption (`mvarena.report.figures.missing.missing_points`), a panel per rate."""
    del looks
    points, escaped = drawable_words(points, ("title", "view", "condition"))
    rates = np.sort(points["rate"].unique())
    shown = rates[np.unique(np.linspace(0, len(rates) - 1, min(len(rates), _MOST_PANELS)).round().astype(int))]
    parts = [points[points["rate"] == rate] for rate in shown]
    n_views = points["view"].nunique()
    names = 0.065 * max(map(len, points["view"])) if n_views <= _MOST_NAMED else 0.1
    size = (max(2.0, 0.9 + 0.32 * min(n_views, 12)), _HIGH + names)
    per_row = max(1, min(len(parts), int(9.6 / size[0])))
    with rc_context(RC):
        figure, axes = panels(len(parts), per_row, size, below=0.6)
        for axis, part in zip(axes, parts, strict=True):
            _draw(axis, part)
        for axis in axes[::per_row]:
            axis.set_ylabel("samples, sorted by pattern")
        figure.suptitle(points["title"].iloc[0], fontsize=9.5)
        left_out = f"; {len(shown)} of {len(rates)} rates" if len(shown) < len(rates) else ""
        remark = f"{left_out}{f'; {NOTE}' if escaped else ''}"
        text = f"numbers: samples of frequent patterns,\nand what each view misses{remark}"
        handles = [Patch(facecolor=colour) for colour in (_OBSERVED, _MISSING)]
        draw_legend(figure, handles, ["observed", "missing"], text, lines=False)
        return finish(figure)


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
            axis.text(len(views) - 0.42, top + n / 2, f"{n:,}", va="center", fontsize=7)
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
    words = part["condition"].iloc[0] or "as it is"
    many = part["pattern"].nunique()
    axis.set_title(f"{words}\n{total:,} samples, {many} pattern{'s' * (many > 1)}", fontsize=8)
    _name_views(axis, part, views, total)


def _name_views(axis: Axes, part: pd.DataFrame, views: list[str], total: int) -> None:
    missing = part[~part["observed"]].groupby("view")["n"].sum().reindex(views).fillna(0) / total
    if len(views) > _MOST_NAMED:
        axis.set_xticks([])
        axis.set_xlabel(f"{len(views)} views, which miss {100 * missing.min():.0f} to {100 * missing.max():.0f} %")
        return
    labels = [f"{view}  {100 * missing[view]:.0f} %" for view in views]
    axis.set_xticks(range(len(views)), labels, rotation=90, fontsize=7.5)
