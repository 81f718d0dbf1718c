"""A site of everything, a site of hostile names, and a browser to read them with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsers import Browser, chromium
from site_examples import hostile, study, written

from mvarena.site.data import Material, material_of
from mvarena.store.database import open_database

TOYS = Path(__file__).parents[1] / "toys"


@pytest.fixture(autouse=True)
def _workers_find_the_toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(TOYS), os.environ.get("PYTHONPATH", "")]))


@pytest.fixture(scope="session")
def study_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return study(tmp_path_factory.mktemp("study") / "results.db")


@pytest.fixture(scope="session")
def material(study_path: Path) -> Iterator[Material]:
    """What the site of the study is made of."""
    with open_database(study_path, readonly=True) as db:
        yield material_of(db)


@pytest.fixture(scope="session")
def site(study_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the study's site."""
    return written(study_path, tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    return written(hostile(folder / "results.db"), folder / "site")


@pytest.fixture(scope="session")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the browser puts what it is given."""
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="session")
def _browser(downloads: Path) -> Iterator[Browser]:
    with chromium(downloads) as started:
        yield started


@pytest.fixture
def browser(_browser: Browser) -> Iterator[Browser]:
    """A browser that has complained of nothing, neither before the test nor after, and asked nobody elsewhere."""
    _browser.driver.get("about:blank")  # the page of the test before would go on to ask its server, which has ended
    _browser.errors()
    _browser.requests()
    yield _browser
    assert _browser.errors() == []
    elsewhere = [
        one
        for one in _browser.requests()
        if not one.startswith(("file:", "data:", "blob:", "about:", "http://127.0.0.1:"))
    ]
    assert elsewhere == []
