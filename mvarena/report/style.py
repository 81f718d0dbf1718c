"""How each method looks in every figure: the look that its algorithm announces, or one that its name alone decides."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from mvarena.contracts.look import Colour, Dash, Look, Marker

# Okabe and Ito (2008) without yellow, which vanishes on white, plus Tol's (2021) indigo and wine: all can be told
# apart with the common colour-vision deficiencies
COLOURS: dict[Colour, str] = {
    "black": "#000000",
    "blue": "#0072B2",
    "vermilion": "#D55E00",
    "green": "#009E73",
    "pink": "#CC79A7",
    "sky": "#56B4E9",
    "orange": "#E69F00",
    "indigo": "#332288",
    "wine": "#882255",
}
MARKERS: tuple[Marker, ...] = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*")
# lengths of dash and gap, in line widths
DASHES: dict[Dash, tuple[float, ...]] = {
    "solid": (),
    "dashed": (5.0, 2.0),
    "dotted": (1.2, 1.4),
    "dashdot": (6.0, 2.0, 1.2, 2.0),
    "short": (2.6, 1.6),
    "dashdotdot": (6.0, 1.6, 1.2, 1.6, 1.2, 1.6),
}

Choice = TypeVar("Choice")


def hex_code(look: Look) -> str:
    """Its colour as '#RRGGBB'."""
    return COLOURS[look.colour]


def line_pattern(look: Look) -> Any:
    """Its dash as matplotlib takes it."""
    return (0.0, DASHES[look.dash]) if DASHES[look.dash] else "-"


def look_of(name: str, announced: Mapping[str, Look]) -> Look:
    """The look of a contestant such as 'apmc' or 'apmc (n_neighbors=7)'.

    announced : algorithm -> its own look. A name with brackets has the colour of what stands before them. The rest
    is hashed from the name, so that any method looks the same on every machine and beside any others.
    """
    if name in announced:
        return announced[name]
    algorithm = name.partition(" (")[0]
    own = announced.get(algorithm)
    colour = own.colour if own else _hashed(f"colour {algorithm}", tuple(COLOURS))
    return Look(colour, _hashed(f"marker {name}", MARKERS), _hashed(f"dash {name}", tuple(DASHES)))


def looks(names: Iterable[str], announced: Mapping[str, Look]) -> dict[str, Look]:
    """Name -> look; no two of one colour share a marker, as long as there are markers.

    Each has `look_of(name, announced)`. Only where that has the colour and marker of another, it takes the next free
    marker: an announced look gives way to none but an announced one earlier in the alphabet. Colours never change.
    """
    given: dict[str, Look] = {}
    for name in sorted(set(names), key=lambda name: (name not in announced, name)):
        look = look_of(name, announced)
        taken = {(other.colour, other.marker) for other in given.values()}
        start = MARKERS.index(look.marker)
        markers = (*MARKERS[start:], *MARKERS[:start])
        free = (marker for marker in markers if (look.colour, marker) not in taken)
        given[name] = replace(look, marker=next(free, look.marker))
    return given


def _hashed(text: str, choices: Sequence[Choice]) -> Choice:
    digest = hashlib.sha256(text.encode()).digest()
    return choices[int.from_bytes(digest[:8], "big") % len(choices)]
