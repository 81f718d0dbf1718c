"""Every page in a real browser: drawn, sorted, filtered, narrow, dark, and deaf to hostile names."""

from __future__ import annotations

import time
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from browsers import Browser
from site_examples import DATASETS, HOSTILE, METHODS, trial

from mvarena.report.tables.quality import separated
from mvarena.report.tables.quality import tables as quality_tables
from mvarena.site.data import Material

KEY = trial("apmc", DATASETS[3]).key[:16]
TRIAL = KEY[:12]
PAGES = {
    "board": "Leader board: NMI, all conditions", "claims": "Claims: NMI, all conditions", "datasets": "Data sets in",
    "dataset/data-a": "data-a", "methods": "Methods in these results", "method/apmc": "apmc",
    "method/stranger": "stranger", "trials": "Trials", "quality": "Quality of the results: NMI, all conditions",
    f"trial/{TRIAL}": " on ",
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


def reopened(browser: Browser) -> None:
    """Open the address of the board that is shown, as from a bookmark."""
    address = browser.run("return location.href")
    browser.driver.get("about:blank")
    browser.driver.get(address)
    browser.drawn("board")


@pytest.mark.parametrize("page", PAGES)
def test_every_kind_of_page_is_drawn_and_on_a_phone_nothing_is_scrolled_sideways(
    page: str, browser: Browser, site: Path
) -> None:
    with browser.phone():
        browser.open(site, page)
        assert PAGES[page] in browser.text("h1")
        assert browser.run("return document.title").endswith("mvarena")
        assert browser.run("return document.querySelectorAll('main .trouble').length") == 0
        assert browser.run(NO_SCROLL)
        here = "const at = document.querySelector('nav [aria-current=page]').getBoundingClientRect();"
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
    place = browser.texts(HEADS).index("CPU s")
    browser.run(f"document.querySelectorAll(arguments[0])[{place}].click()", HEADS)
    browser.run(SEARCH, "apmc")
    shown = column(browser, 1)
    assert shown
    assert all("apmc" in name for name in shown)
    reopened(browser)
    assert column(browser, 1) == shown
    assert browser.run("return document.querySelector('main thead th[aria-sort]').textContent") == "CPU s"
    assert browser.run("return document.querySelector('main input[type=search]').value") == "apmc"
    browser.click('nav a[href^="#/methods"]')
    browser.drawn("methods")
    assert "search" not in browser.run("return location.hash")


def test_two_pinned_methods_are_compared_right_under_their_rows(browser: Browser, site: Path) -> None:
    browser.open(site)
    names = column(browser, 1)
    for place in (2, 3):
        browser.run("document.querySelectorAll('main .pin')[arguments[0]].click()", place)
    rows = "Array.from(document.querySelector('main table').tBodies[0].rows)"
    assert browser.run(f"return {rows}.slice(0, 4).map(row => row.className)") == ["", "", "below", ""]
    shown = browser.run(f"return {rows}.slice(0, 2).map(row => row.cells[1].textContent)")
    assert shown == names[2:4]
    assert " where both have a score: " in browser.text(".told li")
    assert "(NMI, all conditions, over " in browser.text(".told li")
    side = browser.texts(".side tbody tr th")
    assert [name.split("baselines")[0] in shown[place] for place, name in enumerate(side[:2])] == [True, True]
    assert side[2] == "Difference"
    browser.run(SEARCH, "no such method")
    assert browser.run(f"return {rows}.length") == 3
    reopened(browser)
    assert browser.texts(".side")


def test_corpora_are_a_strip_and_columns_where_asked(browser: Browser, site: Path) -> None:
    browser.open(site)
    heads = "document.querySelector('main table').tHead.querySelectorAll('.head')"
    assert browser.run(f"return {heads}.length") == 9
    assert len(browser.texts("main tbody tr:first-child .strip i")) == len(DATASETS) - 1
    browser.click("main .above .plain")
    browser.wait(f"return {heads}.length > 9")
    place = browser.texts(HEADS).index("data-c")
    cells = column(browser, place)
    assert cells
    assert "corpora=shown" in browser.run("return location.hash")
    browser.open(site, "board", "?corpora=shown&condition=missing-even+0.3")
    (cell,) = [one for one, name in zip(column(browser, place), column(browser, 1), strict=True) if "mic" in name]
    assert cell == "timeout"


def test_a_filter_by_two_clicks_asks_another_question(browser: Browser, site: Path) -> None:
    browser.open(site)
    whole = browser.text(".claim")
    browser.run("document.querySelectorAll('.chips[data-kind=condition] .chip')[2].click()")
    browser.wait("return document.querySelector('h1').textContent.includes('missing-even at rate 0.3')")
    assert browser.text(".claim") != whole
    assert "missing-even at rate 0.3" in browser.text(".claim")
    assert browser.texts('.chip[aria-pressed="true"]')[0] == "30 % missing"
    browser.click('nav a[href^="#/claims"]')
    browser.drawn("claims")
    assert browser.text("h1") == "Claims: NMI, missing-even at rate 0.3"


def test_on_a_phone_the_first_row_is_on_the_first_screen(browser: Browser, site: Path) -> None:
    with browser.phone():
        browser.open(site)
        assert browser.run("return document.querySelector('main tbody tr').getBoundingClientRect().bottom") < 844
        filters = "return getComputedStyle(document.getElementById('filters')).display"
        assert browser.run(filters) == "none"
        browser.click(".narrow-only")
        assert browser.run(filters) == "flex"
        assert browser.run("return document.querySelector('.narrow-only').getAttribute('aria-expanded')") == "true"
        assert browser.texts(".cut-right")  # what is cut has a shadow


def test_a_table_is_kept_as_csv_and_latex_and_copied(browser: Browser, site: Path, downloads: Path) -> None:
    browser.open(site)
    before = set(downloads.iterdir())
    browser.run("document.querySelectorAll('main .table > p.tools button')[1].click()")
    head, first, *_ = _arrived(downloads, before, 1)[0].read_text().splitlines()
    assert "nmi" in head.split(",")  # raw numbers, under the metric's name
    assert not {"NMI (%)", "Corpora"} & set(head.split(","))
    assert float(first.split(",")[head.split(",").index("nmi")]) < 1
    browser.run("document.querySelectorAll('main .table > p.tools button')[2].click()")
    kept = _arrived(downloads, before, 1, (".tex",))[0].read_text()
    assert kept.startswith("\\begin{tabular}{rl")
    assert "NMI (\\%)" in kept
    assert kept.count("\\\\\n") == len(METHODS) + 1
    browser.run("window.copied = []; navigator.clipboard.writeText = text => (copied.push(text), Promise.resolve())")
    browser.run("document.querySelectorAll('main .table > p.tools button')[3].click()")
    browser.wait("return document.querySelectorAll('main .table > p.tools button')[3].textContent === 'Copied'")
    lines = browser.run("return copied[0]").splitlines()
    assert len(lines) == len(METHODS) + 1
    assert lines[1].split("\t")[1] == "apmc"


def test_quality_is_that_of_the_report(browser: Browser, site: Path, material: Material) -> None:
    browser.open(site, "quality")
    table = quality_tables(material.results)[0]
    shown = browser.run(
        "return Array.from(document.querySelectorAll('main table')).map(t => Array.from(t.tBodies[0].rows, "
        "row => [row.cells[0].textContent, row.cells[1].textContent]))"
    )
    assert sorted([row.head, row.cells[0].text or "–"] for row in table.rows) in [sorted(rows) for rows in shown]


def test_numbers_are_sorted_as_numbers_and_gaps_come_last(browser: Browser, site: Path) -> None:
    browser.open(site, "trials")
    place = browser.texts(HEADS).index("NMI (%)")
    for _ in range(2):
        browser.run(f"document.querySelectorAll(arguments[0])[{place}].click()", HEADS)
        browser.run("for (let i = 0; i < 9; i++) document.querySelector('main .table > p.tools button').click()")
        shown = column(browser, place)
        known = [float(text.rstrip(" *")) for text in shown if text != "–"]
        assert known in (sorted(known), sorted(known, reverse=True))
        assert "–" in shown
        assert "–" not in shown[: len(known)]


def test_a_filter_is_applied_by_hand_and_kept_from_page_to_page(browser: Browser, site: Path) -> None:
    note = "Array.from(document.querySelectorAll('main .note')).some(one => one.textContent.includes(arguments[0]))"
    browser.open(site)
    claim = browser.text(".claim")
    assert browser.run(f"return {note}", f"over {len(DATASETS) - 1} data sets")  # on one somebody was never run
    browser.click('.pick[data-kind="data"] summary')
    browser.run("document.querySelectorAll('.pick[data-kind=\"data\"] .plain')[1].click()")  # none
    for place in (0, 2, 3):
        browser.run("document.querySelectorAll('.pick[data-kind=\"data\"] input')[arguments[0]].click()", place)
    browser.click('.pick[data-kind="data"] .go')
    browser.wait("return document.querySelectorAll('.strip')[0].children.length === 3")
    assert browser.run(f"return {note}", "over 3 data sets")
    assert browser.text(".claim").startswith(claim)
    browser.run("document.querySelector('nav a[href^=\"#/trials\"]').click()")
    browser.drawn("trials")
    assert {one[:6] for one in column(browser, 2)} == {"data-a", "data-c", "data-d"}
    browser.run("Array.from(document.querySelectorAll('.filters .plain')).pop().click()")  # show all
    browser.wait("return !location.hash.includes('data=')")


@pytest.mark.parametrize("query", ["?family=baselines", "?finished=all"])
def test_a_filter_in_the_address_leaves_two_methods(query: str, browser: Browser, site: Path) -> None:
    browser.open(site, "board", query)
    assert len(column(browser, 0)) == 2


def test_what_did_not_finish_is_said_wherever_it_matters(browser: Browser, site: Path) -> None:
    browser.open(site)
    assert "21 of 22" in browser.text("main table")
    browser.open(site, "method/mic")
    assert "it took more than 600 s." in browser.text("main")
    browser.open(site, "method/sc-concat")
    browser.run("document.querySelector('main a[href*=\"#/trial/\"]').click()")
    browser.drawn("trial")
    assert "the <b>matrix</b> is singular." in browser.text(".trouble")
    assert "boom" in browser.text(".facts")
    browser.open(site, "trials", "?status=SKIPPED")
    assert set(column(browser, browser.texts(HEADS).index("Ended"))) == {"skipped"}


def test_what_labels_picked_is_marked_and_never_ranked(browser: Browser, site: Path) -> None:
    browser.open(site)
    tables = browser.texts("main table")
    assert "bsv" not in tables[0].lower()
    assert "*" in tables[1]
    browser.open(site, "method/bsv-kmeans")
    rows = browser.texts("main tbody tr")
    assert rows
    assert any("*" in row for row in rows)


def test_what_is_not_above_the_control_is_marked_and_counted(browser: Browser, site: Path, material: Material) -> None:
    rows = material.results.summary
    rows = rows[(rows["metric"] == material.metrics[0]) & rows["mean"].notna()]
    rows = rows[~rows["algorithm"].isin(material.results.context.controls)]
    assert not rows["above"].all()
    browser.open(site, "datasets")
    heads = browser.texts(HEADS)
    names, counted = column(browser, 0), column(browser, heads.index("Above baseline"))
    for name, (above, of) in separated(rows[rows["control"].notna()]).items():
        label = material.results.context.dataset(name)
        assert counted[names.index(label)] == f"{above} of {of}"
    for name, own in list(rows.groupby("dataset"))[:3]:
        browser.open(site, f"dataset/{quote(str(name))}")
        assert sum("‡" in text for text in browser.texts("main .table tbody td")) == (~own["above"]).sum()


def test_figures_are_kept_as_svg_and_csv(browser: Browser, site: Path, downloads: Path) -> None:
    for page in ("board", "dataset/digits[fou,fac]"):
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


def _arrived(folder: Path, before: set[Path], count: int, kinds: tuple[str, ...] = (".svg", ".csv")) -> list[Path]:
    for _ in range(200):
        new = [path for path in folder.iterdir() if path not in before and path.suffix in kinds]
        new = [path for path in new if path.stat().st_size]  # the browser makes a file before it writes into it
        if len(new) >= count:
            return new
        time.sleep(0.05)
    raise AssertionError("the browser kept no file")


def test_the_look_is_that_of_the_system(browser: Browser, site: Path) -> None:
    found = []
    for look in ("dark", "light"):
        with browser.preferring(look):
            browser.open(site)
            drawn = browser.run("return [getComputedStyle(document.body).backgroundColor, mvarena.theme()]")
            found.append(drawn)
    assert found[0][0] != found[1][0]
    assert [look for _, look in found] == ["dark", "light"]


@pytest.mark.parametrize("page", ["board", "claims", "datasets", "methods", "trials", "quality"])
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
    for name in HOSTILE[:3]:
        browser.open(hostile_site, "method/" + quote(name, safe=""))
        assert "Page not found" not in browser.text("h1")
        assert browser.text("main").count("failed") > 0
    browser.open(hostile_site, "methods")
    assert not any("\u202e" in text for text in browser.texts("main td, main th, main h1"))


def test_cells_that_a_spreadsheet_would_run_are_escaped_and_latex_of_any_name_is_set_as_text(
    browser: Browser, site: Path
) -> None:
    browser.open(site)
    text = browser.run("return mvarena.csv([['=cmd()', '+1', -1.5, '@x', '-', 'a,b', 'say \"x\"', NaN, null, 0]])")
    assert text == '\'=cmd(),+1,-1.5,\'@x,\'-,"a,b","say ""x""",,,0\n'
    assert browser.run("return ['=1+1', '-1.5'].map(mvarena.guarded)") == ["'=1+1", "-1.5"]  # in the clipboard
    text = browser.run("return mvarena.latex(['[a', 'b'], [['*<|>', 'Zoë 数']], [false, false])")
    assert "  {[a} & b \\\\\n" in text
    assert "  {*\\textless{}\\textbar{}\\textgreater{}} & Zoë [U+6570] \\\\\n" in text


def test_the_skip_link_moves_the_focus_and_leaves_the_address(browser: Browser, site: Path) -> None:
    browser.open(site, "datasets")
    before = browser.run("return location.hash")
    browser.run("document.querySelector('.skip').click()")
    assert browser.run("return [document.activeElement.id, location.hash]") == ["main", before]


def test_a_filter_of_trials_stays_while_another_is_chosen(browser: Browser, site: Path) -> None:
    browser.open(site, "trials", "?algorithm=mic&status=DONE")
    browser.run("document.querySelector('.chip:not(.on)').click()")
    browser.wait("return location.hash.includes('condition=')")
    assert browser.run("return [mvarena.choices().algorithm, mvarena.choices().status]") == ["mic", "DONE"]
    assert "algorithm" not in browser.run("return document.querySelector('nav a').hash")


@pytest.mark.parametrize("route", ["nowhere", "method/nobody", "dataset/nothing", "trial/99999", "trial/x"])
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
