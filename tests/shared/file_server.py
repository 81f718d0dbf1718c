"""A web server of files that may break, in a thread of the test."""

from __future__ import annotations

from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server(ThreadingHTTPServer):
    """Serves `pages`.

    endless : pages whose body never ends; sent : how many bytes of them went out. cut : how many bytes of a body
    are sent before the connection breaks. announced : the size that it says a page has.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages: dict[str, bytes] = {}
        self.endless: set[str] = set()
        self.sent = 0
        self.cut: int | None = None
        self.announced: int | None = None

    def address(self, page: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{page}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        if self.path in self.server.endless:
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):  # the client hung up
                while self.server.sent < 1 << 26:
                    self.server.sent += self.wfile.write(b"x" * 4096)
            return
        content = self.server.pages.get(self.path)
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(self.server.announced or len(content)))
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(content[: self.server.cut])

    def log_message(self, *args: object) -> None:
        pass
