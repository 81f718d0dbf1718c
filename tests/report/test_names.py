"""Names beside points of quality by time: none meets another or the edge, and each belongs to its point visibly."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

from mvarena.report.drawing.canvas import WIDTHS
from mvarena.report.kinds import draw
from mvarena.report.style import looks

NAMES = ("apmc", "sc-average", "fastmice (distance=euclidean)", "simplemkkm", "nemo", "os-lf-imvc", "pic", "pimvc")


def points_of(rng: np.random.Generator, spread: float) -> pd.DataFrame:
    """57 methods, of which eight are named, closer to each other the smaller `spread` is."""
    names = [*NAMES, *(f"method-{number}" for number in range(49))]
    mean = 50 + 10 * spread * rng.normal(size=57)
    return pd.DataFrame(
        {
            "contestant": names, "label": names, "wall_s": np.exp(spread * rng.normal(size=57)), "mean": mean,
            "finished": rng.integers(3, 5, 57), "conditions": 4, "label_picked": False, "metric": "nmi",
            "on_front": mean == mean.max(), "group": "", "title": "NMI, all conditions", "metric_axis": "NMI (%)",
        }
    )  # fmt: skip


def extent(text: Text) -> Any:
    """Of the text without its line."""
    text.get_window_extent()  # moves it to its place
    return Text.get_window_extent(text)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("seed", range(3))
def test_names_touch_their_point_or_are_joined_to_it(seed: int, width: float) -> None:
    points = points_of(np.random.default_rng(seed), spread=1.0)
    names = list(points["contestant"])
    axis = draw("pareto", points, looks(names, {}, muted=names[8:]), width).figure.axes[0]
    frame = axis.get_window_extent()
    shown = {text.get_text().split()[0]: text for text in axis.texts}
    boxes = {name: extent(text) for name, text in shown.items()}
    named = points[(points.index < 8) | points["on_front"]]
    assert set(shown) == set(named["label"].str.split().str[0])
    for row in named.itertuples():
        method = str(row.label).split()[0]
        box = boxes[method]
        assert frame.x0 <= box.x0 < box.x1 <= frame.x1
        assert frame.y0 <= box.y0 < box.y1 <= frame.y1
        x, y = axis.transData.transform((row.wall_s, row.mean))
        away = np.hypot(max(box.x0 - x, 0, x - box.x1), max(box.y0 - y, 0, y - box.y1)) * 72 / axis.figure.dpi
        assert away < 5 or shown[method].arrow_patch is not None
    assert not [pair for pair in combinations(boxes, 2) if boxes[pair[0]].overlaps(boxes[pair[1]])]
