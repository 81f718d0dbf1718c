"""The legend below a figure: an entry per method, one for all that stand back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from mvarena.analysis.naming import natural_order
from mvarena.contracts.specs import Look
from mvarena.report.drawing.canvas import drawable
from mvarena.report.formatting import PICKED_MARK
from mvarena.report.style import MUTED, Looks, line_pattern
from mvarena.text import plural

_ROW = 0.17  # inches
_CHARACTER = 0.06
_HANDLE = 0.6


def legend_height(labels: Sequence[str], width: float) -> float:
    """Inches that a legend of these labels needs below a figure of `width`."""
    return _ROW * math.ceil(len(labels) / legend_columns(labels, width)) + 0.1 if labels else 0.1


def legend_columns(labels: Sequence[str], width: float) -> int:
    """Number of entries in a row: as many as fit, in rows of about equal length."""
    entry = max(len(label) for label in labels) * _CHARACTER + _HANDLE
    fitting = max(1, int(width / entry))
    return math.ceil(len(labels) / math.ceil(len(labels) / fitting))


def legend_labels(points: pd.DataFrame, looks: Looks) -> dict[str, str]:
    """Contestant -> its label, marked if ground truth picked any of its numbers; in the labels' natural order.

    All that stand back have one entry, of the name ''.
    """
    picked = set(points.loc[points["label_picked"], "contestant"]) if "label_picked" in points else set()
    shown = dict(zip(points["contestant"], points["label"], strict=True))
    back = [name for name in shown if name in looks.muted]
    names = sorted((name for name in shown if name not in looks.muted), key=lambda name: natural_order(shown[name]))
    labels = {name: f"{shown[name]} {PICKED_MARK}" if name in picked else shown[name] for name in names}
    return labels | ({"": plural(len(back), "other")} if back else {})


def handle(name: str, looks: Looks, *, line: bool = True) -> Artist:
    """Legend handle of a label: the method's line and marker; without `line`, its marker."""
    if not name:
        return Line2D(
            [], [], color=MUTED, **({"linewidth": 1.0} if line else {"linestyle": "", "marker": "o", "ms": 3})
        )
    look = looks[name]
    pattern: Any = line_pattern(look) if line else "none"
    return Line2D([], [], color=looks.colour(name), linestyle=pattern, **line_style(look))


def draw_legend(figure: Figure, handles: Sequence[Artist], labels: Sequence[str], *, lines: bool = True) -> None:
    """A legend below all panels; nothing where there are no labels."""
    if labels:
        figure.legend(
            list(handles),
            [drawable(label) for label in labels],
            loc="outside lower center",
            ncols=legend_columns(labels, figure.get_figwidth()),
            frameon=False,
            handlelength=2.6 if lines else 1.2,
            columnspacing=1.2,
        )


def method_legend(figure: Figure, labels: Mapping[str, str], looks: Looks, *, lines: bool = True) -> None:
    """The legend of methods by `legend_labels`."""
    draw_legend(figure, [handle(name, looks, line=lines) for name in labels], list(labels.values()), lines=lines)


# Lines and markers as every figure draws them.

_SIZES = {"o": 5.0, "s": 4.6, "D": 4.4, "X": 6.2, "P": 6.0, "*": 7.4}  # points; sized to look alike


def line_style(look: Look) -> dict[str, Any]:
    """Width and marker, for lines, bars and the legend."""
    return {
        "linewidth": 1.4,
        "marker": look.marker,
        "markersize": _SIZES.get(look.marker, 5.4),
        "markeredgecolor": "white",
        "markeredgewidth": 0.5,
    }


def muted_style() -> dict[str, Any]:
    """Of a line that stands back."""
    return {"linewidth": 0.8, "linestyle": "-", "marker": "", "zorder": 1.5}
