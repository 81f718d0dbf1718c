"""Figures as such: their size and panels, their fonts, and their files. No pyplot, no global state."""

from __future__ import annotations

import io
import math
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import Any, Literal, NamedTuple, TypeVar

import pandas as pd
from matplotlib import font_manager, get_data_path, rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font
from matplotlib.layout_engine import ConstrainedLayoutEngine
from PIL import Image

from mvarena.report.files import Format
from mvarena.report.short_names import short_names

# Fonts: names in any script are drawn in the first installed font that has it, and escaped where none has.

Part = TypeVar("Part")
_LONGEST = 56  # letters of a title
LONGEST_TITLE = 34  # of one panel
_LETTERS = 8  # of a name, in one inch of the figure
OWN = "DejaVu Sans"  # comes with matplotlib
# fonts of wide coverage as the usual systems name them, in the order in which they are tried
_WIDE = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "Noto Sans CJK TC", "Source Han Sans SC",
    "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback", "IPAexGothic", "TakaoGothic", "NanumGothic",
    "Microsoft YaHei", "SimHei", "Yu Gothic", "MS Gothic", "Malgun Gothic", "PingFang SC", "Hiragino Sans",
    "Arial Unicode MS", "Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Thai",
)  # fmt: skip
NOTE = r"Names with \u or \U: no installed font has these characters."


def _installed() -> dict[str, Path]:
    """Family -> file of its first font."""
    result: dict[str, Path] = {OWN: Path(get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"}
    for entry in font_manager.fontManager.ttflist:
        if entry.name in _WIDE:
            result.setdefault(entry.name, Path(entry.fname))
    return result


_FILES = _installed()
FAMILIES = tuple(name for name in (OWN, *_WIDE) if name in _FILES)


def drawable(text: str) -> str:
    r"""`text` on one line, with '\u6570' in place of each character that no font has."""
    return "".join(item if _has(item) else _escaped(item) for item in " ".join(text.split()))


def drawable_words(
    points: pd.DataFrame, columns: tuple[str, ...], width: float, **longest: int
) -> tuple[pd.DataFrame, str]:
    """`points` with the words of `columns` as a figure of `width` has them, and sentences on names not shown whole.

    Titles and labels that have no room are shortened (`mvarena.report.short_names`). longest : column -> letters of one
    that is the title of a panel.
    """
    shown = [name for name in columns if name in points]
    drawn = points.assign(**{name: points[name].map(drawable) for name in shown})
    notes = [NOTE] if any(not drawn[name].equals(points[name]) for name in shown) else []
    most = {"title": _LONGEST, "label": int(_LETTERS * width)} | longest
    for name in (name for name in shown if name in most):
        drawn[name] = points[name].map(short_names(points[name].unique(), most[name], drawable))
    if "label" in shown and not drawn["label"].equals(points["label"].map(drawable)):
        notes.append("Shortened names are whole in the figure's .csv.")
    return drawn, " ".join(notes)


@cache
def _has(character: str) -> bool:
    code = ord(character)
    return character.isprintable() and any(code in _characters(_FILES[family]) for family in FAMILIES)


@cache
def _characters(path: Path) -> frozenset[int]:
    return frozenset(FT2Font(str(path)).get_charmap())


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


DPI = 200
WIDTHS = (3.3, 7.0)  # inches: a column and a page of a paper
WIDTH = WIDTHS[1]
HIGHEST = 18.0  # inches of all rows of panels together
SMALL = 7.0  # points: the smallest letters of any figure
_HEAD_LETTERS = 14  # of a title in one inch
CELL_LETTER = 0.056  # inches: mean width of a small letter
RC: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": list(FAMILIES),
    "font.size": 8.0,
    "axes.titlesize": 8.0,
    "axes.labelsize": 8.0,
    "figure.titlesize": 8.5,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": SMALL,
    "legend.title_fontsize": SMALL,
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


class Drawing(NamedTuple):
    """A figure and its caption: sentences that stand beside it, never in it."""

    figure: Figure
    caption: str


def caption(*sentences: str) -> str:
    """The sentences that are not empty, in order."""
    return " ".join(filter(None, sentences))


def panels(
    n_panels: int, per_row: int, height: float, width: float, *, below: float = 0.0
) -> tuple[Figure, list[Axes]]:
    """A figure of `width` with `n_panels` panels of `height`, and room of height `below` for a legend; in inches."""
    n_rows = math.ceil(n_panels / per_row)
    layout = ConstrainedLayoutEngine(w_pad=0.05, h_pad=0.05)
    figure = Figure(figsize=(width, height * n_rows + below), dpi=DPI, layout=layout)
    axes = list(figure.subplots(n_rows, per_row, squeeze=False).flatten())
    for axis in axes[n_panels:]:
        axis.set_axis_off()
    return figure, axes[:n_panels]


def per_row_for(n_panels: int, width: float, narrowest: float = 2.1) -> int:
    """Panels side by side, each of `narrowest` inches at least: rows of about equal length."""
    most = max(1, int(width / narrowest))
    return math.ceil(n_panels / math.ceil(n_panels / most))


def fitting_panels(parts: list[Part], per_row: int, height: float) -> tuple[list[Part], str]:
    """As many of the panels as an image has room for, and the sentence on the others; '' where there are none."""
    shown = parts[: per_row * max(1, int(HIGHEST / height))]
    left_out = len(parts) - len(shown)
    return shown, f"Not drawn: {left_out} more panels; filters choose among them." if left_out else ""


def in_lines(title: str, width: float) -> str:
    """A title of a figure or panel of `width` inches, in as many lines as it takes."""
    return fill(title, int(_HEAD_LETTERS * width), break_on_hyphens=False)


def set_head(figure: Figure, title: str) -> None:
    """Write the title of a whole figure."""
    figure.suptitle(in_lines(title, figure.get_figwidth()))


def rule(axis: Axes, which: Literal["x", "y", "both"] = "y") -> None:
    """Draw faint lines at the ticks, behind everything else."""
    axis.grid(axis=which, color="0.9", linewidth=0.6)
    axis.set_axisbelow(True)


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


def in_palette(png: bytes, colours: int) -> bytes:
    """The PNG file's content with so many colours at most (2 to 256), which takes a third of the room."""
    buffer = io.BytesIO()
    with Image.open(io.BytesIO(png)) as image:
        image.convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
