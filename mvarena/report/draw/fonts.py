"""Fonts: names in any script are drawn in the first installed font that has it, and escaped where none has."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

import pandas as pd
from matplotlib import font_manager, get_data_path
from matplotlib.ft2font import FT2Font

from mvarena.text import shortened

_LONGEST = dict.fromkeys(("title", "label", "first_label", "second_label"), 56)  # letters of a name
LONGEST_TITLE = 34  # of one panel
OWN = "DejaVu Sans"  # comes with matplotlib
# fonts of wide coverage as the usual systems name them, in the order in which they are tried
_WIDE = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "Noto Sans CJK TC", "Source Han Sans SC",
    "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback", "IPAexGothic", "TakaoGothic", "NanumGothic",
    "Microsoft YaHei", "SimHei", "Yu Gothic", "MS Gothic", "Malgun Gothic", "PingFang SC", "Hiragino Sans",
    "Arial Unicode MS", "Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Thai",
)  # fmt: skip
NOTE = r"names with \u or \U: no installed font has these characters"


def _installed() -> dict[str, Path]:
    """Family -> file of its first font."""
    found: dict[str, Path] = {OWN: Path(get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"}
    for entry in font_manager.fontManager.ttflist:
        if entry.name in _WIDE:
            found.setdefault(entry.name, Path(entry.fname))
    return found


_FILES = _installed()
FAMILIES = tuple(name for name in (OWN, *_WIDE) if name in _FILES)


def drawable(text: str) -> str:
    r"""`text` on one line, with '\u6570' in place of each character that no font has."""
    return "".join(one if _has(one) else _escaped(one) for one in " ".join(text.split()))


def drawable_words(points: pd.DataFrame, columns: tuple[str, ...]) -> tuple[pd.DataFrame, bool]:
    """`points` with the words of `columns` as they can be drawn, and whether that escaped any.

    Names that no panel has room for are shown by their beginning and their end.
    """
    shown = [name for name in columns if name in points]
    escaped = points.assign(**{name: points[name].map(drawable) for name in shown})
    fitting = {name: escaped[name].map(partial(shortened, most=_LONGEST[name])) for name in _LONGEST if name in shown}
    changed = any(not escaped[name].equals(points[name]) for name in shown)
    return escaped.assign(**fitting), changed


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
