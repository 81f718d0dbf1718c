"""Figures as such: their size and panels, their fonts, and their files. No pyplot, no global state."""

from __future__ import annotations

import io
import math
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from mvarena.report.draw.fonts import FAMILIES
from mvarena.report.files import Format

DPI = 200
NARROWEST = 4.6  # inches
RC: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": list(FAMILIES),
    "font.size": 9.0,
    "axes.titlesize": 9.0,
    "axes.labelsize": 9.0,
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
    "legend.fontsize": 8.0,
    "legend.title_fontsize": 8.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "hatch.linewidth": 0.6,
    "text.parse_math": False,  # names are text: a dollar sign in one stays a dollar sign
    "figure.autolayout": False,
    "figure.constrained_layout.use": False,  # `finish` leaves none behind
    "svg.hashsalt": "mvarena",
    "svg.fonttype": "path",  # outlines, so that no reader needs the font
    "pdf.fonttype": 42,  # embedded whole as TrueType, as publishers ask
}
_METADATA: dict[Format, dict[str, Any]] = {
    "png": {"Software": "mvarena"},
    "svg": {"Creator": "mvarena", "Date": None},
    "pdf": {"Creator": "mvarena", "Producer": "mvarena", "CreationDate": None},
}


def panels(
    n_panels: int, per_row: int, size: tuple[float, float], *, below: float = 0.0, narrowest: float = NARROWEST
) -> tuple[Figure, list[Axes]]:
    """A figure of `n_panels` panels of `size` (width and height in inches), and room of height `below` for a legend."""
    n_rows = math.ceil(n_panels / per_row)
    width = max(narrowest, size[0] * per_row)
    layout = ConstrainedLayoutEngine(w_pad=0.07, h_pad=0.06)
    figure = Figure(figsize=(width, size[1] * n_rows + below), dpi=DPI, layout=layout)
    axes = list(figure.subplots(n_rows, per_row, squeeze=False).flatten())
    for axis in axes[n_panels:]:
        axis.set_axis_off()
    return figure, axes[:n_panels]


def figure_width(per_row: int, width: float, narrowest: float = NARROWEST) -> float:
    """How wide, in inches, `panels` makes a figure."""
    return max(narrowest, width * per_row)


def finish(figure: Figure, *, passes: int = 1) -> Figure:
    """`figure`, laid out once: a second pass would move things by a hair.

    passes : two where what stands outside of the axes depends on their width, as slanted heads of columns do.
    Nothing is drawn for it, and no engine stays behind: for one, each file would be drawn twice.
    """
    engine = figure.get_layout_engine()
    if engine is not None:
        for _ in range(passes):
            engine.execute(figure)
    figure.set_layout_engine(None)
    return figure


def image_bytes(figure: Figure, kind: Format) -> bytes:
    """The figure as a file's content, fonts embedded; the same figure always gives the same bytes."""
    buffer = io.BytesIO()
    with rc_context(RC):
        figure.savefig(buffer, format=kind, dpi=DPI, metadata=_METADATA[kind])
    return buffer.getvalue()
