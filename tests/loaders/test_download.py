"""Downloads from a server of this test: whole, resumed, out of an archive, and refused when something is wrong."""

from __future__ import annotations

import hashlib
import io
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mvarena.errors import DataUnavailable
from mvarena.loaders.cards import CardFile
from mvarena.loaders.download import download_files

CONTENT = bytes(range(256)) * 800


class Server(ThreadingHTTPServer):
    """Serves `pages`; `ranges` records the Range header of each request."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages: dict[str, bytes] = {}
        self.ranges: list[str | None] = []


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        wanted = self.headers["Range"]
        self.server.ranges.append(wanted)
        content = self.server.pages.get(self.path)
        if content is None:
            self.send_error(404)
            return
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        if start >= len(content):
            self.send_error(416)
            return
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        self.wfile.write(content[start:])

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def address(server: Server, page: str) -> str:
    return f"http://127.0.0.1:{server.server_port}{page}"


def described(content: bytes, **where: str) -> CardFile:
    return CardFile(name="a.bin", bytes=len(content), sha256=hashlib.sha256(content).hexdigest(), **where)


def zipped(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def test_a_file_arrives_with_progress(server: Server, tmp_path: Path) -> None:
    server.pages["/a"] = CONTENT
    seen: list[tuple[str, int, int | None]] = []
    download_files([described(CONTENT, url=address(server, "/a"))], tmp_path, lambda *args: seen.append(args))
    assert (tmp_path / "a.bin").read_bytes() == CONTENT
    assert seen[-1] == ("a.bin", len(CONTENT), len(CONTENT))
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)


@pytest.mark.parametrize("have", [1000, len(CONTENT)])
def test_a_broken_transfer_is_resumed(server: Server, tmp_path: Path, have: int) -> None:
    server.pages["/a"] = CONTENT
    (tmp_path / "a.bin.part").write_bytes(CONTENT[:have])
    download_files([described(CONTENT, url=address(server, "/a"))], tmp_path)
    assert server.ranges == [f"bytes={have}-"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == CONTENT


def test_another_content_is_refused_and_leaves_nothing(server: Server, tmp_path: Path) -> None:
    server.pages["/a"] = CONTENT[::-1]
    with pytest.raises(DataUnavailable, match="sha256 differs"):
        download_files([described(CONTENT, url=address(server, "/a"))], tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_missing_page_is_named(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DataUnavailable, match="/gone could not be fetched"):
        download_files([described(CONTENT, url=address(server, "/gone"))], tmp_path)


def test_a_member_comes_out_of_an_archive(server: Server, tmp_path: Path) -> None:
    server.pages["/all.zip"] = zipped({"folder/a.bin": CONTENT, "../escape.txt": b"x"})
    download_files([described(CONTENT, archive=address(server, "/all.zip"))], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == CONTENT
    assert not (tmp_path.parent / "escape.txt").exists()


def test_a_changed_archive_is_refused(server: Server, tmp_path: Path) -> None:
    server.pages["/all.zip"] = zipped({"a.bin": CONTENT[::-1]})
    with pytest.raises(DataUnavailable, match="the publisher changed it"):
        download_files([described(CONTENT, archive=address(server, "/all.zip"))], tmp_path)
    assert not list(tmp_path.iterdir())
