"""Methods by data sets as a heat map, the numbers in its cells."""

from __future__ import annotations

import math
import operator
import textwrap
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib import colormaps, rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from mvarena.analysis.naming import natural_order
from mvarena.report.drawing.canvas import NOTE, RC, drawable_words, finish, panels
from mvarena.report.drawing.legend import FEW, draw_legend, legend_height
from mvarena.report.drawing.rate import picked_words
from mvarena.report.formatting import NOT_RUN
from mvarena.report.style import COLOURS, Looks
from mvarena.text import plural

MAP = "cividis"  # rises evenly in lightness, and looks alike to colour-blind eyes
_MOST_ROWS, _MOST_COLUMNS = 110, 60
_BELOW = -0.01  # the colour's place of who failed: behind all that have a number
_DARK = 0.179  # the luminance at which black and white stand out alike (WCAG 2.2, contrast ratio)
# the layout need not measure words that stand within their panel
IN_CELL: dict[str, Any] = {"ha": "center", "va": "center", "in_layout": False}


class Grid(NamedTuple):
    """Cells and heads of a figure of cells, lengths in inches.

    cell : width and height. degrees : slant of the columns' heads. font : points of names and heads. numbers : whether
    cells hold numbers.
    """

    cell: tuple[float, float]
    degrees: float
    font: float
    numbers: bool

    def size(self, names: Sequence[str], heads: Sequence[str], aside: float = 0.0) -> tuple[float, float]:
        """Width and height of a figure with these names of rows and heads of columns, and a title."""
        letter = 0.0094 * self.font
        slanted = math.sin(math.radians(self.degrees)) * letter * max(map(len, heads))
        beside = letter * max(map(len, names)) + 0.3 + aside + beyond(heads, self.cell[0], self.degrees)
        return beside + self.cell[0] * max(len(heads), 3), slanted + 0.85 + self.cell[1] * len(names)

    def label(self, axis: Axes, names: Sequence[str], heads: Sequence[str]) -> None:
        """Write the names beside the rows and the heads above the columns."""
        upright = self.degrees == 90
        slant: dict[str, Any] = {} if upright else {"ha": "left", "rotation_mode": "anchor"}
        axis.set_xticks(range(len(heads)), heads, rotation=self.degrees, fontsize=self.font, **slant)
        axis.set_yticks(range(len(names)), names, fontsize=self.font)
        axis.xaxis.tick_top()


_WITH_NUMBERS, _WITHOUT = Grid((0.52, 0.2), 40, 8.0, True), Grid((0.2, 0.125), 90, 6.5, False)
_MOST_NUMBERED = (60, 16, 480)  # rows, columns and cells: beyond, numbers cannot be read on a page


def draw_heatmap(points: pd.DataFrame, looks: Looks) -> Figure:
    """The points of one corruption and metric (`mvarena.report.figures.heatmap.score_points`): methods down.

    Methods stand by the mean of their colours, which run from the lowest to the highest number of each data set; who
    failed has the lowest, and what was not run, or not run at all rates, does not count. Of more than eight a strip of
    colours says the families. Beyond 480 cells, 60 methods or 16 data sets cells hold no numbers.
    """
    points, escaped = drawable_words(points, ("title", "label", "metric_axis", "condition"))
    points = points.assign(label=points["label"].where(~points["label_picked"], points["label"] + " *"))
    every = dict(zip(points["dataset"], points["title"], strict=True))
    titles = {name: every[name] for name in sorted(every, key=natural_order)[:_MOST_COLUMNS]}
    labels = dict(zip(points["contestant"], points["label"], strict=True))
    table = points.pivot(index="contestant", columns="dataset", values="mean").astype(float)
    share = relative(table.reindex(index=list(labels), columns=list(titles)))
    states = points.pivot(index="contestant", columns="dataset", values="status").reindex_like(share)
    counted = share.mask(states.notna() & ~states.isin(["DONE", "INCOMPLETE"]), _BELOW).mean(axis=1)
    order = list(counted.sort_values(ascending=False, kind="stable").index[:_MOST_ROWS])
    words = points.pivot(index="contestant", columns="dataset", values="shown").reindex(order)[list(titles)]
    grid = grid_for(len(order), len(titles))
    remarks = (
        "colour: lowest to highest of each column; rows by mean colour",
        "" if grid.numbers else "× no value",
        "· not run at all rates" if not grid.numbers and (states == "INCOMPLETE").any(axis=None) else "",
        "" if grid.numbers or states.notna().all(axis=None) else "blank: not run",
        _left_out(len(every) - len(titles), "data set", "--data"),
        _left_out(len(labels) - len(order), "method", "--algo", of="lower mean"),
        picked_words(points).lstrip("; "),
        NOTE if escaped else "",
    )
    shown = words.fillna(NOT_RUN) if grid.numbers else _marks(states.loc[order])
    title = "\n".join(filter(None, (points["metric_axis"].iloc[0], points["condition"].iloc[0])))
    names = {name: labels[name] for name in order}
    return draw_grid(share.loc[order], shown, names, list(titles.values()), looks, title, remarks)


def grid_for(n_rows: int, n_columns: int) -> Grid:
    """Cells with numbers where a page has room for these."""
    counts = (n_rows, n_columns, n_rows * n_columns)
    return _WITH_NUMBERS if all(map(operator.le, counts, _MOST_NUMBERED)) else _WITHOUT


def draw_grid(
    share: pd.DataFrame,
    words: pd.DataFrame,
    names: Mapping[str, str],
    heads: Sequence[str],
    looks: Looks,
    title: str,
    remarks: Sequence[str],
    gaps: Sequence[int] = (),
) -> Figure:
    """A figure of cells, a row per contestant, with the families of many as a strip of colours beside them.

    share, words : of each cell its colour, from 0 to 1, and what stands in it. names : contestant -> its name, in the
    order of the rows. remarks : what is said below; '' for nothing. gaps : columns before which there is a gap.
    """
    grid = grid_for(*share.shape)
    families = families_of(list(names), looks)
    with rc_context(RC):
        width, height = grid.size(list(names.values()), heads, _STRIP if families else 0.0)
        cells = grid.cell[0] * max(len(heads), 3)
        entries = list(dict.fromkeys(families.values()))
        text = textwrap.fill("; ".join(filter(None, remarks)), int(14 * max(width, _NARROWEST)), break_on_hyphens=False)
        below = legend_height(entries, max(width, _NARROWEST)) + 0.14 * text.count("\n")
        figure, (axis,) = panels(1, 1, (width, height), below=below, narrowest=_NARROWEST)
        draw_cells(axis, share, words)
        grid.label(axis, list(names.values()), heads)
        for column in gaps:
            axis.axvline(column - 0.5, color="w", linewidth=2.5)
        axis.set_title(title)
        if families:
            colours = dict(zip(sorted(set(looks.families.values())), cycle(COLOURS.values()), strict=False))
            _strip(axis, [colours[families[name]] for name in names], max(0.0, _NARROWEST - width) + cells)
            patches = [Patch(facecolor=colours[family]) for family in entries]
            draw_legend(figure, patches, entries, text, lines=False)
        else:
            figure.supxlabel(text, fontsize=7.5)
        return finish(figure, passes=2)


_STRIP = 0.18  # inches: the colours of families beside the rows
_NARROWEST = 3.4  # inches


def _left_out(count: int, noun: str, option: str, of: str = "") -> str:
    """'5 methods of lower mean not shown: choose with --algo'; '' where all are shown."""
    words = f"{plural(count, noun)}{f' of {of}' if of else ''} not shown: choose with {option}"
    return words if count > 0 else ""


def _marks(states: pd.DataFrame) -> pd.DataFrame:
    """A cross for what gave no number, a dot for what lacks rates, nothing for all else. states : NaN where not run."""
    marks = {"DONE": "", "INCOMPLETE": "·"}
    return states.map(lambda status: "" if pd.isna(status) else marks.get(status, "×"))


def families_of(names: Sequence[str], looks: Looks) -> dict[str, str]:
    """Name -> family; empty for few methods, and where all are of one family."""
    families = {name: looks.families.get(name, "other") for name in names}
    return families if len(names) > FEW and len(set(families.values())) > 1 else {}


def _strip(axis: Axes, colours: Sequence[str], width: float) -> None:
    """A bar of the families' colours beside the rows. width : of the cells, in inches."""
    share = _STRIP / width
    for row, colour in enumerate(colours):
        where = axis.get_yaxis_transform()
        axis.add_patch(
            Rectangle(
                (1 + 0.3 * share, row - 0.5), 0.7 * share, 1, color=colour, transform=where, clip_on=False, linewidth=0
            )
        )


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
        if not word:
            continue
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
