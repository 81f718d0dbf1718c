"""The win-rate matrix: on what share of data sets the row is ahead of the column."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import colormaps, rc_context
from matplotlib.figure import Figure

from mvarena.report.draw.canvas import RC, finish, panels
from mvarena.report.draw.comparison import MAP
from mvarena.report.draw.fonts import NOTE, drawable_words
from mvarena.report.draw.heatmap import IN_CELL, beyond, fill_cells
from mvarena.report.style import Looks

_MOST = 60  # methods: beyond, a page has no room, and the file of the numbers says all
_CELL = (0.3, 0.2)  # inches


def draw_win_rates(points: pd.DataFrame, looks: Looks) -> Figure:
    """The shares of one metric (`mvarena.report.points.standings.win_points`), the better mean rank first."""
    del looks
    points, escaped = drawable_words(points, ("first_label", "second_label", "metric_axis"))
    labels = dict(zip(points["first"], points["first_label"], strict=True))
    names = list(labels)[:_MOST]
    table = points.pivot(index="first", columns="second", values="share").reindex(index=names, columns=names)
    shares = table.to_numpy(dtype=float)
    heads = [labels[name] for name in names]
    longest = max(map(len, heads))
    aside = 0.075 * longest + 0.4 + beyond(heads, _CELL[0], 45)
    size = (aside + _CELL[0] * len(names), 0.06 * longest + 0.9 + _CELL[1] * len(names))
    with rc_context(RC):
        figure, (axis,) = panels(1, 1, size, narrowest=3.2)
        colours = colormaps[MAP].with_extremes(bad="0.95")
        filled = fill_cells(axis, colours(np.ma.masked_invalid(shares / 100)))
        for (row, column), share in np.ndenumerate(shares):
            if np.isfinite(share):
                axis.text(column, row, f"{share:.0f}", fontsize=6.5, color=filled[row][column], **IN_CELL)
        axis.set_xticks(range(len(names)), heads, rotation=45, ha="left", rotation_mode="anchor")
        axis.set_yticks(range(len(names)), heads)
        axis.xaxis.tick_top()
        axis.set_title(f"{points['metric_axis'].iloc[0]}, {points['n_datasets'].iloc[0]} data sets")
        said = "percent of data sets on which the row\nis ahead of the column; a tie is half"
        rest = f"; the {len(labels) - _MOST} of worse mean rank are not shown" if len(labels) > _MOST else ""
        figure.supxlabel(f"{said}{rest}{f'; {NOTE}' if escaped else ''}", fontsize=7.5)
        return finish(figure, passes=2)
