"""How each method looks in every figure: a colour, a marker and a dash pattern that depend on its name alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

# Okabe and Ito (2008) without yellow, which vanishes on white, plus Tol's (2021) indigo and wine: all can be told
# apart with the common colour-vision deficiencies
COLOURS = {
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
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*")
# lengths of dash and gap, in line widths
DASHES: dict[str, tuple[float, ...]] = {
    "solid": (),
    "dashed": (5.0, 2.0),
    "dotted": (1.2, 1.4),
    "dashdot": (6.0, 2.0, 1.2, 2.0),
    "short": (2.6, 1.6),
    "dashdotdot": (6.0, 1.6, 1.2, 1.6, 1.2, 1.6),
}


@dataclass(frozen=True, slots=True)
class Look:
    """colour : a key of COLOURS. marker : matplotlib's code. dash : a key of DASHES."""

    colour: str
    marker: str
    dash: str

    @property
    def hex(self) -> str:
        return COLOURS[self.colour]

    @property
    def linestyle(self) -> Any:
        """What matplotlib takes."""
        return (0.0, DASHES[self.dash]) if DASHES[self.dash] else "-"


# methods that papers draw together differ in colour where nine colours suffice; those of one colour differ in marker
BUILT_IN = {
    "apmc": Look("blue", "o", "solid"),
    "mic": Look("vermilion", "s", "solid"),
    "rnnmf": Look("orange", "D", "solid"),
    "eeimvc": Look("wine", "^", "solid"),
    "emvc": Look("indigo", "P", "solid"),
    "bsv-kmeans": Look("black", "v", "dotted"),
    "bsv-spectral": Look("green", "<", "dotted"),
    "concat": Look("sky", "X", "dashdot"),
    "sc-concat": Look("orange", "^", "dashed"),
    "sc-average": Look("wine", "s", "dashdot"),
    "kernel-addition": Look("pink", "D", "short"),
    "multinmf": Look("green", "p", "dashed"),
    "pvc": Look("black", ">", "short"),
    "img": Look("pink", "h", "dashed"),
    "daimc": Look("indigo", "X", "dashdotdot"),
    "dsnmf": Look("blue", "s", "dashed"),
    "convexsub": Look("indigo", "v", "dashed"),
    "cgc": Look("pink", "*", "dashdot"),
    "coreg-pairwise": Look("blue", ">", "dashed"),
    "coreg-centroid": Look("orange", "h", "dashdot"),
    "rmsc": Look("wine", "*", "short"),
    "amgl": Look("vermilion", "p", "dashdot"),
    "mvgl": Look("indigo", "<", "dashdot"),
    "lrssc-pairwise": Look("vermilion", "^", "dashdotdot"),
    "lrssc-centroid": Look("sky", "P", "dashed"),
    "ecmsc": Look("pink", "o", "dashdot"),
    "emvc-trace": Look("indigo", "s", "dashdot"),
    "emvc-g1": Look("indigo", "o", "short"),
    "emvc-l21": Look("indigo", "^", "dotted"),
    "mkkm-zf": Look("black", "s", "dashed"),
    "mkkm-mf": Look("blue", "v", "dashdot"),
    "mkkm-knn": Look("vermilion", "D", "short"),
    "mkkm-af": Look("green", "X", "dashdotdot"),
    "mkkm-ik": Look("pink", "P", "dashed"),
    "limkkm": Look("orange", "o", "dotted"),
    "lf-imvc": Look("blue", "*", "short"),
    "opimc": Look("vermilion", "<", "dashed"),
    "ueaf": Look("green", "o", "dashdot"),
    "pic": Look("pink", "s", "dotted"),
    "imsc-agl": Look("sky", "D", "dashed"),
}


def look_of(name: str) -> Look:
    """The look of a contestant such as 'apmc' or 'apmc (n_neighbors=7)'.

    A built-in has its own. A name with brackets has the colour of what stands before them. The rest is hashed from
    the name, so that a plugin's method, too, looks the same on every machine and beside any others.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    algorithm = name.partition(" (")[0]
    colour = BUILT_IN[algorithm].colour if algorithm in BUILT_IN else _hashed(f"colour {algorithm}", tuple(COLOURS))
    return Look(colour, _hashed(f"marker {name}", MARKERS), _hashed(f"dash {name}", tuple(DASHES)))


def looks(names: Iterable[str]) -> dict[str, Look]:
    """Name -> look; no two of one colour share a marker, as long as there are markers.

    Each has `look_of(name)`. Only where a name that is not built in hashes to the colour and marker of another, it
    takes the next free marker; built-in methods never give way, and colours never change.
    """
    given: dict[str, Look] = {}
    for name in sorted(set(names), key=lambda name: (name not in BUILT_IN, name)):
        look = look_of(name)
        taken = {(other.colour, other.marker) for other in given.values()}
        start = MARKERS.index(look.marker)
        markers = (*MARKERS[start:], *MARKERS[:start])
        free = (marker for marker in markers if (look.colour, marker) not in taken)
        given[name] = replace(look, marker=next(free, look.marker))
    return given


def _hashed(text: str, choices: Sequence[str]) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return choices[int.from_bytes(digest[:8], "big") % len(choices)]
