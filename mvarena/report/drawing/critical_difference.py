"""The critical-difference diagram: mean ranks on a line, and bars under those that cannot be told apart."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping

import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mvarena.report.drawing.canvas import NOTE, RC, drawable_words, finish, panels
from mvarena.report.style import Looks

_LINE, _BAR = 0.19, 0.11  # inches: a name, a bar
_LETTER = 0.066
_SCALE = (3.4, 7.0)  # inches at least and at most from the best rank that there can be to the worst
_RANK = 0.16  # inches that a rank has within these bounds
_MOST_NAMED = 20  # contestants on the scale; the others stand below it
_MOST_LEVELS = 12  # of bars, of each test; beyond, they say less than the sentence


def draw_critical_difference(points: pd.DataFrame, looks: Looks) -> Figure:
    """The standings of one metric (`mvarena.report.figures.standings.standing_points`), the best on the left.

    Black bars join those that Wilcoxon's test does not tell apart, grey ones those that Nemenyi's does not, whose
    critical difference stands above the scale.
    """
    every, escaped = drawable_words(points, ("label", "metric_axis", "claim", "left_out"))
    points = every.iloc[:_MOST_NAMED] if len(every) > _MOST_NAMED + 4 else every
    rest = every.iloc[len(points) :]
    n_left = (len(points) + 1) // 2
    worst = math.ceil(float(points["mean_rank"].max())) if len(rest) else max(len(points), 2)
    groups = {column: _levels(every, len(points), float(worst), column) for column in ("cliques", "nemenyi")}
    n_bars = sum(map(len, groups.values()))
    scale = min(max(_SCALE[0], _RANK * worst), _SCALE[1])
    names = _LETTER * points["label"].map(len).max() + 0.55
    height = 0.2 + _BAR * (n_bars + 1) + _LINE * n_left
    with rc_context(RC):
        strip = textwrap.wrap(_strip(rest), int(16 * (2 * names + scale)), break_on_hyphens=False) if len(rest) else []
        figure, (axis,) = panels(1, 1, (2 * names + scale, height + 1.5 + 0.13 * len(strip)))
        axis.set_axis_off()
        low, high = 1.0, float(worst)
        inch = (high - low) / scale  # ranks an inch
        axis.set_xlim(low - names * inch, high + names * inch)
        axis.set_ylim(-height, 0.75)
        _scale(axis, low, high)
        _difference(axis, float(points["critical_difference"].iloc[0]), low, high, inch)
        below = -0.1
        for column, colour, width in (("cliques", "k", 2.8), ("nemenyi", "0.6", 1.8)):
            for level in groups[column]:
                below -= _BAR
                pad = 0.03 * inch
                for first, last in level:
                    axis.plot([first - pad, last + pad], [below, below], color=colour, linewidth=width)
        _named(axis, points, looks, below - _BAR, n_left, (low - 0.12 * inch, high + 0.12 * inch))
        axis.set_title(_title(points))
        words = _words(points, groups, escaped, 2 * names + scale)
        figure.supxlabel("\n".join([*strip, *([""] if strip else []), words]), fontsize=7.5)
        return finish(figure)


def _strip(rest: pd.DataFrame) -> str:
    """Contestants beyond the best, in order with their mean ranks."""
    named = ", ".join(f"{row.label}\u00a0{row.mean_rank:.1f}" for row in rest.itertuples())
    return f"Then, by mean rank: {named}."


def _levels(points: pd.DataFrame, n_shown: int, worst: float, column: str) -> list[list[tuple[float, float]]]:
    """The bars of a column's groups as mean ranks from and to, by levels; none where there are too many to be read.

    n_shown : contestants on the scale; a group that goes on below it ends at `worst`. Groups that another one holds on
    the scale are left out, and bars that do not meet share a level.
    """
    members: dict[int, list[int]] = {}
    for place, text in enumerate(points[column]):
        for number in map(int, text.split()):
            members.setdefault(number, []).append(place)
    ranks = points["mean_rank"].to_numpy(float)
    levels: list[list[tuple[float, float]]] = []
    reach = -1
    for places in sorted(members.values(), key=lambda places: (places[0], -places[-1])):
        last = min(places[-1], n_shown - 1)
        if last <= max(reach, places[0]):
            continue
        reach = last
        bar = (float(ranks[places[0]]), worst if places[-1] >= n_shown else float(ranks[last]))
        free = next((level for level in levels if level[-1][1] < bar[0]), None)
        if free is None:
            levels.append([bar])
        else:
            free.append(bar)
    return levels if len(levels) <= _MOST_LEVELS else []


def _title(points: pd.DataFrame) -> str:
    counted = f", {points['counted'].iloc[0]}" if points["counted"].iloc[0] else ""
    return f"{points['metric_axis'].iloc[0]}: mean rank over {points['over'].iloc[0]}{counted}"


def _words(
    points: pd.DataFrame, groups: Mapping[str, list[list[tuple[float, float]]]], escaped: bool, width: float
) -> str:
    bars = [
        f"{colour}: {test}"
        for column, colour, test in (("cliques", "black", "Wilcoxon with Holm"), ("nemenyi", "grey", "Nemenyi"))
        if groups[column]
    ]
    text = f"Bars join methods that do not differ significantly at 0.05 ({'; '.join(bars)})." if bars else ""
    return textwrap.fill(
        " ".join(filter(None, (text, points["claim"].iloc[0], points["left_out"].iloc[0], NOTE if escaped else ""))),
        int(16 * width),
        break_on_hyphens=False,
    )


def _scale(axis: Axes, low: float, high: float) -> None:
    axis.plot([low, high], [0, 0], color="k", linewidth=0.8)
    step = 1 if high <= 12 else 2 if high <= 24 else 5 if high <= 60 else 20
    marks = [int(low), *range(step if step > 1 else 2, int(high) + 1, step)]
    for rank in dict.fromkeys(marks):
        axis.plot([rank, rank], [0, 0.07], color="k", linewidth=0.8)
        axis.text(rank, 0.1, str(rank), ha="center", va="bottom", fontsize=8)


def _difference(axis: Axes, allowed: float, low: float, high: float, inch: float) -> None:
    """Nemenyi's critical difference as a length of the scale; in words where it is longer than the scale."""
    text = f"critical difference (Nemenyi, 0.05): {allowed:.2f}"
    if allowed > high - low:
        axis.text(low, 0.45, f"{text}, more than this scale", fontsize=7.5, va="center")
        return
    axis.plot([low, low + allowed], [0.45, 0.45], color="0.6", linewidth=1.8)
    for end in (low, low + allowed):
        axis.plot([end, end], [0.4, 0.5], color="0.6", linewidth=1.2)
    axis.text(low + allowed + 0.08 * inch, 0.45, text, fontsize=7.5, va="center")


def _named(axis: Axes, points: pd.DataFrame, looks: Looks, top: float, n_left: int, edges: tuple[float, float]) -> None:
    """The better half on the left, best on top; the others on the right, worst on top, so that no two lines cross."""
    for index, row in enumerate(points.itertuples()):
        left = index < n_left
        at = top - _LINE * (index if left else len(points) - 1 - index)
        edge = edges[0] if left else edges[1]
        colour = looks.colour(str(row.contestant))
        axis.plot([row.mean_rank, row.mean_rank, edge], [0, at, at], color=colour, linewidth=1.0)
        axis.plot([row.mean_rank], [0], marker=looks[str(row.contestant)].marker, color=colour, markersize=4.5)
        text = f"{row.label}  {row.mean_rank:.2f}" if left else f"{row.mean_rank:.2f}  {row.label}"
        axis.text(edge, at, f"{text} " if left else f" {text}", ha="right" if left else "left", va="center", fontsize=8)
