"""Results with little in them, or much: a sensible page, or one clear sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from browsers import Browser
from site_examples import add, done, failed, written

from mvarena.contracts.outcome import Status
from mvarena.store.database import Database, open_database

PAGES = ("board", "claims", "datasets", "dataset/data-a", "methods", "method/apmc", "trials", "quality")


def one_method(db: Database, rng: np.random.Generator) -> None:
    add(db, "apmc", "data-a", done(rng, 0.7))


def one_data_set(db: Database, rng: np.random.Generator) -> None:
    for method in ("apmc", "concat", "mic"):
        add(db, method, "data-a", done(rng, 0.7), rate=None)


def everything_failed(db: Database, rng: np.random.Generator) -> None:
    for method in ("apmc", "concat"):
        for repeat, status in enumerate((Status.FAILED, Status.TIMEOUT, Status.CRASHED, Status.SKIPPED)):
            add(db, method, "data-a", failed(status, f"it ended as {status}."), repeat=repeat)


def unlabelled(db: Database, rng: np.random.Generator) -> None:
    for method in ("apmc", "concat"):
        for dataset in ("data-a", "data-b"):
            add(db, method, dataset, done(rng, 0.5, metrics=("silhouette-views", "stability"), labelled=False))


def a_metric_is_missing_for_some(db: Database, rng: np.random.Generator) -> None:
    for dataset in ("data-a", "data-b"):
        add(db, "apmc", dataset, done(rng, 0.7))
        add(db, "concat", dataset, done(rng, 0.7))
        add(db, "mic", dataset, done(rng, 0.7, metrics=("acc",)))


NO_CLAIM = "No claim is made by NMI"
TOO_FEW = "over 2 data sets: too few data sources for a claim (6 needed)"
FAILED = [f"it ended as {status}." for status in ("FAILED", "TIMEOUT", "CRASHED", "SKIPPED")]


@pytest.mark.parametrize(
    ("filled", "said"),
    [
        (one_method, {"board": [NO_CLAIM]}),
        (one_data_set, {"board": [NO_CLAIM]}),
        (everything_failed, {"board": [NO_CLAIM, FAILED[2]], "method/apmc": FAILED}),
        (unlabelled, {"board": [TOO_FEW]}),
        (a_metric_is_missing_for_some, {"board": [TOO_FEW, "mic: no NMI under 2 of 2 conditions.", "mvarena score"]}),
    ],
)
def test_every_page_is_drawn_whatever_there_is(
    filled, said: dict[str, list[str]], browser: Browser, tmp_path: Path
) -> None:
    with open_database(tmp_path / "results.db") as db:
        filled(db, np.random.default_rng(0))
    site = written(tmp_path / "results.db", tmp_path / "site")
    with browser.phone():
        for page in PAGES:
            browser.open(site, page)
            assert browser.run("return document.documentElement.scrollWidth <= window.innerWidth"), page
            assert "NaN" not in browser.text("main").replace("gave no number", ""), page
            assert "undefined" not in browser.text("main"), page
            assert [words for words in said.get(page, []) if words not in browser.text("main")] == []
