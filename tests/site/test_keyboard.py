"""The focus of the keyboard: after each choice it is on the control that was chosen, drawn anew or not."""

from __future__ import annotations

from pathlib import Path

from browsers import Browser

HERE = "return [document.activeElement.localName, document.activeElement.textContent]"


def chosen(browser: Browser, *keys: str) -> None:
    """Press the keys, and wait until the page is drawn anew."""
    browser.run("window.before = document.getElementById('main')")
    browser.press(*keys)
    browser.wait("return document.getElementById('main') !== window.before")


def test_a_chip_keeps_the_focus(browser: Browser, site: Path) -> None:
    browser.open(site)
    assert browser.tab_to(".chips[data-kind=condition] .chip:nth-child(3)") == "30 % missing"
    for key, pressed in (("ENTER", "true"), ("SPACE", "false")):
        chosen(browser, key)
        assert browser.run(HERE) == ["button", "30 % missing"]
        assert browser.run("return document.activeElement.getAttribute('aria-pressed')") == pressed


def test_a_list_keeps_the_focus_through_its_values(browser: Browser, site: Path) -> None:
    browser.open(site)
    browser.tab_to("select[name=metric]")
    values = []
    for _ in range(2):
        chosen(browser, "ARROW_DOWN")
        values.append(browser.run("return [document.activeElement.name, document.activeElement.value]"))
    assert values[0][0] == values[1][0] == "metric"
    assert values[0][1] != values[1][1]


def test_the_head_of_a_column_keeps_the_focus(browser: Browser, site: Path) -> None:
    browser.open(site)
    browser.tab_to("main thead th:nth-child(8) .head")
    for order in ("ascending", "descending"):
        browser.press("ENTER")
        assert browser.run("return document.activeElement.closest('th').getAttribute('aria-sort')") == order
        assert browser.run(HERE) == ["button", "CPU s"]


def test_a_pin_keeps_the_focus_and_is_in_view(browser: Browser, site: Path) -> None:
    browser.open(site)
    browser.tab_to("main tbody tr:nth-child(4) .pin")
    name = browser.run("return document.activeElement.closest('tr').cells[1].textContent")
    for word in ("Unpin ", "Pin "):
        browser.press("ENTER")
        assert browser.run("return document.activeElement.getAttribute('aria-label')").startswith(word)
        assert browser.run("return document.activeElement.closest('tr').cells[1].textContent") == name
        box = browser.run("return document.activeElement.getBoundingClientRect().toJSON()")
        assert box["top"] >= 0
        assert box["bottom"] <= browser.run("return window.innerHeight")


def test_what_a_list_of_boxes_applies_leaves_the_focus_on_the_list(browser: Browser, site: Path) -> None:
    browser.open(site)
    browser.tab_to("details[data-kind=data] summary")
    browser.press("ENTER")
    browser.tab_to("details[data-kind=data] input")
    browser.press("SPACE")
    browser.tab_to("details[data-kind=data] .go")
    chosen(browser, "ENTER")
    assert browser.run(HERE)[0] == "summary"
    assert browser.run("return document.activeElement.closest('details').dataset.kind") == "data"


def test_a_button_of_another_text_keeps_the_focus_and_one_that_is_gone_leaves_it_to_the_page(
    browser: Browser, site: Path
) -> None:
    browser.open(site, "board", "?condition=missing-even+0.1")
    assert browser.tab_to("main .above .plain") == "Show corpora"
    chosen(browser, "ENTER")
    assert browser.run(HERE) == ["button", "Hide corpora"]
    browser.run("document.querySelector('.filters > .plain').focus()")
    chosen(browser, "ENTER")
    assert browser.run(HERE)[0] == "main"


def test_on_a_phone_filters_stay_open_while_they_are_chosen(browser: Browser, site: Path) -> None:
    with browser.phone():
        browser.open(site)
        browser.tab_to(".narrow-only")
        browser.press("ENTER")
        assert browser.tab_to(".chips[data-kind=condition] .chip:nth-child(2)") == "10 % missing"
        chosen(browser, "ENTER")
        assert browser.run(HERE) == ["button", "10 % missing"]
        assert browser.run("return document.querySelector('.narrow-only').getAttribute('aria-expanded')") == "true"


def test_more_rows_have_the_focus_where_no_more_are_left(browser: Browser, site: Path) -> None:
    browser.open(site, "trials")
    browser.run("document.querySelector('main .table > p.tools button').focus()")
    browser.press("ENTER")
    assert browser.run("return document.querySelector('main .table > p.tools button').hidden")
    assert browser.run("return document.activeElement === document.querySelector('main tbody').rows[100]")
