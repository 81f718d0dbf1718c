"""Looks of the methods in the figures of one report: as announced by the algorithm where that is free."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from mvarena.contracts.specs import Colour, Dash, Look, Marker

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
# of classes and clusters: these, and beyond those of methods further ones of Tol (2021)
PALETTE = (*COLOURS.values(), "#999933", "#44AA99", "#DDCC77", "#AA4499", "#117733", "#7F3B08")
MUTED = "#B0B0B0"
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


@dataclass(frozen=True, kw_only=True)
class Looks:
    """The looks of all that one report shows; those that stand back behind what it highlights are drawn in grey.

    looks : name -> look. muted : the names that stand back.
    """

    looks: Mapping[str, Look]
    muted: frozenset[str] = frozenset()

    def colour(self, name: str) -> str:
        """'#RRGGBB'."""
        return MUTED if name in self.muted else COLOURS[self.looks[name].colour]

    def __getitem__(self, name: str) -> Look:
        return self.looks[name]


def looks(names: Iterable[str], announced: Mapping[str, Look], muted: Iterable[str] = ()) -> Looks:
    """A look for each of `names`, distinct as far as there are colours, markers and dashes.

    Up to as many names as there are colours each has a colour of its own, and so with markers and with dashes; no two
    share colour and marker up to 108 names. Each has what `look_of(name, announced)` says where nobody else has it:
    first come announced names, by the alphabet. muted : the names that stand back; they take no look from others.
    """
    back = frozenset(muted)
    every = sorted(set(names), key=lambda name: (name not in announced, name))
    ordered = [name for name in every if name not in back]
    wished = {name: look_of(name, announced) for name in every}
    colours = _shared_out({name: wished[name].colour for name in ordered}, tuple(COLOURS))
    markers = _shared_out({name: wished[name].marker for name in ordered}, MARKERS, apart_in=colours)
    dashes = _shared_out({name: wished[name].dash for name in ordered}, tuple(DASHES))
    given = {name: Look(colours[name], markers[name], dashes[name]) for name in ordered}
    return Looks(looks={name: given.get(name, wished[name]) for name in every}, muted=back)


def _shared_out(
    wishes: Mapping[str, Choice], choices: Sequence[Choice], apart_in: Mapping[str, Any] | None = None
) -> dict[str, Choice]:
    """Name -> choice: as evenly as can be; a wish is granted as long as that holds.

    apart_in : name -> group; within a group no choice comes twice, as long as there are choices.
    """
    most = max(1, len(wishes) // len(choices))
    counts: Counter[Choice] = Counter()
    used: set[tuple[Any, Choice]] = set()
    given: dict[str, Choice] = {}

    def give(name: str, choice: Choice) -> None:
        given[name] = choice
        counts[choice] += 1
        used.add((group(name), choice))

    def group(name: str) -> Any:
        return name if apart_in is None else apart_in[name]

    for name, wish in wishes.items():
        if counts[wish] < most and (group(name), wish) not in used:
            give(name, wish)
    for name in wishes:
        if name not in given:
            of, wish = group(name), wishes[name]
            give(name, min(choices, key=lambda one: ((of, one) in used, counts[one], one != wish)))
    return {name: given[name] for name in wishes}


def _hashed(text: str, choices: Sequence[Choice]) -> Choice:
    digest = hashlib.sha256(text.encode()).digest()
    return choices[int.from_bytes(digest[:8], "big") % len(choices)]
