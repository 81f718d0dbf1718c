"""Figures of reports/picking and reports/numbers: their numbers are those of the pages' tables."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.page_figures import NUMBERS, PICKING, numbers, picking


def table_of(folder: Path, n: int = 0) -> dict[str, list[str]]:
    """The cells of the page's nth table, by the first of each row."""
    page = (folder / "README.md").read_text("utf-8")
    blocks = [block for block in page.split("\n\n") if block.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in blocks[n].splitlines()[2:]]
    return {row[0]: row[1:] for row in rows}


@pytest.mark.parametrize(("n", "series"), [(0, "among all methods"), (1, "within one method's grid")])
def test_the_figure_of_picking_shows_the_regrets_of_the_tables(n: int, series: str) -> None:
    points = picking(PICKING)
    shown = {row.row.partition(" (")[0]: row for row in points[points["series"] == series].itertuples()}
    table = table_of(PICKING, n)
    assert shown.keys() == table.keys() - {"oracle \\*"}
    for name, row in shown.items():
        assert f"{row.value:.2f}" == table[name][1]
        assert row.low < row.value < row.high


def test_the_figure_of_numbers_shows_the_losses_and_intervals_of_the_table() -> None:
    table = table_of(NUMBERS)
    points = numbers(NUMBERS)
    assert set(points["row"]) == table.keys()
    for row in points.itertuples():
        *_, loss, more = table[row.row]
        if row.axis.startswith("mean loss minus"):
            assert f"{row.value:+.3f} [{row.low:+.3f}, {row.high:+.3f}]" == more
        else:
            assert f"{row.value:.3f}" == loss


@pytest.mark.parametrize(("folder", "points", "stem"), [(PICKING, picking, "regret"), (NUMBERS, numbers, "loss")])
def test_the_numbers_beside_the_figure_are_what_the_page_s_data_give(folder, points, stem) -> None:
    stored = pd.read_csv(folder / f"{stem}.csv")
    pd.testing.assert_frame_equal(stored, points(folder).round(4), check_dtype=False)
    assert f"]({stem}.png)" in (folder / "README.md").read_text("utf-8")
    assert (folder / f"{stem}.png").stat().st_size < 80_000
