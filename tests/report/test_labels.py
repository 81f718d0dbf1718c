"""Names beside points: they stay in their panel and meet no other name, and a line leads to those that stand far."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.report.drawing.pareto import placed

SIZE, FONT = (200.0, 150.0), 6.5


def boxes(points: np.ndarray, words: list[str], others: np.ndarray) -> list[tuple[float, float, float, float]]:
    """Left, bottom, right and top of each name, as wide as its letters are drawn at most."""
    corners = placed(points, words, others, SIZE, FONT)
    return [
        (x + dx, y + dy, x + dx + 0.66 * FONT * len(word), y + dy + 1.15 * FONT)
        for (x, y), (dx, dy, _), word in zip(points, corners, words, strict=True)
    ]


def meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("seed", range(5))
def test_names_of_a_crowd_neither_meet_nor_leave_the_panel(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.uniform(80, 110, size=(8, 2))  # all within the room of a single name
    found = boxes(points, ["some-name"] * 8, points)
    assert not any(meet(one, other) for one, other in combinations(found, 2))
    assert all(x >= 0 and y >= 0 and right <= SIZE[0] and top <= SIZE[1] for x, y, right, top in found)


def test_a_name_alone_stands_at_its_point_without_a_line() -> None:
    ((x, y, far),) = placed(np.array([[100.0, 75.0]]), ["one"], np.empty((0, 2)), SIZE, FONT)
    assert not far
    assert np.hypot(x + 0.66 * FONT * 3, y) < 8


def test_a_name_among_points_stands_off_with_a_line() -> None:
    grid = np.stack(np.meshgrid(np.arange(75, 126, 4.0), np.arange(50, 101, 4.0)), axis=-1).reshape(-1, 2)
    ((_, _, far),) = placed(np.array([[100.0, 75.0]]), ["a-name"], grid, SIZE, FONT)
    assert far


@given(st.lists(st.tuples(st.floats(0, 200), st.floats(0, 150)), max_size=6))
def test_any_points_have_a_place_each(points: list[tuple[float, float]]) -> None:
    array = np.array(points, dtype=float).reshape(-1, 2)
    found = placed(array, ["name"] * len(points), array, SIZE, FONT)
    assert np.isfinite([corner[:2] for corner in found]).all()
    assert len(found) == len(points)
