"""Methods by data sets as a heat map, the numbers in its cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps, rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mvarena.analysis.naming import natural_order
from mvarena.report.drawing.canvas import NOTE, RC, drawable_words, finish, panels
from mvarena.report.drawing.legend import FEW
from mvarena.report.drawing.rate import picked_words
from mvarena.report.formatting import NOT_RUN
from mvarena.report.style import Looks

MAP = "cividis"  # rises evenly in lightness, and looks alike to colour-blind eyes
_CELL = (0.52, 0.2)  # inches
_MOST_ROWS, _MOST_COLUMNS = 80, 30
_DARK = 0.179  # the luminance at which black and white stand out alike (WCAG 2.2, contrast ratio)
# the layout need not measure words that stand within their panel
IN_CELL: dict[str, Any] = {"ha": "center", "va": "center", "in_layout": False}


def draw_heatmap(points: pd.DataFrame, looks: Looks) -> Figure:
    """The points of one corruption and metric (`mvarena.report.figures.heatmap.score_points`): methods down.

    Methods stand by the mean of their colours, which run from the lowest to the highest number of each data set; what
    has no number counts as the lowest. Many stand by families, the family of the best first.
    """
    points, escaped = drawable_words(points, ("title", "label", "metric_axis", "condition"))
    points = points.assign(label=points["label"].where(~points["label_picked"], points["label"] + " *"))
    remark = "; ".join(filter(None, (picked_words(points).lstrip("; "), NOTE if escaped else "")))
    titles = dict(zip(points["dataset"], points["title"], strict=True))
    titles = {name: titles[name] for name in sorted(titles, key=natural_order)}
    if len(titles) > _MOST_COLUMNS:
        sentence = f"{len(titles) - _MOST_COLUMNS} data sets are not shown:\nchoose with --data"
        remark = "\n".join(filter(None, (remark, sentence)))
        titles = dict(list(titles.items())[:_MOST_COLUMNS])
    labels = dict(zip(points["contestant"], points["label"], strict=True))
    table = points.pivot(index="contestant", columns="dataset", values="mean").astype(float)
    table = table.reindex(index=list(labels), columns=list(titles))
    share = relative(table)
    ranked = share.fillna(0.0).mean(axis=1).sort_values(ascending=False, kind="stable").index
    rest = len(ranked) - _MOST_ROWS
    if rest > 0:
        ranked, sentence = ranked[:_MOST_ROWS], f"the {rest} methods of lower mean are not shown:\nchoose with --algo"
        remark = "\n".join(filter(None, (remark, sentence)))
    families = families_of(list(ranked), looks)
    order = [name for members in families.values() for name in members]
    words = points.pivot(index="contestant", columns="dataset", values="shown").reindex(table.index)[list(titles)]
    with rc_context(RC):
        names = 0.075 * max(map(len, labels.values())) + 0.3
        heads = 0.07 * max(map(len, titles.values()))
        names += 0.07 * max(map(len, families)) + 0.1 if len(families) > 1 else 0.0
        names += beyond(list(titles.values()), _CELL[0], 40)
        size = (names + _CELL[0] * max(len(titles), 3), heads + 0.85 + _CELL[1] * len(order))
        figure, (axis,) = panels(1, 1, size, narrowest=3.0)
        draw_cells(axis, share.loc[order], words.loc[order].fillna(NOT_RUN))
        axis.set_xticks(range(len(titles)), list(titles.values()), rotation=40, ha="left", rotation_mode="anchor")
        axis.set_yticks(range(len(order)), [labels[name] for name in order])
        axis.xaxis.tick_top()
        if len(families) > 1:
            _name_families(axis, families)
        condition = points["condition"].iloc[0]
        axis.set_title("\n".join(filter(None, (points["metric_axis"].iloc[0], condition))))
        figure.supxlabel("\n".join(filter(None, ("colour: lowest to highest\nof each column", remark))), fontsize=7.5)
        return finish(figure, passes=2)


def families_of(names: Sequence[str], looks: Looks) -> dict[str, list[str]]:
    """Family -> its members, both in the order in which they come first; few methods are one family without a name."""
    result: dict[str, list[str]] = {}
    for name in names:
        result.setdefault(looks.families.get(name, "") if len(names) > FEW else "", []).append(name)
    return result


def _name_families(axis: Axes, families: dict[str, list[str]]) -> None:
    """A gap between any two, and the name of each beside its rows."""
    top = 0
    for family, members in families.items():
        if top:
            axis.axhline(top - 0.5, color="w", linewidth=3.0)
        where = top + (len(members) - 1) / 2
        axis.text(1.01, where, family or "other", transform=axis.get_yaxis_transform(), va="center", fontsize=8)
        top += len(members)


def beyond(heads: Sequence[str], cell: float, degrees: float) -> float:
    """Inches by which slanted heads of columns of width `cell` reach past the last column."""
    along = 0.075 * math.cos(math.radians(degrees))
    return max(0.0, *(along * len(head) - cell * (len(heads) - 0.5 - index) for index, head in enumerate(heads)))


def relative(table: pd.DataFrame) -> pd.DataFrame:
    """Each column from 0, its lowest number, to 1, its highest; .5 where all are one."""
    low, high = table.min(), table.max()
    share = (table - low) / (high - low).where(high > low)
    return share.fillna(0.5).where(table.notna())


def draw_cells(axis: Axes, share: pd.DataFrame, words: pd.DataFrame, *, size: float = 6.5) -> None:
    """Cells coloured by `share` (0 to 1, NaN is blank) with `words` in them."""
    colours = colormaps[MAP].with_extremes(bad="0.95")
    filled = fill_cells(axis, colours(np.ma.masked_invalid(share.to_numpy(dtype=float))))
    for (row, column), word in np.ndenumerate(words.to_numpy()):
        long = len(str(word)) > 6
        axis.text(column, row, word, fontsize=size - 1.5 * long, color=filled[row][column], **IN_CELL)


def fill_cells(axis: Axes, colours: Any) -> list[list[str]]:
    """Fill cells with colours, rows x columns x RGBA, and return in which colour words can be read on each.

    Colours and not numbers are handed on: numbers would be mapped anew for each dot of the image.
    """
    axis.imshow((255 * colours).round().astype(np.uint8), aspect="auto", interpolation="nearest")
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    return [["w" if dark else "k" for dark in row] for row in luminance(colours) < _DARK]


def luminance(colours: Any) -> Any:
    """From 0, black, to 1, white, as eyes take it; colours : (..., 3 or more) of sRGB from 0 to 1."""
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return linear[..., :3] @ np.array([0.2126, 0.7152, 0.0722])
