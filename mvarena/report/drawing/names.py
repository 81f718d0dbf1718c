"""Names beside points of a panel: each touches its point or is joined to it by a line, and meets no other name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from mvarena.report.drawing.canvas import SMALL

# all lengths are points, of which 72 are an inch
_DISTANCES = (3.5, 10.0, 17.0, 25.0, 34.0, 44.0, 56.0, 70.0, 85.0, 100.0)  # from the point to the name's nearest spot
_DIRECTIONS = 16
_TOUCHING = 6.0  # beyond this distance a line leads from the name to its point
_EVERY = 2.0  # between spots at which a line is looked at
_CLEAR = 2.0  # around a name
_COVERED, _CLOSE, _OUTSIDE = 30.0, 8.0, 100.0  # costs, in points of distance
_ROUNDS = 4
_LETTER = 0.6  # mean width of a letter, in font sizes


class Place(NamedTuple):
    """A place of a name.

    box : its left, bottom, right and top. tip : the spot of the box from which a line leads to the point. line : spots
    on that line; none where the name touches its point. cost : in points of distance.
    """

    box: NDArray[np.float64]
    tip: NDArray[np.float64]
    line: NDArray[np.float64]
    cost: float


def name_points(
    axis: Axes, named: NDArray[np.float64], words: Sequence[str], marks: NDArray[np.float64], path: NDArray[np.float64]
) -> None:
    """Write names beside points. To be called when nothing moves any more, after `canvas.finish`.

    named : (m, 2) the points to name, in the units of the axes. marks : (n, 2) all points, those to name among them.
    path : (p, 2) the corners of a line that names should not cover.
    """
    to_points = 72.0 / axis.figure.dpi
    frame = axis.get_window_extent()
    corner = to_points * np.array([frame.x0, frame.y0])

    def places(values: NDArray[np.float64]) -> NDArray[np.float64]:
        shown: NDArray[np.float64] = to_points * axis.transData.transform(values) - corner
        return shown

    size = to_points * np.array([frame.width, frame.height])
    letters = max(12, int(size[0] / 2.2 / (_LETTER * SMALL)))
    style: dict[str, Any] = {"fontsize": SMALL, "color": "0.35", "ha": "left", "va": "bottom", "linespacing": 1.0}
    lines = [fill(word, letters, break_on_hyphens=False) for word in words]
    own = places(named)
    for word, values, point, place in zip(
        lines, named, own, placed(own, _extents(axis, lines, style), places(marks), places(path), size), strict=True
    ):
        box, far = place.box, len(place.line) > 0
        relative = (place.tip - box[:2]) / (box[2:] - box[:2])
        leader = {"arrowstyle": "-", "linewidth": 0.5, "color": "0.5", "shrinkA": 0.0, "shrinkB": 1.5}
        axis.annotate(
            word, tuple(values), tuple(box[:2] - point), textcoords="offset points", annotation_clip=False,
            arrowprops=leader | {"relpos": tuple(relative)} if far else None, **style,
        )  # fmt: skip


def _extents(axis: Axes, words: Sequence[str], style: dict[str, Any]) -> NDArray[np.float64]:
    """(m, 2) widths and heights of texts."""
    texts = [axis.text(0.0, 0.0, word, **style) for word in words]
    boxes = [text.get_window_extent() for text in texts]
    for text in texts:
        text.remove()
    return 72.0 / axis.figure.dpi * np.array([[box.width, box.height] for box in boxes]).reshape(-1, 2)


def placed(
    named: NDArray[np.float64],
    extents: NDArray[np.float64],
    marks: NDArray[np.float64],
    path: NDArray[np.float64],
    size: NDArray[np.float64],
) -> list[Place]:
    """The places of names of `extents` (m, 2) beside the points `named` (m, 2), in a panel of `size` (2,).

    marks, path : as in `name_points`, in points. Each name in turn goes to the cheapest of its places that meets no
    other name and no line to one, given where the others are; where there is none, to the one that meets fewest. Cost
    O(m D (n + m)) for D candidates.
    """
    spots = np.vstack([_along(path), np.empty((0, 2))])
    every = [_candidates(point, extent, marks, spots, size) for point, extent in zip(named, extents, strict=True)]
    chosen = [places[0] for places in every]
    for _ in range(_ROUNDS):
        for index, places in enumerate(every):
            others = [place for other, place in enumerate(chosen) if other != index]
            free = (place for place in places if not any(_meet(place, other) for other in others))
            chosen[index] = next(free, None) or min(places, key=lambda place: sum(_meet(place, one) for one in others))
    return chosen


def _candidates(
    point: NDArray[np.float64],
    extent: NDArray[np.float64],
    marks: NDArray[np.float64],
    spots: NDArray[np.float64],
    size: NDArray[np.float64],
) -> list[Place]:
    """The places around a point, the cheapest first: near, in the panel, and away from other marks and `spots`."""
    other_marks = marks[np.hypot(*(marks - point).T) > 1e-6]
    found = []
    for distance in _DISTANCES:
        for step in range(_DIRECTIONS):
            tip, low = _corner(point, extent, distance, step)
            box = np.concatenate([low, low + extent])
            line = _along(np.vstack([tip, point])) if distance > _TOUCHING else np.empty((0, 2))
            away, along = _away(box, other_marks), _away(box, spots)
            if len(line):
                between = line[:, None] - other_marks[None]
                disturbed = _COVERED * (np.hypot(between[..., 0], between[..., 1]).min(axis=0) < _CLEAR + 1.0).sum()
            else:  # a name that touches two marks could be that of either
                disturbed = _CLOSE * (away < _DISTANCES[0] + _CLEAR).sum()
            covered = _COVERED * ((away < _CLEAR).sum() + (along < 1.0).sum())
            outside = float(np.maximum(0.0, np.concatenate([_CLEAR - box[:2], box[2:] - size])).sum())
            found.append(Place(box, tip, line, float(distance + disturbed + covered) + _OUTSIDE * outside))
    return sorted(found, key=lambda place: place.cost)


def _corner(
    point: NDArray[np.float64], extent: NDArray[np.float64], distance: float, step: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The spot of a box that is nearest to the point, in the direction of this step, and the box's lower left corner.

    Directions above the point, towards the left, come before others.
    """
    angle = math.radians(112.5) + (1 if step % 2 else -1) * math.pi * ((step + 1) // 2) * 2 / _DIRECTIONS
    towards = np.array([math.cos(angle), math.sin(angle)])
    share = np.where(towards < -1e-9, 1.0, np.where(towards > 1e-9, 0.0, 0.5))  # of the box, before its nearest spot
    tip = point + distance * towards
    return tip, tip - share * extent


def _along(path: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spots on the lines from each point of a path to the next, both ends among them."""
    pieces = [np.linspace(start, stop, 2 + int(np.hypot(*(stop - start)) / _EVERY)) for start, stop in pairwise(path)]
    return np.vstack(pieces) if pieces else np.empty((0, 2))


def _away(box: NDArray[np.float64], spots: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distance of each spot from a box; 0 inside."""
    beyond = np.maximum(0.0, np.maximum(box[:2] - spots, spots - box[2:]))
    distance: NDArray[np.float64] = np.hypot(beyond[:, 0], beyond[:, 1])
    return distance


def _meet(first: Place, second: Place) -> bool:
    """True if two names, or the line of one and the other or its line, meet."""
    apart = (first.box[:2] >= second.box[2:]) | (first.box[2:] <= second.box[:2])
    if not apart.any():
        return True
    if (_away(first.box, second.line) < _CLEAR).any() or (_away(second.box, first.line) < _CLEAR).any():
        return True
    between = first.line[:, None] - second.line[None]
    return bool((np.hypot(between[..., 0], between[..., 1]) < _EVERY).any())
