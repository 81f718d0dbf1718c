"""Figures of reports/picking and reports/numbers: the numbers beside them are what the pages' data give."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.page_figures import NUMBERS, PICKING, numbers, picking


@pytest.mark.parametrize(("folder", "points", "stem"), [(PICKING, picking, "regret"), (NUMBERS, numbers, "loss")])
def test_the_numbers_beside_the_figure_are_what_the_page_s_data_give(folder, points, stem) -> None:
    stored = pd.read_csv(folder / f"{stem}.csv")
    pd.testing.assert_frame_equal(stored, points(folder).round(4), check_dtype=False)
    assert (folder / f"{stem}.png").stat().st_size < 80_000
