"""Addresses are names and keys: they mean the same after further results, and where no plugin is installed."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import quote

import numpy as np
from browsers import Browser
from site_examples import DATASETS, add, done, trial, written

from mvarena.store.database import open_database


def heading(browser: Browser, site: Path, route: str) -> str:
    browser.open(site, route)
    return browser.text("h1")


def test_addresses_survive_ten_more_trials(study_path: Path, browser: Browser, site: Path, tmp_path: Path) -> None:
    keys = [trial(method, DATASETS[3]).key for method in ("apmc", "mic", "sc-concat")]
    pages = [f"trial/{key[:12]}" for key in keys]
    pages += ["method/mic", f"dataset/{quote(DATASETS[-1])}", "board?condition=missing-even 0.3&pin=apmc&data=data-c"]
    before = [heading(browser, site, page) for page in pages]
    assert "Page not found" not in before
    assert before[0].startswith("apmc on data-d")
    grown = shutil.copy(study_path, tmp_path / "grown.db")
    rng = np.random.default_rng(7)
    with open_database(grown) as db:
        for repeat in range(5):
            for method in ("a-first-method", "zz-last-method"):
                add(db, method, "a-first-data-set", done(rng, 0.9), rate=0.05, repeat=repeat)
    after = written(Path(grown), tmp_path / "site")
    assert [heading(browser, after, page) for page in pages] == before


def test_a_trial_is_found_by_the_beginning_of_its_key(browser: Browser, site: Path) -> None:
    key = trial("apmc", DATASETS[3]).key
    assert heading(browser, site, f"trial/{key[:4]}") == heading(browser, site, f"trial/{key[:16]}")
    assert browser.text(".scores").startswith("NMI (%) ")
    assert heading(browser, site, f"trial/{key[:3]}") == "Page not found"


def test_a_failed_trial_has_its_reason_first_and_no_score(browser: Browser, site: Path) -> None:
    key = trial("mic", DATASETS[2]).key
    browser.open(site, f"trial/{key[:12]}")
    assert browser.text(".trouble") == "timeout: it took more than 600 s."
    assert not browser.texts(".scores")
    assert "0 MiB" not in browser.text()
    facts = dict(zip(browser.texts("dl.facts dt"), browser.texts("dl.facts dd"), strict=True))
    assert facts["Peak memory"] == "–"
    assert facts["Took"] == "600 s, of it the fit –"
