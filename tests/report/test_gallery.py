"""The gallery shows every kind of figure, and what it shows is what its database gives."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pandas as pd
import pytest

from mvarena.report.figures.kinds import KINDS

DOCS = Path(__file__).parents[2] / "docs"
GALLERY = DOCS / "gallery"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gallery")
    runpy.run_path(str(GALLERY / "draw.py"))["draw"](folder, form="svg")
    return folder


def test_every_kind_is_drawn_and_shown() -> None:
    settings = runpy.run_path(str(GALLERY / "draw.py"))
    kinds = {kind.name for kind in KINDS}
    assert {name for names, _ in settings["DRAWN"] for name in names} == kinds
    assert set(re.findall(r"^## (\S+)$", (DOCS / "gallery.md").read_text("utf-8"), re.MULTILINE)) == kinds


def test_the_page_shows_all_images_that_there_are() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", (DOCS / "gallery.md").read_text("utf-8"))
    assert sorted(shown) == sorted(f"gallery/{path.name}" for path in GALLERY.glob("*.png"))


@pytest.mark.slow
def test_drawn_again_the_points_are_those_that_are_committed(drawn: Path) -> None:
    fresh, kept = ({path.name: path for path in folder.glob("*.csv")} for folder in (drawn, GALLERY))
    assert sorted(fresh) == sorted(kept)
    assert sorted(path.stem for path in drawn.glob("*.svg")) == sorted(path.stem for path in GALLERY.glob("*.png"))
    for name, path in fresh.items():
        ours, theirs = pd.read_csv(path), pd.read_csv(kept[name])
        # coordinates and similarities come from running a method, whose last digits depend on the machine
        loose = {"rtol": 0.05, "atol": 0.01} if "26d073cd" in name else {"rtol": 1e-6}
        pd.testing.assert_frame_equal(ours, theirs, obj=name, check_dtype=False, **loose)


def test_the_files_stay_small() -> None:
    sizes = {path.name: path.stat().st_size for path in GALLERY.iterdir() if path.is_file()}
    assert sizes["results.db"] < 1_000_000
    assert sum(sizes.values()) < 3_000_000
