"""Serves the pages of a database while runs write into it: to this machine alone, and only to be read."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseServer
from typing import Any
from urllib.parse import unquote, urlsplit

from mvarena.errors import InvalidSetting, MvarenaError, NothingToReport
from mvarena.registry.catalog import Catalog
from mvarena.site.build import DATA, INDEX, data_scripts, static_files
from mvarena.site.data import Wanted, material_of
from mvarena.site.scripts import script_of
from mvarena.site.trials import labels_of_nothing
from mvarena.store.database import Database, state_of

HOST = "127.0.0.1"
_LOCAL = {"127.0.0.1", "localhost", "[::1]"}
_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "json": "application/json"}
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


_LEAST_S = 3.0  # between two readings of a database that changes all the time
_SHARE = 5.0  # a reading may take a fifth of the time
_KEPT = 3  # states: a page that is being loaded goes on with the one that it began with


class Pages:
    """The files of a site by their paths, made anew when the database has changed since.

    wanted : what is shown; asked at each change, since a filter may match more by then. Safe among threads.
    """

    def __init__(self, db: Database, catalog: Catalog, title: str, wanted: Callable[[], Wanted] = Wanted) -> None:
        self._db, self._catalog, self._title, self._wanted = db, catalog, title, wanted
        self._static = dict(static_files())
        self._states: dict[str, dict[str, bytes]] = {}
        self._not_before = 0.0
        self._ended = False
        self._lock = threading.Lock()

    def end(self) -> None:
        """Read the database no more, so that it can be closed: a thread that answers may outlive the server."""
        with self._lock:
            self._ended = True

    def token(self) -> str:
        """Text that changes whenever the database does, though not more often than it can be read."""
        with self._lock:
            return self._newest()

    def read(self, path: str, token: str = "") -> bytes | None:
        """The content of a file of the site, by its path within; None if there is no such file.

        token : of the state that is asked for; one that is not kept any more is that of now.
        """
        if path in self._static:
            return self._static[path]
        if path == "state.json":
            return json.dumps({"token": self.token()}).encode()
        folder, _, name = path.rpartition("/")
        if folder != DATA:
            return None
        with self._lock:
            if token not in self._states:
                token = self._newest()
            if token not in self._states and not self._ended:
                self._read_again(token)
            return self._states.get(token, {}).get(name)

    def _newest(self) -> str:
        if self._ended or (self._states and time.monotonic() < self._not_before):
            return next(reversed(self._states), "")
        return state_of(self._db)

    def _read_again(self, token: str) -> None:
        began = time.monotonic()
        self._states[token] = {name: text.encode() for name, text in self._scripts(token).items()}
        while len(self._states) > _KEPT:
            del self._states[next(iter(self._states))]
        self._not_before = time.monotonic() + max(_LEAST_S, _SHARE * (time.monotonic() - began))

    def _scripts(self, token: str) -> dict[str, str]:
        try:
            material = material_of(self._db, self._catalog, self._wanted())
        except NothingToReport:
            return {"labels.js": script_of("labels", labels_of_nothing(self._title, token))}
        return dict(data_scripts(material, self._title, token))


def make_server(pages: Pages, port: int) -> ThreadingHTTPServer:
    """A server of `pages` on the loopback address; port 0 takes a free one.

    It answers GET and HEAD alone, and only requests that name this machine as their host, so that a page from elsewhere
    whose name was bound to this address reads nothing. Raises InvalidSetting if the port cannot be had.
    """
    try:
        server = _Server(port, pages)
    except (OSError, OverflowError) as error:
        text = getattr(error, "strerror", None) or str(error)
        raise InvalidSetting(
            f"port {port} of {HOST} is not available ({text.lower()}); name another one, or 0 for any free port.",
            field="port",
            value=port,
        ) from error
    return server


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # a browser asks for all files of a page at once

    def __init__(self, port: int, pages: Pages) -> None:
        self._pages = pages
        super().__init__((HOST, port), _handler(pages))

    def server_close(self) -> None:
        """Close the socket, and let the database be closed."""
        super().server_close()
        self._pages.end()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print the traceback of an error, unless the client has gone."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def _handler(pages: Pages) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        server_version, sys_version = "mvarena", ""
        timeout = 30.0

        def do_GET(self) -> None:
            self._answer(body=True)

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: what is worth saying is in the answer."""

        def _answer(self, *, body: bool) -> None:
            status, kind, content = self._found()
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            for name, value in _HEADERS.items():
                self.send_header(name, value)
            self.end_headers()
            if body:
                self.wfile.write(content)

        def _found(self) -> tuple[HTTPStatus, str, bytes]:
            if not is_local(self.headers.get("Host") or "", port_of(self.server)):
                return HTTPStatus.FORBIDDEN, "text/plain", b"These pages are for the machine that serves them.\n"
            try:
                requested = urlsplit(self.path)
                path = unquote(requested.path).lstrip("/") or INDEX
                content = pages.read(path, requested.query)
            except MvarenaError as error:
                return HTTPStatus.SERVICE_UNAVAILABLE, "text/plain", f"{error}\n".encode("utf-8", "backslashreplace")
            except ValueError:
                content = None
            if content is None:
                return HTTPStatus.NOT_FOUND, "text/plain", b"There is no such page.\n"
            return HTTPStatus.OK, _KINDS.get(path.rpartition(".")[2], "application/octet-stream"), content

    return Handler


def port_of(server: BaseServer) -> int:
    """The port that a server listens on."""
    return int(server.server_address[1])  # type: ignore[index]  # of the Internet: host and port


def is_local(host: str, port: int) -> bool:
    """True if a request's Host names this machine and the port that is served."""
    name, colon, number = host.rpartition(":")
    if not colon or number.endswith("]"):
        return host.lower() in _LOCAL and port == 80
    return name.lower() in _LOCAL and number == str(port)
