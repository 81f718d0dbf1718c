"""Lines and markers as every figure draws them."""

from __future__ import annotations

from typing import Any

from mvarena.contracts.look import Look, Marker

_SIZES = {"o": 5.0, "s": 4.6, "D": 4.4, "X": 6.2, "P": 6.0, "*": 7.4}  # points; sized to look alike
# how areas are told apart without colour: each marker has a pattern of its own
HATCHES: dict[Marker, str] = {
    "o": "", "s": "///", "^": "\\\\\\", "D": "xxx", "v": "...", "P": "---", "X": "|||", "<": "++", ">": "oo", "p": "//",
    "h": "\\\\", "*": "**",
}  # fmt: skip


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
