"""The main figure of the papers: a metric against the missing rate, one line per method, one panel per data set."""

from __future__ import annotations

import pandas as pd
from matplotlib import rc_context
from matplotlib.figure import Figure

from mvarena.report.draw.canvas import RC, figure_width, finish, panels
from mvarena.report.draw.fonts import NOTE, drawable_words
from mvarena.report.draw.legend import legend_height, legend_labels, method_legend
from mvarena.report.draw.panels import draw_panel
from mvarena.report.points.rate import PANEL
from mvarena.report.style import Looks
from mvarena.report.wording import PICKED_MARK

_SIZE = (3.1, 2.5)


def by_rate(points: pd.DataFrame, looks: Looks, *, columns: int | None = None) -> Figure:
    """One panel per data set, corruption and metric; in each, one line per contestant with a band of +-1 std.

    Parameters
    ----------
    points : what `mvarena.report.points.rate.curves` returns, at least one row.
    looks : of its contestants.
    columns : panels per row; None: the metrics of one data set in a row, or three panels where there is one metric.

    Cost: some 0.2 s per panel.
    """
    points, escaped = drawable_words(points, ("title", "rate_axis", "metric_axis", "label"))
    parts = [part for _, part in points.groupby(PANEL, sort=False)]
    per_row = per_row_of(points, len(parts)) if columns is None else min(columns, len(parts))
    labels = legend_labels(points, looks)
    below = legend_height(list(labels.values()), figure_width(per_row, _SIZE[0]))
    with rc_context(RC):
        figure, axes = panels(len(parts), per_row, _SIZE, below=below)
        for axis, panel in zip(axes, parts, strict=True):
            draw_panel(axis, panel, looks)
        title = "mean; band: ± 1 standard deviation" + picked_words(points) + (f"; {NOTE}" if escaped else "")
        method_legend(figure, labels, looks, title)
        return finish(figure)


def picked_words(points: pd.DataFrame) -> str:
    """What a legend's title says of the mark, where a number has it."""
    return f"; {PICKED_MARK} picked by ground truth" if points["label_picked"].any() else ""


def per_row_of(points: pd.DataFrame, n_panels: int) -> int:
    """Panels per row: a data set's metrics side by side, or up to three data sets."""
    metrics = int(points["metric"].nunique())
    if metrics > 1:
        return min(4, metrics)
    return 2 if n_panels == 4 else min(3, n_panels)
