"""The picture of a board: ratings with their intervals, as SVG that depends on no library of drawing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape

import pandas as pd

PICTURE = "board.svg"
_MOST = 20  # methods that are drawn
_NAMES, _SCALE, _NUMBERS = 190, 430, 140  # widths, in pixels: names, scale, numbers on the right
_ROW, _TOP, _BOTTOM = 22, 52, 30
_STEP = 100  # of ratings, from one line of the grid to the next
_FIRST, _OTHERS = "#0072B2", "#56606B"  # blue of Okabe and Ito; grey


def ratings_picture(table: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """The first 20 rows of a board (`SuiteBoard.table`): a dot for the rating, a line for its interval.

    labels : contestant -> what the picture calls it.
    """
    rows = table.iloc[:_MOST]
    low = math.floor(rows[["rating", "low"]].min(axis=None) / _STEP) * _STEP
    high = math.ceil(rows[["rating", "high"]].max(axis=None) / _STEP) * _STEP

    def x(rating: float) -> float:
        return round(_NAMES + _SCALE * (rating - low) / max(high - low, _STEP), 1)

    width, bottom = _NAMES + _SCALE + _NUMBERS, _TOP + _ROW * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom + _BOTTOM}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="13">',
        f"<title>Ratings of the first {len(rows)} of {len(table)} methods</title>",
        f'<rect width="{width}" height="{bottom + _BOTTOM}" fill="white"/>',
        _text(_NAMES, 20, f"Rating by ranks of NMI, with 95 % interval: first {len(rows)} of {len(table)} methods",
              style='font-size="14" font-weight="bold"'),
        _text(width - 10, _TOP - 12, "mean NMI (%)", style='text-anchor="end" fill="#56606B"'),
    ]  # fmt: skip
    for rating in range(low, high + 1, _STEP):
        parts.append(
            f'<line x1="{x(rating)}" y1="{_TOP - 6}" x2="{x(rating)}" y2="{bottom}" stroke="#D9DDE1" stroke-width="1"/>'
        )
        parts.append(_text(x(rating), bottom + 18, f"{rating}", style='text-anchor="middle" fill="#56606B"'))
    for i, row in enumerate(rows.itertuples()):
        y = _TOP + _ROW * i + _ROW // 2
        colour = _OTHERS if i else _FIRST
        parts.append(_text(_NAMES - 12, y + 4, labels[row.contestant], style='text-anchor="end"'))
        if row.low == row.low:
            parts.append(
                f'<line x1="{x(row.low)}" y1="{y}" x2="{x(row.high)}" y2="{y}" stroke="{colour}" stroke-width="2"/>'
            )
        parts.append(f'<circle cx="{x(row.rating)}" cy="{y}" r="5" fill="{colour}"/>')
        if row.nmi == row.nmi:
            parts.append(_text(width - 10, y + 4, f"{row.nmi:.1f}", style='text-anchor="end"'))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _text(x: float, y: float, words: str, *, style: str) -> str:
    return f'<text x="{x}" y="{y}" {style}>{escape(words)}</text>'
