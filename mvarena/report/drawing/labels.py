"""Names beside points of a panel, so that they cover neither each other nor, where there is room, other points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LETTER, _LINE = 0.66, 1.15  # width of a letter and height of a line, in font sizes
_DISTANCES = (4.0, 10.0, 17.0, 25.0, 34.0, 44.0, 56.0, 70.0)  # points from the marker to the name's nearest corner
_DIRECTIONS = 16
_COVERED = 12.0  # cost of a covered point, in points of distance
_FAR = 8.0  # points: beyond, a line leads from the name to its point


def placed(
    named: NDArray[np.float64],
    words: Sequence[str],
    others: NDArray[np.float64],
    size: tuple[float, float],
    font: float,
) -> list[tuple[float, float, bool]]:
    """The lower left corner of each name, relative to its point, and whether a line should lead to it; in points.

    named : (m, 2) the points to name. others : (n, 2) points that should not be covered. size : width and height of the
    panel, in points like all else. A name that has no room in the panel without covering another name is put at the
    place that covers least. Greedy, in the order given. Cost O(m (m + n)).
    """
    taken: NDArray[np.float64] = np.empty((0, 4))
    result = []
    for point, word in zip(named, words, strict=True):
        width, height = _LETTER * font * len(word), _LINE * font
        corners = _candidates(width, height)
        low = point + corners
        boxes = np.hstack([low, low + np.array([width, height])])
        outside = np.maximum(0.0, np.hstack([-boxes[:, :2], boxes[:, 2:] - size])).sum(axis=1)
        cost = (
            np.hypot(*_nearest(corners, width, height).T)
            + _COVERED * _inside(boxes, others)
            + 1e3 * _meeting(boxes, taken)
            + 1e2 * outside
        )
        best = int(np.argmin(cost))
        taken = np.vstack([taken, boxes[best]])
        far = float(np.hypot(*_nearest(corners[best : best + 1], width, height)[0])) > _FAR
        result.append((float(corners[best, 0]), float(corners[best, 1]), far))
    return result


def _candidates(width: float, height: float) -> NDArray[np.float64]:
    """Lower left corners around a point, the nearest first; those above it, towards the left, come before others."""
    corners = []
    for distance in _DISTANCES:
        for step in range(_DIRECTIONS):
            angle = math.radians(112.5) + (1 if step % 2 else -1) * math.pi * ((step + 1) // 2) * 2 / _DIRECTIONS
            x, y = distance * math.cos(angle), distance * math.sin(angle)
            across = -width if x < -1e-9 else 0.0 if x > 1e-9 else -width / 2
            along = -height if y < -1e-9 else 0.0 if y > 1e-9 else -height / 2
            corners.append((x + across, y + along))
    return np.array(corners)


def _nearest(corners: NDArray[np.float64], width: float, height: float) -> NDArray[np.float64]:
    """The point of each box that is nearest to the origin."""
    nearest: NDArray[np.float64] = np.clip(0.0, corners, corners + np.array([width, height]))
    return nearest


def _inside(boxes: NDArray[np.float64], points: NDArray[np.float64], margin: float = 2.0) -> NDArray[np.float64]:
    """Number of points in each box."""
    x, y = points[:, 0], points[:, 1]
    low, high = boxes[:, None, :2] - margin, boxes[:, None, 2:] + margin
    within: Any = (low[..., 0] < x) & (x < high[..., 0]) & (low[..., 1] < y) & (y < high[..., 1])
    count: NDArray[np.float64] = within.sum(axis=1).astype(float)
    return count


def _meeting(boxes: NDArray[np.float64], taken: NDArray[np.float64]) -> NDArray[np.float64]:
    """Number of the boxes taken that each box meets."""
    apart = (boxes[:, None, :2] >= taken[:, 2:]) | (boxes[:, None, 2:] <= taken[:, :2])
    count: NDArray[np.float64] = (~apart.any(axis=2)).sum(axis=1).astype(float)
    return count
