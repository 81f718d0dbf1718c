"""The search box of the documentation: what a newcomer types leads to the page that answers it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import quote_plus

import pytest
from browsers import Browser
from documents import DOCS

BUILT = DOCS / "_build" / "html"
AMONG_FIRST = 3
# what is typed -> the page that answers, and words of the answer
ANSWERS = {
    "which method takes kernels and missing samples": (
        "howto/faq",
        "page Methods of the documentation has a column for each",
    ),
    "what does rate .3 mean": ("howto/faq", "30 % of the samples miss at least one view"),
    "missing rate": ("explanation/missing-rates", "missing-even"),
    "how do I cite": ("howto/faq", "mvarena cite prints BibTeX"),
    "SLURM": ("many-machines", "SLURMCluster"),
    "add my metric": ("howto/plugins", "A metric is a function"),
    "which K": ("howto/faq", "mvarena cluster tries several and suggests one"),
    "my own method": ("tutorials/own-method", "mvarena run --algo my_method.py"),
    "MATLAB": ("howto/other-languages", "octave"),
    "PostgreSQL": ("howto/postgresql", "postgresql://"),
    "resume interrupted run": ("howto/faq", "Type the same command again"),
    "choose parameters without labels": ("howto/faq", "mvarena pick chooses among stored results"),
    "what is fair": ("explanation/fairness", "the same"),
    "how do I add a data set": ("howto/faq", "mvarena plugin new my-data --kind dataset"),
    "survival": ("tutorials/clusters", "Do the clusters differ in survival?"),
    "GPU": ("howto/faq", "device=cuda"),
    "time limit": ("howto/faq", "--timeout 10m --memory 8GiB hold for each trial"),
    "my own data": ("tutorials/own-data", "mvarena data inspect"),
    "apmc": ("methods/apmc", "Anchors Bring Ease"),
    "leaderboard": ("howto/arena", "mvarena arena board"),
    "which method is best": ("howto/faq", "mvarena arena board prints it"),
    "best method for text": ("howto/faq", "texts, images, omics"),
    "kernel matrices as input": ("howto/faq", "is taken as a kernel or as distances"),
    "how do I add my own method": ("howto/faq", "--algo my_method.py"),
    "compare two methods": ("howto/faq", "mvarena compare concat apmc"),
    "NMI definition": ("howto/faq", "divided by the mean of their entropies"),
    "accuracy": ("howto/faq", "best one-to-one matching"),
    "NaN": ("howto/faq", "As rows of NaN"),
    "Windows": ("howto/faq", "Windows Subsystem for Linux"),
    "number of clusters": ("tutorials/clusters", "highest modularity"),
    "latex table": ("tutorials/study", "LaTeX"),
    "hooks": ("reference/hooks", "mvarena_algorithms"),
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
def test_a_question_is_answered_by_one_of_the_first_results(browser: Browser, address: str, typed: str) -> None:
    page, words = ANSWERS[typed]
    browser.driver.get(f"{address}/search.html?q={quote_plus(typed)}")
    end = time.monotonic() + 20
    while "finished" not in browser.driver.find_element("id", "search-results").text and time.monotonic() < end:
        time.sleep(0.1)
    found = browser.driver.find_elements("css selector", "#search-results ul.search li > a")
    links = [one.get_attribute("href").removeprefix(f"{address}/").partition(".html")[0] for one in found]
    assert page in links[:AMONG_FIRST]
    browser.driver.get(f"{address}/{page}.html")
    assert words in browser.text("article")
