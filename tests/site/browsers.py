"""A real browser without a window, and what it has seen: errors, and where its requests went."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
_PATIENCE_S = 20
_MOST_TABS = 80
_PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}


@contextmanager
def chromium(downloads: Path) -> Iterator[Browser]:
    """Start Chromium; the test is skipped, with the reason, where it or its driver or Selenium is not at hand."""
    pytest.importorskip("selenium", reason="Selenium is not installed: pip install 'mvarena[browser]'")
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("there is no Chromium with its driver here (Debian: apt-get install chromium chromium-driver)")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.add_argument("--window-size=1280,1000")
    many_at_once = {"profile.default_content_setting_values.automatic_downloads": 1}
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)} | many_at_once)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options=options, service=Service(driver))
    started.set_script_timeout(_PATIENCE_S)
    started.command_executor.client_config.timeout = 2 * _PATIENCE_S
    try:
        yield Browser(started)
    finally:
        started.quit()


class Browser:
    """What tests do with a page."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, site: Path | str, route: str = "board", query: str = "") -> None:
        """Open a page of a site (a folder, or an address) and wait until it is drawn."""
        start = f"file://{site}/index.html" if isinstance(site, Path) else site
        self.driver.get("about:blank")
        self.driver.get(f"{start}#/{route}{query}")
        self.drawn(route)

    def drawn(self, route: str) -> None:
        page = route.split("/")[0].split("?")[0]
        self.wait(f"const m = document.getElementById('main'); return m && m.dataset.page === {json.dumps(page)}")

    def wait(self, script: str) -> Any:
        """Until the script returns something true."""
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, _PATIENCE_S).until(lambda driver: driver.execute_script(script))

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def result(self, promise: str, *arguments: Any) -> Any:
        """What a promise gives; `promise` is an expression in which `args` are the arguments."""
        return self.driver.execute_async_script(
            f"const args = arguments, done = args[args.length - 1]; Promise.resolve({promise}).then(done);", *arguments
        )

    def text(self, selector: str = "main") -> str:
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def texts(self, selector: str) -> list[str]:
        return self.run("return Array.from(document.querySelectorAll(arguments[0]), e => e.textContent)", selector)

    def click(self, selector: str) -> None:
        self.run("document.querySelector(arguments[0]).click()", selector)

    def press(self, *keys: str) -> None:
        """Press keys of the keyboard, named as Selenium's `Keys` are, or letters; where the focus is."""
        from selenium.webdriver import ActionChains, Keys

        ActionChains(self.driver).send_keys(*(getattr(Keys, key, key) for key in keys)).perform()

    def tab_to(self, selector: str) -> str:
        """Press Tab until an element that the selector means has the focus; its text."""
        for _ in range(_MOST_TABS):
            self.press("TAB")
            if self.run("return document.activeElement.matches(arguments[0])", selector):
                return str(self.run("return document.activeElement.textContent"))
        raise AssertionError(f"{_MOST_TABS} times Tab do not reach {selector}")

    def errors(self) -> list[str]:
        """What the console complained of since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self) -> list[str]:
        """The addresses that were asked for since this was last called."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found

    @contextmanager
    def phone(self) -> Iterator[None]:
        """As narrow as a phone."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", _PHONE)
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    @contextmanager
    def preferring(self, scheme: str) -> Iterator[None]:
        """A system that is set to the dark or light look."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
