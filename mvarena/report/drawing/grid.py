"""A figure of coloured cells, a row per method, with the numbers in the cells where there is room."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps, rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mvarena.report.drawing.canvas import CELL_LETTER, RC, SMALL, finish, in_lines, panels

MAP = "cividis"  # rises evenly in lightness, and looks alike to colour-blind eyes
MOST_ROWS = 60  # what fits a page
_ROW, _DENSE_ROW = 0.19, 0.125  # inches
_TITLE_LINE = 0.15  # inches: each line of the title after the first
_NUMBER, _LEAST = 0.33, 0.115  # inches: width of a cell with a number, and of a column with an upright head
_DARK = 0.179  # the luminance at which black and white stand out alike (WCAG 2.2, contrast ratio)
# the layout need not measure words that stand within their panel
IN_CELL: dict[str, Any] = {"ha": "center", "va": "center", "in_layout": False}


def columns_with_room(names: Sequence[str], width: float) -> int:
    """Number of columns beside these names of rows in a figure of `width`."""
    return max(1, int(_room(names, width) / _LEAST))


def has_numbers(n_columns: int, names: Sequence[str], width: float) -> bool:
    """True if the cells hold numbers."""
    return _room(names, width) / max(n_columns, 1) >= _NUMBER


def _room(names: Sequence[str], width: float) -> float:
    return width - CELL_LETTER * max(map(len, names)) - 0.35


def draw_grid(
    share: pd.DataFrame,
    words: pd.DataFrame,
    names: Mapping[str, str],
    heads: Sequence[str],
    title: str,
    width: float,
    gaps: Sequence[int] = (),
) -> Figure:
    """A figure of cells, a row per contestant.

    share, words : of each cell its colour, from 0 to 1, and what stands in it. names : contestant -> its name, in the
    order of the rows. gaps : columns before which there is a gap.
    """
    numbers = has_numbers(len(heads), list(names.values()), width)
    degrees = 40 if numbers else 90
    slanted = math.sin(math.radians(degrees)) * CELL_LETTER * max(map(len, heads))
    title = in_lines(title, width)
    height = slanted + 0.6 + _TITLE_LINE * title.count("\n") + (_ROW if numbers else _DENSE_ROW) * len(names)
    with rc_context(RC):
        figure, (axis,) = panels(1, 1, height, width)
        draw_cells(axis, share, words)
        slant: dict[str, Any] = {} if degrees == 90 else {"ha": "left", "rotation_mode": "anchor"}
        axis.set_xticks(range(len(heads)), heads, rotation=degrees, fontsize=SMALL, **slant)
        axis.set_yticks(range(len(names)), list(names.values()), fontsize=SMALL)
        axis.xaxis.tick_top()
        for column in gaps:
            axis.axvline(column - 0.5, color="w", linewidth=2.5)
        figure.suptitle(title)
        return finish(figure, passes=2)


def relative(table: pd.DataFrame) -> pd.DataFrame:
    """Each column from 0, its lowest number, to 1, its highest; .5 where all are one."""
    low, high = table.min(), table.max()
    share = (table - low) / (high - low).where(high > low)
    return share.fillna(0.5).where(table.notna())


def draw_cells(axis: Axes, share: pd.DataFrame, words: pd.DataFrame) -> None:
    """Cells coloured by `share` (0 to 1, NaN is blank) with `words` in them."""
    colours = colormaps[MAP].with_extremes(bad="0.95")
    filled = fill_cells(axis, colours(np.ma.masked_invalid(share.to_numpy(dtype=float))))
    for (row, column), word in np.ndenumerate(words.to_numpy()):
        if word:
            axis.text(column, row, word, fontsize=SMALL, color=filled[row][column], **IN_CELL)


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
