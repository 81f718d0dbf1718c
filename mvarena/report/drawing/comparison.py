"""Every method against every other: the comparison matrix (gains, wins, Wilcoxon's p-value) and the win-rate matrix."""

from __future__ import annotations

import math
import textwrap

import numpy as np
import pandas as pd
from matplotlib import colormaps, rc_context
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, TwoSlopeNorm
from matplotlib.figure import Figure

from mvarena.report.drawing.canvas import NOTE, RC, drawable_words, finish, panels
from mvarena.report.drawing.heatmap import IN_CELL, Grid, beyond, fill_cells
from mvarena.report.style import Looks

_MOST = 12  # methods: beyond, the words in the cells cannot be read
_CELL = (0.82, 0.5)  # inches
MAP = "PuOr_r"  # purple and orange, which all eyes tell apart; white is no difference


def draw_comparison(points: pd.DataFrame, looks: Looks) -> Figure:
    """The pairs of one metric (`mvarena.report.figures.standings.comparison_points`), of at most twelve methods."""
    del looks
    points, escaped = drawable_words(points, ("first_label", "second_label", "metric_axis", "claim", "left_out"))
    labels = dict(zip(points["first"], points["first_label"], strict=True))
    labels |= dict(zip(points["second"], points["second_label"], strict=True))
    means = dict(zip(points["first"], points["first_value"], strict=True))
    means |= dict(zip(points["second"], points["second_value"], strict=True))
    names = list(labels)[:_MOST]  # the better mean rank first, as the pairs are
    left_out = len(labels) - len(names)
    with rc_context(RC):
        digits = _decimals([means[name] for name in names])
        heads = [f"{labels[name]}\n{means[name]:.{digits}f}" for name in names]
        shown = [labels[name] for name in names]
        width = 0.07 * max(map(len, shown)) + 0.4 + beyond(shown, _CELL[0], 30)
        size = (width + _CELL[0] * len(names), 1.4 + 0.05 * max(map(len, heads)) + _CELL[1] * len(names))
        figure, (axis,) = panels(1, 1, size)
        _cells(axis, points, names, digits)
        axis.set_xticks(range(len(names)), heads, rotation=30, ha="left", rotation_mode="anchor")
        axis.set_yticks(range(len(names)), heads)
        axis.xaxis.tick_top()
        counted = f", {points['counted'].iloc[0]}" if points["counted"].iloc[0] else ""
        axis.set_title(f"{points['metric_axis'].iloc[0]}, {points['over'].iloc[0]}{counted}")
        worse = f"The {left_out} methods of worse mean rank are" if left_out > 1 else "The worst by mean rank is"
        rest = f" {worse} not shown." if left_out else ""
        text = (
            "Cells: by how much the row is better than the column; its wins / ties / losses; p of Wilcoxon's "
            f"test, bold where told apart after Holm at 0.05.{rest}"
        )
        words = (text, points["claim"].iloc[0], points["left_out"].iloc[0], NOTE if escaped else "")
        caption = textwrap.fill(" ".join(filter(None, words)), max(60, int(size[0] * 15)), break_on_hyphens=False)
        figure.supxlabel(caption, fontsize=7.5)
        return finish(figure, passes=2)


def _decimals(means: list[float]) -> int:
    """Number of decimals of all numbers: as many as give the largest mean four digits."""
    largest = max((abs(value) for value in means if np.isfinite(value)), default=0.0)
    return max(0, 3 - math.floor(math.log10(largest))) if largest >= 1 else 4


def _cells(axis: Axes, points: pd.DataFrame, names: list[str], digits: int) -> None:
    gains = pd.DataFrame(np.nan, index=names, columns=names)
    words: dict[tuple[int, int], tuple[str, bool]] = {}
    position = {name: number for number, name in enumerate(names)}
    for row in points.itertuples():
        if row.first not in position or row.second not in position:
            continue
        for item, other, sign in ((row.first, row.second, 1), (row.second, row.first, -1)):
            gains.loc[item, other] = sign * row.gain
            counts = (row.wins, row.ties, row.losses)[::sign]
            p_value = f"p = {row.p:.2g}" if row.p >= 0.001 else "p < 0.001"
            text = f"{sign * row.gain:+.{digits}f}\n{' / '.join(map(str, counts))}\n{p_value}"
            words[(position[item], position[other])] = (text, row.told_apart)
    widest = max(float(np.nanmax(np.abs(gains.to_numpy()))), 1e-12)
    norm = TwoSlopeNorm(0.0, -widest, widest)
    colours = colormaps[MAP].with_extremes(bad="0.95")
    filled = fill_cells(axis, colours(norm(np.ma.masked_invalid(gains.to_numpy()))))
    for (row, column), (text, significant) in words.items():
        weight = "bold" if significant else "normal"
        axis.text(column, row, text, fontsize=6.5, color=filled[row][column], weight=weight, **IN_CELL)


# The win-rate matrix: on what share of data sets the row is ahead of the column.

_MOST_METHODS = 110  # beyond, a page has no room, and the file of the numbers says all
_MOST_NUMBERED = 24  # methods: beyond, numbers cannot be read on a page
_NUMBERED, _COLOURED = Grid((0.3, 0.2), 45, 8.0, True), Grid((0.125, 0.125), 90, 6.5, False)


def draw_win_rates(points: pd.DataFrame, looks: Looks) -> Figure:
    """The shares of one metric (`mvarena.report.figures.standings.win_points`), the better mean rank first.

    Beyond 24 methods colours alone say the shares.
    """
    del looks
    points, escaped = drawable_words(points, ("first_label", "second_label", "metric_axis"))
    labels = dict(zip(points["first"], points["first_label"], strict=True))
    names = list(labels)[:_MOST_METHODS]
    grid = _NUMBERED if len(names) <= _MOST_NUMBERED else _COLOURED
    table = points.pivot(index="first", columns="second", values="share").reindex(index=names, columns=names)
    shares = table.to_numpy(dtype=float)
    heads = [labels[name] for name in names]
    width, height = grid.size(heads, heads)
    text = "percent of corpora on which the row is ahead of the column; a tie counts half"
    left_out = len(labels) - len(names)
    rest = f"; the {left_out} methods of worse mean rank are not shown" if left_out else ""
    with rc_context(RC):
        figure, (axis,) = panels(1, 1, (width, height + (0.0 if grid.numbers else 0.55)), narrowest=3.2)
        colours = colormaps[MAP].with_extremes(bad="0.95")
        filled = fill_cells(axis, colours(np.ma.masked_invalid(shares / 100)))
        for (row, column), share in np.ndenumerate(shares):
            if grid.numbers and np.isfinite(share):
                axis.text(column, row, f"{share:.0f}", fontsize=6.5, color=filled[row][column], **IN_CELL)
        grid.label(axis, heads, heads)
        axis.set_title(f"{points['metric_axis'].iloc[0]}, {points['over'].iloc[0]}")
        if not grid.numbers:
            scale = ScalarMappable(Normalize(0, 100), colours)
            bar = figure.colorbar(scale, ax=axis, location="bottom", shrink=0.5, aspect=30)
            bar.ax.tick_params(labelsize=7.5)
        sentence = f"{text}{rest}{f'; {NOTE}' if escaped else ''}"
        figure.supxlabel(textwrap.fill(sentence, int(13 * max(width, 3.2))), fontsize=7.5)
        return finish(figure, passes=2)
