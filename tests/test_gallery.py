"""The figures of docs/gallery.md are what `mvarena report` draws of the results beside them."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

GALLERY = Path(__file__).parents[1] / "docs" / "gallery"


@pytest.mark.slow
@pytest.mark.skipif(not GALLERY.is_dir(), reason="wants files that are not distributed")
def test_all_are_drawn_again(tmp_path: Path) -> None:
    drawing = runpy.run_path(str(GALLERY / "draw.py"))
    drawing["draw"](tmp_path)
    shown = {path.name for path in GALLERY.glob("figure-*")}
    assert {path.name for path in tmp_path.glob("figure-*")} == shown
    for name in sorted(name for name in shown if name.endswith(".csv")):
        assert (tmp_path / name).read_text("utf-8") == (GALLERY / name).read_text("utf-8"), name
