"""The search box of the documentation: what a newcomer types leads to the page that answers it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from browsers import Browser
from documents import DOCS

BUILT = DOCS / "_build" / "html"
ANSWERS = {
    "which method takes kernels and missing samples": "Questions",
    "missing rate": "What a missing rate means",
    "how do I cite": "Questions > How do I cite?",
    "SLURM": "Many machines > SLURM",
    "add my metric": "Write a plugin",
    "which K": "Questions",
    "my own method": "A method of your own",
    "MATLAB": "Use a method in MATLAB, Octave, R or another Python",
    "PostgreSQL": "PostgreSQL",
    "resume interrupted": "Questions",
    "choose parameters without labels": "Choosing without labels",
    "what is fair": "What is fair here",
    "apmc": "apmc",
}


class Quiet(SimpleHTTPRequestHandler):
    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer without an error where a browser asks for an icon, which the documentation lacks."""
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().send_error(code, message, explain)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Address of the documentation on a server; from files the search cannot read the texts that it shows."""
    if not (BUILT / "search.html").exists():
        pytest.skip("the documentation is not built: make docs")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(BUILT))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("typed", ANSWERS)
def test_a_question_is_answered_among_the_first_five_results(browser: Browser, address: str, typed: str) -> None:
    browser.driver.get(f"{address}/search.html?q={typed.replace(' ', '+')}")
    end = time.monotonic() + 20
    while "finished" not in browser.driver.find_element("id", "search-results").text and time.monotonic() < end:
        time.sleep(0.1)
    titles = [found.text for found in browser.driver.find_elements("css selector", "#search-results ul.search li > a")]
    assert ANSWERS[typed] in titles[:5]
