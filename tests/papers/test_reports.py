"""Every item of a paper has its place on its committed page; `reproduce --check` compares pages with results."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pandas as pd
import pytest

from mvarena.papers.catalog import papers
from mvarena.papers.figures import image_points
from mvarena.papers.measure import evidence
from mvarena.papers.model import Figure
from mvarena.report.formats.pages import parts_of
from mvarena.store.database import open_database

REPORTS = Path(__file__).parents[2] / "reports"
PAPERS = [pytest.param(paper, id=name) for name, paper in papers().items()]


def test_the_figure_of_emvc_shows_the_numbers_beside_it(tmp_path):
    paper = papers()["emvc"]
    copy = shutil.copyfile(REPORTS / "emvc" / "results.db", tmp_path / "results.db")
    with open_database(copy, create=False) as db:
        points = image_points(paper.items["emvc-bandwidth"], evidence(db, ["nmi"]))
    numbers = pd.read_csv(REPORTS / "emvc" / "emvc-bandwidth.csv")
    assert len(points) == 6
    for row in points.itertuples():
        method = row.contestant.partition(" (")[0]
        assert numbers["seen"].str.contains(f"{row.dataset}, nmi: .*{method}.* {row.mean:.1f}").any()


@pytest.mark.parametrize("paper", PAPERS)
def test_everything_that_was_transcribed_is_on_the_page(paper):
    parts = parts_of((REPORTS / paper.name / "README.md").read_text(encoding="utf-8"))
    wanted = {("figure" if isinstance(item, Figure) else "table", name) for name, item in paper.items.items()}
    assert wanted <= set(parts)


@pytest.mark.parametrize("paper", PAPERS)
def test_committed_results_are_small_and_name_no_place(paper):
    path = REPORTS / paper.name / "results.db"
    assert path.stat().st_size < (6_000_000 if paper.tables or paper.figures else 20_000_000)
    content = path.read_bytes()
    places = {Path.home(), Path(tempfile.gettempdir()), REPORTS.parent.resolve().parent} - {Path("/")}
    assert not [place for place in places if bytes(place) + b"/" in content]
