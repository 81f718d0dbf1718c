"""Studies by the commands that asked for them, and by what their trials share where no command is stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browsers import Browser
from site_examples import HOSTILE, add, done, trial, written

from mvarena.registry.catalog import installed_catalog
from mvarena.site.data import Wanted, material_of
from mvarena.site.studies import studies_of
from mvarena.store.database import Database, open_database
from mvarena.store.filters import Filter, chosen
from mvarena.store.runs import Ended, asked_run
from mvarena.study.request import BY_PYTHON, Asked, kept_study, typed_command

TYPED = Asked(typed_command(["run", "--algo", "apmc", "concat", "--data", "data-a", "--db", "/home/me/r.db"]))
FILE = Asked(typed_command(["run", "study.toml"]), kept_study({"title": HOSTILE[0], "data": "data-a"}))


def ask(db: Database, asked: Asked, *wanted: str, how: Ended = Ended.DONE) -> None:
    with asked_run(db, asked, {"python": "3.13"}) as run:
        run.wants(trial(name, "data-a").key for name in wanted)
        run.how = how


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six methods on one data set; mic is asked for by nobody."""
    path = tmp_path_factory.mktemp("asked") / "results.db"
    rng = np.random.default_rng(0)
    with open_database(path) as db:
        for name in ("apmc", "concat", "sc-concat", "sc-average", "kernel-addition", "mic"):
            add(db, name, "data-a", done(rng, 0.5))
        ask(db, TYPED, "apmc", "concat", how=Ended.INTERRUPTED)
        ask(db, FILE, "apmc", "concat", "sc-concat")
        ask(db, TYPED, "apmc", "concat")
        for names in (("sc-average",), ("kernel-addition", "apmc"), ("sc-average",)):
            ask(db, BY_PYTHON, *names)
        ask(db, Asked("mvarena run --algo gone"), "stranger")
    return path


@pytest.fixture
def db(path: Path) -> Iterator[Database]:
    with open_database(path, readonly=True) as opened:
        yield opened


def test_one_study_for_each_command_that_asked_for_what_is_shown(db: Database) -> None:
    material = material_of(db, installed_catalog(), Wanted())
    studies, column = studies_of(material)
    assert [one["n"] for one in studies] == [3, 2, 2, 1, 1]
    by_file = studies[0]
    assert (by_file["command"], by_file["file"]) == (FILE.command, FILE.study)
    typed = next(one for one in studies if one["command"] == TYPED.command)
    assert [one["ended"] for one in typed["runs"]] == ["interrupted", "done"]
    assert typed["first"] == typed["runs"][0]["began"]
    assert typed["first"] <= typed["runs"][1]["began"] <= typed["last"]
    by_python = [one for one in studies if one.get("by_python")]
    assert sorted((one["n"], len(one["runs"])) for one in by_python) == [(1, 2), (2, 1)]
    (unknown,) = [one for one in studies if not one["runs"]]
    assert (unknown["command"], unknown["title"]) == ("", "Trials of which no command is stored")
    algorithms = material.trials["algorithm"].tolist()
    of = {name: column["values"][code] for name, code in zip(algorithms, column["codes"], strict=True)}
    assert {name: len(own) for name, own in of.items()} == {
        "apmc": 3, "concat": 2, "sc-concat": 1, "sc-average": 1, "kernel-addition": 1, "mic": 1,
    }  # fmt: skip
    assert of["mic"] == [studies.index(unknown)]
    assert of["sc-concat"] == [0]


def test_a_filter_leaves_the_studies_of_what_it_leaves(db: Database) -> None:
    where = chosen(db, Filter(algorithms=("sc-concat", "mic")))
    studies, column = studies_of(material_of(db, installed_catalog(), Wanted(where=where)))
    assert sorted((one["n"], bool(one["runs"])) for one in studies) == [(1, False), (1, True)]
    assert sorted(map(tuple, column["values"])) == [(0,), (1,)]


@pytest.fixture(scope="module")
def asked_site(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(path, tmp_path_factory.mktemp("asked-site"))


def test_the_page_of_a_study_shows_the_command_its_file_and_its_runs(browser: Browser, asked_site: Path) -> None:
    browser.open(asked_site, "studies")
    titles = browser.texts("main table tbody a")
    assert len(titles) == 5
    browser.open(asked_site, f"study/{next(i for i, one in enumerate(titles) if one.startswith('--algo apmc'))}")
    assert browser.texts("pre.code") == [TYPED.command]
    assert "As it was typed" in browser.text("main")
    rows = browser.texts("main table tbody tr")
    assert len(rows) == 2
    assert "interrupted" in rows[0] + rows[1]
    browser.open(asked_site, "study/0")
    assert HOSTILE[0] in browser.text("h1")
    assert browser.texts("pre.code") == [FILE.command, FILE.study]
    assert browser.run("return document.title") != "taken"
    browser.click('main a[href*="trials?study=0"]')
    browser.wait("return document.querySelector('h1').textContent === 'Trials'")
    assert len(browser.texts("main table tbody tr")) == 3
    assert "null" not in browser.text()


def test_what_is_not_known_is_said(browser: Browser, asked_site: Path) -> None:
    browser.open(asked_site, "studies")
    titles = browser.texts("main table tbody a")
    said = []
    for place, title in enumerate(titles):
        if title.startswith(("Trials of", "mvarena.run")):
            browser.open(asked_site, f"study/{place}")
            said.append(browser.text("main"))
    assert len([text for text in said if "whose arguments are not stored" in text]) == 2
    assert len([text for text in said if "Not stored." in text]) == 1


def test_a_trial_names_all_its_studies(browser: Browser, asked_site: Path) -> None:
    browser.open(asked_site, "trials", "?algorithm=apmc")
    browser.click("main table tbody a")
    browser.wait("return document.querySelector('h1').textContent.includes(' on ')")
    assert len(browser.texts('main dd a[href*="study/"]')) == 3
