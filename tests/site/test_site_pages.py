"""Every page in a real browser: drawn, sorted, filtered, narrow, dark, and deaf to hostile names."""

from __future__ import annotations

import json
import time
from pathlib import Path
from urllib.parse import quote, urlencode
from xml.etree import ElementTree

import pytest
from browsers import Browser
from site_examples import DATASETS, HOSTILE, METHODS

from mvarena.report.tables.quality import separated
from mvarena.site.data import Material

PAGES = {
    "board": "Leader board", "comparison": "Every method against every other", "pareto": "Quality and time",
    "datasets": "Data sets", "dataset/data-a": "data-a", "methods": "Methods", "method/apmc": "apmc",
    "method/stranger": "stranger", "studies": "Studies", "study/0": "Trials of which no command is stored",
    "trials": "Trials", "quality": "Quality of the results", "scaling": "Scaling", "trial/0": " on ",
}  # fmt: skip
HEADS = "main thead .head"
SEARCH = (
    "const box = document.querySelector('main input[type=search]'); box.value = arguments[0];"
    "box.dispatchEvent(new Event('input'))"
)
NO_SCROLL = "return document.documentElement.scrollWidth <= window.innerWidth"


def column(browser: Browser, number: int) -> list[str]:
    """The texts of a column of the first table."""
    return browser.run(
        "const rows = document.querySelector('main table tbody').rows;"
        "return Array.from(rows, row => row.cells[arguments[0]].textContent)",
        number,
    )


@pytest.mark.parametrize("page", PAGES)
def test_every_kind_of_page_is_drawn(page: str, browser: Browser, site: Path) -> None:
    browser.open(site, page)
    assert PAGES[page] in browser.text("h1")
    assert browser.run("return document.title").endswith("mvarena")
    assert browser.run("return document.querySelectorAll('main .trouble').length") == 0
    assert browser.texts('nav [aria-current="page"]')


@pytest.mark.parametrize("page", PAGES)
def test_on_a_phone_nothing_is_scrolled_sideways(page: str, browser: Browser, site: Path) -> None:
    with browser.phone():
        browser.open(site, page)
        assert browser.run(NO_SCROLL)
        here = "const at = document.querySelector('nav [aria-current]').getBoundingClientRect();"
        assert browser.run(f"{here} return at.left >= 0 && at.right <= window.innerWidth")


def test_a_click_on_a_head_sorts_and_another_turns_it_round(browser: Browser, site: Path) -> None:
    browser.open(site)
    heads = browser.texts(HEADS)
    rank = heads.index("Mean rank")
    assert column(browser, rank) == sorted(column(browser, rank), key=float)
    browser.run("document.querySelectorAll(arguments[0])[0].click()", HEADS)
    names = column(browser, 0)
    assert names == sorted(names, key=str.lower)
    browser.run("document.querySelectorAll(arguments[0])[0].click()", HEADS)
    assert column(browser, 0) == names[::-1]
    assert browser.run("return document.querySelector('main thead th').getAttribute('aria-sort')") == "descending"


def test_sorting_and_searching_are_kept_in_the_address(browser: Browser, site: Path) -> None:
    browser.open(site)
    place = browser.texts(HEADS).index("Seconds")
    browser.run(f"document.querySelectorAll(arguments[0])[{place}].click()", HEADS)
    browser.run(SEARCH, "apmc")
    shown = column(browser, 1)
    assert shown
    assert all("apmc" in name for name in shown)
    address = browser.run("return location.href")
    browser.driver.get("about:blank")
    browser.driver.get(address)
    browser.drawn("board")
    assert column(browser, 1) == shown
    assert browser.run("return document.querySelector('main thead th[aria-sort]').textContent") == "Seconds"
    assert browser.run("return document.querySelector('main input[type=search]').value") == "apmc"
    browser.click('nav a[href^="#/methods"]')
    browser.drawn("methods")
    assert "search" not in browser.run("return location.hash")


def test_pinned_methods_stand_above_and_are_compared(browser: Browser, site: Path) -> None:
    browser.open(site)
    names = column(browser, 1)
    for place in (2, 3):
        browser.run("document.querySelectorAll('main .pin')[arguments[0]].click()", place)
    assert column(browser, 1)[:2] == names[2:4]
    assert "Pinned methods" in browser.texts("main h2")
    assert " on average over " in browser.text(".told li")
    assert "told apart (Wilcoxon p " in browser.text(".told li")
    browser.run(SEARCH, "no such method")
    assert column(browser, 1) == names[2:4]
    address = browser.run("return location.href")
    browser.driver.get("about:blank")
    browser.driver.get(address)
    browser.drawn("board")
    assert "Pinned methods" in browser.texts("main h2")


def test_scores_from_control_to_best(browser: Browser, site: Path, material: Material) -> None:
    browser.open(site, "board", "?scores=above-control")
    assert "ACC above control (%)" in browser.texts(HEADS)
    summary = material.results.summary
    row = summary[(summary["metric"] == "acc") & summary["mean"].notna() & summary["control"].notna()].iloc[0]
    expected = (row["mean"] - row["control"]) / (1 - row["control"])
    where = "p.dataset[i] === args[0] && p.contestant[i] === args[1] && p.rate[i] === args[2] && p.mean[i] === args[3]"
    shares = browser.result(
        f"mvarena.need('points-0').then(([p]) => p.mean.map((_, i) => i).filter(i => {where}).map(i => "
        "mvarena.scored(p, mvarena.choices()).mean[i]))",
        material.datasets.index(row["dataset"]),
        material.contestants.index(row["contestant"]),
        row["rate"],
        row["mean"],
    )
    assert shares == pytest.approx([expected] * len(shares))
    assert shares


def test_quality_is_that_of_the_report(browser: Browser, site: Path, material: Material) -> None:
    browser.open(site, "quality")
    table = material.results.quality[0]
    assert set(column(browser, 0)) == {row.head for row in table.rows}
    assert set(column(browser, 1)) == {row.cells[0].text or "–" for row in table.rows}


def test_numbers_are_sorted_as_numbers_and_gaps_come_last(browser: Browser, site: Path) -> None:
    browser.open(site, "trials")
    place = browser.texts(HEADS).index("ACC (%)")
    for _ in range(2):
        browser.run(f"document.querySelectorAll(arguments[0])[{place}].click()", HEADS)
        browser.run("for (let i = 0; i < 9; i++) document.querySelector('.table .tools button').click()")
        shown = column(browser, place)
        known = [float(text.rstrip(" *")) for text in shown if text != "–"]
        assert known in (sorted(known), sorted(known, reverse=True))
        assert "–" in shown
        assert "–" not in shown[: len(known)]


def test_a_filter_is_applied_by_hand_and_kept_from_page_to_page(browser: Browser, site: Path) -> None:
    browser.open(site)
    before = browser.text(".claim")
    assert f"Over {len(DATASETS) - 1} data sets" in before  # on one of them somebody was never run
    browser.click('.pick[data-kind="data"] summary')
    browser.run("document.querySelectorAll('.pick[data-kind=\"data\"] .plain')[1].click()")  # none
    for place in (0, 2, 3):
        browser.run("document.querySelectorAll('.pick[data-kind=\"data\"] input')[arguments[0]].click()", place)
    browser.click('.pick[data-kind="data"] .go')
    browser.wait("return document.querySelector('.claim').textContent.startsWith('Over 3 data sets')")
    browser.run("document.querySelectorAll('nav a')[1].click()")
    browser.drawn("comparison")
    assert browser.text(".claim").startswith("Over 3 data sets")
    browser.run("Array.from(document.querySelectorAll('.filters .plain')).pop().click()")  # show all
    browser.wait(
        f"return document.querySelector('.claim').textContent.startsWith('Over {len(DATASETS) - 1} data sets')"
    )


@pytest.mark.parametrize(
    ("query", "methods"),
    [
        ({"metric": "nmi"}, 5), ({"family": "baselines"}, 2), ({"method": ["apmc", "mic"]}, 2),
        ({"scaling": "auto"}, 5),
        ({"condition": "missing-even 0.1"}, 5), ({"protocol": "fair"}, 5), ({"unfinished": "left-out"}, 5),
    ],
)  # fmt: skip
def test_each_kind_of_filter(query: dict[str, str], methods: int, browser: Browser, site: Path) -> None:
    browser.open(site, "board", "?" + urlencode(query, doseq=True))
    assert len(column(browser, 0)) == methods


def test_what_did_not_finish_is_said_wherever_it_matters(browser: Browser, site: Path) -> None:
    browser.open(site)
    assert "1 of " in browser.text("main table")
    browser.open(site, "method/mic")
    assert "it took more than 600 s." in browser.text("main")
    browser.open(site, "method/sc-concat")
    browser.run("document.querySelector('main a[href*=\"#/trial/\"]').click()")
    browser.drawn("trial")
    assert "the <b>matrix</b> is singular." in browser.text(".trouble")
    assert "Traceback (most recent call last)" in browser.text("pre")
    browser.open(site, "trials", "?status=SKIPPED")
    assert set(column(browser, browser.texts(HEADS).index("Ended"))) == {"skipped"}


def test_what_labels_picked_is_marked_and_never_ranked(browser: Browser, site: Path) -> None:
    browser.open(site)
    tables = browser.texts("main table")
    assert "BSV" not in tables[0] and "bsv" not in tables[0]  # noqa: PT018 - one thing, in two spellings
    assert "*" in tables[1]
    browser.open(site, "method/bsv-kmeans")
    rows = browser.texts("main h2 ~ .table tbody tr")
    assert rows
    assert any("*" in row for row in rows)
    browser.open(site, "pareto")
    assert any(text.endswith("*") for text in browser.texts("figure svg text"))


def test_what_is_not_above_the_control_is_marked_and_counted(browser: Browser, site: Path, material: Material) -> None:
    rows = material.results.summary
    rows = rows[(rows["metric"] == material.metrics[0]) & rows["mean"].notna()]
    rows = rows[~rows["algorithm"].isin(material.results.context.controls)]
    assert not rows["above"].all()
    browser.open(site, "datasets")
    heads = browser.texts(HEADS)
    names, counted = column(browser, 0), column(browser, heads.index("Above control"))
    for name, (above, of) in separated(rows[rows["control"].notna()]).items():
        label = material.results.context.dataset(name)
        assert counted[names.index(label)] == f"{above} of {of}"
    for name, own in rows.groupby("dataset"):
        browser.open(site, f"dataset/{quote(str(name))}")
        assert sum("‡" in text for text in browser.texts("main h2 ~ .table tbody td")) == (~own["above"]).sum()


def test_one_labelling_against_the_classes(browser: Browser, site: Path, material: Material) -> None:
    browser.open(site, "trial/0")
    cells = [text for text in browser.texts("figure svg g text, figure svg text") if text.isdigit() and len(text) < 3]
    assert browser.run("return mvarena.get('runs-0')['0'].table.flat().reduce((a, b) => a + b)") == 60
    assert len(cells) > 4
    assert "Restart" in browser.text("figcaption")


def test_figures_are_kept_as_svg_and_csv(browser: Browser, site: Path, downloads: Path) -> None:
    for page in ("board", "comparison", "pareto", "dataset/digits[fou,fac]", "trial/0"):
        browser.open(site, page)
        figures = browser.run("return document.querySelectorAll('figure').length")
        assert figures
        for place in range(figures):
            before = set(downloads.iterdir())
            browser.run(
                f"document.querySelectorAll('figure')[{place}].querySelectorAll('button').forEach(b => b.click())"
            )
            kept = _arrived(downloads, before, 2)
            drawn = next(path for path in kept if path.suffix == ".svg").read_text()
            assert ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
            rows = next(path for path in kept if path.suffix == ".csv").read_text().splitlines()
            assert len(rows) > 1
            assert {line.count(",") for line in rows if '"' not in line} == {rows[0].count(",")} or any(
                '"' in r for r in rows
            )


def _arrived(folder: Path, before: set[Path], count: int) -> list[Path]:
    for _ in range(200):
        new = [path for path in folder.iterdir() if path not in before and path.suffix in (".svg", ".csv")]
        new = [path for path in new if path.stat().st_size]  # the browser makes a file before it writes into it
        if len(new) >= count:
            return new
        time.sleep(0.05)
    raise AssertionError("the browser kept no file")


def test_dark_as_the_system_and_by_the_switch(browser: Browser, site: Path) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    with browser.preferring("dark"):
        browser.open(site)
        browser.run("localStorage.clear()")
        browser.open(site)
        dark = browser.run(ground)
        browser.click("#theme")
        light = browser.run(ground)
        assert dark != light
        browser.open(site, "methods")
        assert browser.run(ground) == light  # the reader's choice stays
        browser.run("localStorage.clear()")
    with browser.preferring("light"):
        browser.open(site)
        assert browser.run(ground) == light


def test_everything_is_reached_by_the_keyboard(browser: Browser, site: Path) -> None:
    browser.open(site)
    out_of_reach = browser.run(
        "return Array.from(document.querySelectorAll('[onclick], button, a, select, summary, .scroll'))"
        ".filter(e => e.tabIndex < 0).length"
    )
    assert out_of_reach == 0
    assert browser.run("const a = document.querySelector('nav a'); a.focus(); return document.activeElement === a")


@pytest.mark.parametrize(
    "page", ["board", "comparison", "pareto", "datasets", "methods", "studies", "study/0", "trials", "trial/1"]
)
def test_hostile_names_are_text(page: str, browser: Browser, hostile_site: Path) -> None:
    with browser.phone():
        browser.open(hostile_site, page)
        assert browser.run(NO_SCROLL)
    assert browser.run("return document.title").endswith("mvarena")
    assert (
        browser.run(
            "return document.querySelectorAll('main script, main img, main b:not(summary b), main iframe').length"
        )
        == 0
    )


def test_pages_of_hostile_names_are_found(browser: Browser, hostile_site: Path) -> None:
    for name in HOSTILE:
        browser.open(hostile_site, "method/" + quote(name, safe=""))
        assert "Not here" not in browser.text("h1")
        assert browser.text("main").count("failed") > 0
    browser.open(hostile_site, "methods")
    assert not any("\u202e" in text for text in browser.texts("main td, main th, main h1"))


def test_cells_that_a_spreadsheet_would_run_are_escaped(browser: Browser, site: Path) -> None:
    browser.open(site)
    text = browser.run("return mvarena.csv([['=cmd()', '+1', -1.5, '@x', '-', 'a,b', 'say \"x\"']])")
    assert text == '\'=cmd(),+1,-1.5,\'@x,\'-,"a,b","say ""x"""\n'


@pytest.mark.parametrize("route", ["nowhere", "method/nobody", "dataset/nothing", "trial/99999", "study/77", "trial/x"])
def test_an_address_of_nothing_is_one_sentence(route: str, browser: Browser, site: Path) -> None:
    browser.open(site, route)
    assert "There is no" in browser.text(".claim")


def test_a_folder_that_is_not_whole_says_so(browser: Browser, site: Path, tmp_path: Path) -> None:
    for path in site.rglob("*"):
        if path.is_file() and path != site / "data" / "trials.js":
            target = tmp_path / path.relative_to(site)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    browser.open(tmp_path, "trials")
    browser.wait("return document.querySelector('.trouble')")
    assert "data/trials.js cannot be read" in browser.text(".trouble")
    assert all("trials.js" in one for one in browser.errors())


def test_the_methods_of_the_study_are_all_there(browser: Browser, site: Path) -> None:
    browser.open(site, "methods")
    shown = json.dumps(browser.texts("main tbody th"))
    assert len(METHODS) + 1 == len(browser.texts("main tbody th")), shown
