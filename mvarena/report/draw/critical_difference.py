"""The critical-difference diagram: mean ranks on a line, and bars under those that cannot be told apart."""

from __future__ import annotations

import textwrap

import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mvarena.report.draw.canvas import RC, finish, panels
from mvarena.report.draw.fonts import NOTE, drawable_words
from mvarena.report.style import MUTED, Looks

_LINE, _BAR = 0.19, 0.11  # inches: a name, a bar
_LETTER = 0.066


def draw_critical_difference(points: pd.DataFrame, looks: Looks) -> Figure:
    """The standings of one metric (`mvarena.report.points.standings.standing_points`), the best on the left."""
    points, escaped = drawable_words(points, ("label", "metric_axis", "claim"))
    n_left = (len(points) + 1) // 2
    groups = sorted({int(number) for text in points["cliques"] for number in text.split()})
    names = _LETTER * points["label"].map(len).max() + 0.55
    height = 0.55 + _BAR * (len(groups) + 1) + _LINE * (n_left + 1)
    with rc_context(RC):
        figure, (axis,) = panels(1, 1, (2 * names + 3.0, height + 0.55))
        axis.set_axis_off()
        low, high = 1.0, float(max(len(points), 2))
        inch = (high - low) / 3.0  # ranks an inch
        axis.set_xlim(low - names * inch, high + names * inch)
        axis.set_ylim(-height, 0.45)
        _scale(axis, low, high)
        below = -0.1
        for number in groups:
            below -= _BAR
            members = points[[str(number) in text.split() for text in points["cliques"]]]["mean_rank"]
            pad = 0.03 * inch
            axis.plot([members.min() - pad, members.max() + pad], [below, below], color="k", linewidth=2.6)
        _named(axis, points, looks, below - _BAR, n_left, (low - 0.12 * inch, high + 0.12 * inch))
        axis.set_title(f"{points['metric_axis'].iloc[0]}: mean rank over {points['n_datasets'].iloc[0]} data sets")
        said = "bars: not told apart (Wilcoxon, Holm, 0.05). " if groups else ""
        words = textwrap.fill(said + points["claim"].iloc[0] + (f" {NOTE}" if escaped else ""), 78)
        figure.supxlabel(words, fontsize=7.5)
        return finish(figure)


def _scale(axis: Axes, low: float, high: float) -> None:
    axis.plot([low, high], [0, 0], color="k", linewidth=0.8)
    step = 1 if high <= 12 else 2 if high <= 24 else 5
    marks = [int(low), *range(step if step > 1 else 2, int(high) + 1, step)]
    for rank in dict.fromkeys(marks):
        axis.plot([rank, rank], [0, 0.07], color="k", linewidth=0.8)
        axis.text(rank, 0.1, str(rank), ha="center", va="bottom", fontsize=8)


def _named(axis: Axes, points: pd.DataFrame, looks: Looks, top: float, n_left: int, edges: tuple[float, float]) -> None:
    """The better half on the left, best on top; the others on the right, worst on top, so that no two lines cross."""
    for place, row in enumerate(points.itertuples()):
        left = place < n_left
        at = top - _LINE * (place if left else len(points) - 1 - place)
        edge = edges[0] if left else edges[1]
        colour = MUTED if row.contestant in looks.muted else looks.colour(str(row.contestant))
        axis.plot([row.mean_rank, row.mean_rank, edge], [0, at, at], color=colour, linewidth=1.0)
        axis.plot([row.mean_rank], [0], marker=looks[str(row.contestant)].marker, color=colour, markersize=4.5)
        text = f"{row.label}  {row.mean_rank:.2f}" if left else f"{row.mean_rank:.2f}  {row.label}"
        axis.text(edge, at, f"{text} " if left else f" {text}", ha="right" if left else "left", va="center", fontsize=8)
