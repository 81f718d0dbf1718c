"""Serving: to this machine alone, to be read, up to date, and nothing but the site."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import numpy as np
import pytest
from browsers import Browser
from site_examples import add, done

from mvarena.errors import InvalidSetting
from mvarena.registry.catalog import installed_catalog
from mvarena.site import server as serving
from mvarena.site.server import HOST, Pages, is_local, make_server, port_of
from mvarena.store.database import open_database


class Served:
    """A running server and what it answers."""

    def __init__(self, database: Path, port: int) -> None:
        self.database, self.port = database, port
        self.address = f"http://{HOST}:{port}/"

    def ask(self, path: str = "/", method: str = "GET", host: str | None = None) -> tuple[int, str, dict[str, str]]:
        connection = HTTPConnection(HOST, self.port, timeout=20)
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", f"{HOST}:{self.port}" if host is None else host)
        connection.endheaders()
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text, dict(answer.getheaders())


@pytest.fixture
def served(study_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(serving, "_LEAST_S", 0.0)
    monkeypatch.setattr(serving, "_SHARE", 0.0)
    path = Path(shutil.copy(study_path, tmp_path))
    with open_database(path, readonly=True) as db, make_server(Pages(db, installed_catalog(), "results.db"), 0) as one:
        thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield Served(path, port_of(one))
        one.shutdown()
        thread.join()


def test_the_files_of_the_site_are_served_with_their_kinds(served: Served) -> None:
    for path, kind in (("/", "text/html"), ("/site.css", "text/css"), ("/js/data.js", "text/javascript"),
                       ("/data/labels.js", "text/javascript"), ("/state.json", "application/json")):  # fmt: skip
        status, text, headers = served.ask(path)
        assert (status, headers["Content-Type"]) == (200, f"{kind}; charset=utf-8")
        assert text
        assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_nothing_but_reading_is_answered(method: str, served: Served) -> None:
    assert served.ask("/", method)[0] == 501


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example", "[::2]:80"]
)
def test_a_name_that_is_not_this_machine_is_refused(host: str, served: Served) -> None:
    status, text, _ = served.ask("/data/labels.js", host=host)
    assert status == 403
    assert "mvarena.put" not in text


def test_names_of_this_machine() -> None:
    assert is_local("localhost:8423", 8423)
    assert is_local("LOCALHOST:8423", 8423)
    assert is_local("[::1]:8423", 8423)
    assert is_local("127.0.0.1", 80)
    assert not is_local("[::1]", 8423)
    assert not is_local("localhost:8424", 8423)
    assert not is_local("evil.example:8423", 8423), "a name from elsewhere that was bound to this address"


@pytest.mark.parametrize(
    "path",
    ["/../results.db", "/..%2fresults.db", "/data/../../results.db", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
     "/results.db", "/data/", "/data", "/js", "/js/../../server.py", "/data/labels.js/", "/\x00", "/%00", "/%ff%fe",
     "/data/..%5c..%5cx"],
)  # fmt: skip
def test_no_path_leads_out_of_the_site(path: str, served: Served) -> None:
    with socket.create_connection((HOST, served.port), timeout=20) as raw:  # as it is typed, whatever it is
        raw.sendall(f"GET {path} HTTP/1.0\r\nHost: {HOST}:{served.port}\r\n\r\n".encode("latin-1"))
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert answer.split(b" ")[1] in (b"404", b"400")
    assert b"SQLite" not in answer
    assert b"root:" not in answer


def test_new_results_are_seen_and_an_open_page_goes_on_with_its_own(served: Served) -> None:
    before = served.ask("/state.json")[1]
    token = before.split('"')[3]
    assert "newcomer" not in served.ask("/data/labels.js")[1]
    with open_database(served.database) as db:
        add(db, "newcomer", "data-a", done(np.random.default_rng(5), 0.9))
    assert served.ask("/state.json")[1] != before
    assert "newcomer" not in served.ask(f"/data/labels.js?{token}")[1]
    assert "newcomer" in served.ask("/data/labels.js")[1]


@pytest.mark.slow
def test_the_page_draws_itself_anew(served: Served, browser: Browser) -> None:
    browser.open(served.address, "methods")
    assert "newcomer" not in browser.text("main")
    with open_database(served.database) as db:
        add(db, "newcomer", "data-a", done(np.random.default_rng(5), 0.9))
    browser.wait("return document.querySelector('main').textContent.includes('newcomer')")
    assert all(one.startswith((served.address, "about:", "data:")) for one in browser.requests())


def test_a_database_without_a_trial_waits_for_the_first(tmp_path: Path, browser: Browser, monkeypatch) -> None:
    monkeypatch.setattr(serving, "_LEAST_S", 0.0)
    path = tmp_path / "results.db"
    open_database(path).close()
    with open_database(path, readonly=True) as db, make_server(Pages(db, installed_catalog(), "results.db"), 0) as one:
        thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        browser.driver.get(f"http://{HOST}:{port_of(one)}/")
        browser.wait(
            "return document.querySelector('h1') && document.querySelector('h1').textContent === 'No results yet'"
        )
        with open_database(path) as written:
            add(written, "apmc", "data-a", done(np.random.default_rng(5), 0.9))
        browser.wait("return document.querySelector('h1').textContent === 'Leader board'")
        one.shutdown()
        thread.join()


def test_a_port_that_is_taken_is_one_sentence(served: Served, tmp_path: Path) -> None:
    with open_database(served.database, readonly=True) as db:
        pages = Pages(db, installed_catalog(), "x")
        with pytest.raises(InvalidSetting, match=f"port {served.port} of 127.0.0.1 is not available .*another one"):
            make_server(pages, served.port)


def test_it_listens_on_the_loopback_address_alone(served: Served) -> None:
    own = socket.gethostbyname(socket.gethostname())
    if own.startswith("127."):
        pytest.skip("this machine has no other address")
    with pytest.raises(OSError), socket.create_connection((own, served.port), timeout=2):  # noqa: PT011 - refused or unreachable
        pass


def test_a_client_that_leaves_is_no_traceback(served: Served, capfd: pytest.CaptureFixture[str]) -> None:
    for _ in range(5):
        client = socket.create_connection((HOST, served.port))
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")  # gone without a word
        client.sendall(f"GET /data/labels.js HTTP/1.1\r\nHost: {HOST}:{served.port}\r\n\r\n".encode())
        client.close()
    assert served.ask()[0] == 200
    assert "Traceback" not in capfd.readouterr().err


def test_once_it_is_closed_the_database_is_read_no_more(study_path: Path) -> None:
    with open_database(study_path, readonly=True) as db:
        pages = Pages(db, installed_catalog(), "x")
        with make_server(pages, 0):
            assert pages.token()
        connections = db.engine.pool.status()
        assert pages.token() == ""
        assert pages.read("data/labels.js") is None
        assert db.engine.pool.status() == connections


def test_many_may_ask_at_once(served: Served) -> None:
    clients = [socket.create_connection((HOST, served.port), timeout=5) for _ in range(60)]
    assert served.ask()[0] == 200
    for client in clients:
        client.close()
