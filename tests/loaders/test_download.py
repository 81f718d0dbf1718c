"""Downloads from a server of this test: whole, out of an archive, refused when wrong, and nothing left behind."""

from __future__ import annotations

import hashlib
import io
import threading
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


def test_a_connection_that_breaks_leaves_nothing_and_the_next_attempt_succeeds(server: Server, tmp_path: Path) -> None:
    server.pages["/a"], server.cut = CONTENT, 70_000
    file = described(CONTENT, url=address(server, "/a"))
    with pytest.raises(DataUnavailable, match="could not be fetched"):
        download_files([file], tmp_path)
    assert not list(tmp_path.iterdir())
    server.cut = None
    download_files([file], tmp_path)
    assert (tmp_path / "a.bin").read_bytes() == CONTENT


def test_another_edition_that_the_card_knows_is_taken(server: Server, tmp_path: Path) -> None:
    server.pages["/a"] = CONTENT
    known = hashlib.sha256(CONTENT).hexdigest()
    file = CardFile(name="a.bin", sha256="0" * 64, also_sha256=(known,), url=address(server, "/a"))
    download_files([file], tmp_path)
    assert (tmp_path / "a.bin").read_bytes() == CONTENT


def test_a_folder_that_cannot_be_written_is_named_with_what_to_do(server: Server, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(DataUnavailable, match=r"taken.* cannot be written.*MVARENA_CACHE"):
        download_files([described(CONTENT, url=address(server, "/a"))], tmp_path / "taken")


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
    with pytest.raises(DataUnavailable, match=r"sends \d+ bytes or more, and \d+ are expected"):
        download_files([described(CONTENT, **{where: address(server, "/a")})], tmp_path)
    assert not list(tmp_path.iterdir())
    assert server.sent < 1 << 25  # what sockets buffer beside the limit


def test_a_body_that_announces_too_much_is_not_read(server: Server, tmp_path: Path) -> None:
    server.pages["/a"], server.announced = CONTENT, 10**15
    seen: list[object] = []
    with pytest.raises(DataUnavailable, match=f"sends {10**15} bytes or more, and {len(CONTENT)} are expected"):
        download_files([described(CONTENT, url=address(server, "/a"))], tmp_path, lambda *args: seen.append(args))
    assert (seen, list(tmp_path.iterdir())) == ([], [])


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
