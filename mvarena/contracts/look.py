"""Look of a contestant in every figure: names of colours, markers and dashes; `report` draws them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from mvarena.errors import PluginError

Colour: TypeAlias = Literal["black", "blue", "vermilion", "green", "pink", "sky", "orange", "indigo", "wine"]
Marker: TypeAlias = Literal["o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*"]
Dash: TypeAlias = Literal["solid", "dashed", "dotted", "dashdot", "short", "dashdotdot"]


@dataclass(frozen=True, slots=True)
class Look:
    """colour : of line and marker. marker : matplotlib's code. dash : of the line."""

    colour: Colour
    marker: Marker
    dash: Dash

    def __post_init__(self) -> None:
        for word, known in ((self.colour, Colour), (self.marker, Marker), (self.dash, Dash)):
            if word not in get_args(known):
                raise PluginError(f"a look has no '{word}'; choose one of {', '.join(get_args(known))}.")
