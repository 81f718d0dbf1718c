"""Downloads from a server of this test: whole, resumed, one at a time, out of an archive, refused when wrong."""

from __future__ import annotations

import hashlib
import io
import multiprocessing
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mvarena.errors import DataUnavailable, MvarenaError
from mvarena.loaders import download
from mvarena.loaders.cards import CardFile
from mvarena.loaders.download import download_files

CONTENT = bytes(range(256)) * 800


class Server(ThreadingHTTPServer):
    """Serves `pages`; `ranges` records the Range header of each request.

    endless : pages whose body never ends; sent : how many bytes of them went out. cut : how many bytes of a body
    are sent before the connection breaks. dripping : pages that come ten bytes at a time. ignores_ranges : sends
    everything whatever is asked for.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages: dict[str, bytes] = {}
        self.ranges: list[str | None] = []
        self.endless: set[str] = set()
        self.dripping: set[str] = set()
        self.sent = 0
        self.cut: int | None = None
        self.ignores_ranges = False
        self.announced: int | None = None
        self.gate = threading.Event()
        self.gate.set()


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        wanted = None if self.server.ignores_ranges else self.headers["Range"]
        self.server.ranges.append(self.headers["Range"])
        self.server.gate.wait(30)
        if self.path in self.server.dripping:
            self.send_response(200)
            self.send_header("Content-Length", str(len(CONTENT)))
            self.end_headers()
            with suppress(OSError):  # the client hung up
                for first in range(0, len(CONTENT), 10):
                    self.wfile.write(CONTENT[first : first + 10])
                    time.sleep(0.02)
            return
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
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        if start >= len(content):
            self.send_error(416)
            return
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(self.server.announced or len(content) - start))
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(content[start:][: self.server.cut])

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


def test_a_server_that_drips_is_given_up_and_what_came_is_kept(server: Server, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(download, "_PATIENCE_S", 0.3)
    server.dripping.add("/a")
    file = described(CONTENT, url=address(server, "/a"))
    with pytest.raises(DataUnavailable, match=r"sends less than 20 kB per second; \d+ bytes are kept"):
        download_files([file], tmp_path)
    (part,) = tmp_path.iterdir()
    assert 0 < part.stat().st_size < len(CONTENT) // 2, "it did not wait for all of it"
    assert CONTENT.startswith(part.read_bytes())


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


def test_what_arrived_before_a_connection_broke_is_not_sent_again(server: Server, tmp_path: Path) -> None:
    server.pages["/a"] = CONTENT
    server.cut = 70_000
    file = described(CONTENT, url=address(server, "/a"))
    with pytest.raises(DataUnavailable, match="could not be fetched"):
        download_files([file], tmp_path)
    (part,) = tmp_path.iterdir()
    assert CONTENT.startswith(part.read_bytes())
    have, server.cut = part.stat().st_size, None
    assert have > 0
    download_files([file], tmp_path)
    assert server.ranges == [None, f"bytes={have}-"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("have", "asked"),
    [
        (CONTENT[:1000], ["bytes=1000-"]),
        (CONTENT, []),
        (b"of another edition", ["bytes=18-", None]),
        (CONTENT[::-1], [None]),
        (CONTENT + b"too much", [None]),
    ],
    ids=["a start", "the whole", "another start", "another file", "too much"],
)
@pytest.mark.parametrize("ignores_ranges", [False, True])
def test_a_part_is_taken_up_for_what_it_is(
    server: Server, tmp_path: Path, have: bytes, asked: list[str | None], ignores_ranges: bool
) -> None:
    server.pages["/a"], server.ignores_ranges = CONTENT, ignores_ranges
    (tmp_path / "a.bin.part").write_bytes(have)
    download_files([described(CONTENT, url=address(server, "/a"))], tmp_path)
    assert server.ranges == (asked[:1] if ignores_ranges else asked)
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == CONTENT


def test_another_content_is_refused_and_leaves_nothing(server: Server, tmp_path: Path) -> None:
    server.pages["/a"] = CONTENT[::-1]
    with pytest.raises(DataUnavailable, match="sha256 differs"):
        download_files([described(CONTENT, url=address(server, "/a"))], tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("where", ["url", "archive"])
def test_an_endless_body_is_cut_short_and_leaves_nothing(
    server: Server, tmp_path: Path, where: str, monkeypatch
) -> None:
    monkeypatch.setattr(download, "_BESIDE_MEMBERS", 1 << 20)
    server.endless.add("/a")
    with pytest.raises(DataUnavailable, match=r"it goes on, and \d+ bytes"):
        download_files([described(CONTENT, **{where: address(server, "/a")})], tmp_path)
    assert not list(tmp_path.iterdir())
    assert server.sent < 1 << 25  # what sockets buffer beside the limit


def test_a_body_that_announces_too_much_is_not_read(server: Server, tmp_path: Path) -> None:
    server.pages["/a"], server.announced = CONTENT, 10**15
    seen: list[object] = []
    with pytest.raises(DataUnavailable, match=f"announces {10**15} bytes, and {len(CONTENT)} bytes the card says"):
        download_files([described(CONTENT, url=address(server, "/a"))], tmp_path, lambda *args: seen.append(args))
    assert (seen, list(tmp_path.iterdir())) == ([], [])


def test_two_processes_fetch_a_file_once(server: Server, tmp_path: Path) -> None:
    """The second waits while the first is held up at the gate, and then takes what the first has fetched."""
    server.pages["/a"] = CONTENT
    server.gate.clear()
    file = described(CONTENT, url=address(server, "/a"))
    context = multiprocessing.get_context("spawn")
    both = [context.Process(target=download_files, args=([file], tmp_path)) for _ in range(2)]
    for process in both:
        process.start()
    for _ in range(600):
        if server.ranges:
            break
        both[0].join(0.1)
    both[0].join(2)  # time enough for the second to ask, if it did not wait
    assert all(process.is_alive() for process in both)
    server.gate.set()
    for process in both:
        process.join(30)
    assert [process.exitcode for process in both] == [0, 0]
    assert server.ranges == [None]
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == CONTENT


def test_a_missing_page_is_named(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DataUnavailable, match="/gone could not be fetched"):
        download_files([described(CONTENT, url=address(server, "/gone"))], tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_member_comes_out_of_an_archive(server: Server, tmp_path: Path) -> None:
    server.pages["/all.zip"] = zipped({"folder/a.bin": CONTENT, "../escape.txt": b"x"})
    download_files([described(CONTENT, archive=address(server, "/all.zip"))], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == CONTENT
    assert not (tmp_path.parent / "escape.txt").exists()


@pytest.mark.parametrize(
    ("archive", "sentence"),
    [
        (lambda: zipped({"a.bin": CONTENT[::-1]}), "the publisher has changed it"),
        (lambda: zipped({"b.bin": CONTENT}), "lacks a.bin"),
        (lambda: zipped({"a.bin": CONTENT + b"more"}), "with more than"),
        (lambda: zipped({"a.bin": CONTENT})[:-40], "cannot be read"),
    ],
    ids=["changed", "without it", "larger", "cut off"],
)
def test_a_wrong_archive_is_refused_and_fetched_anew(
    server: Server, tmp_path: Path, archive: Callable[[], bytes], sentence: str
) -> None:
    server.pages["/all.zip"] = archive()
    file = described(CONTENT, archive=address(server, "/all.zip"))
    with pytest.raises(MvarenaError, match=sentence):
        download_files([file], tmp_path)
    assert not list(tmp_path.iterdir())
    server.pages["/all.zip"] = zipped({"a.bin": CONTENT})
    download_files([file], tmp_path)
    assert (tmp_path / "a.bin").read_bytes() == CONTENT
