"""Downloads from a server of this test: whole, out of an archive, refused when wrong, and nothing left behind."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from file_server import Server

from mvarena.errors import DataUnavailable, MvarenaError
from mvarena.loaders import download
from mvarena.loaders.cards import CardFile
from mvarena.loaders.download import download_files

CONTENT = bytes(range(256)) * 800
DIGEST = hashlib.sha256(CONTENT).hexdigest()


def zipped(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def described(**where: str) -> CardFile:
    return CardFile(name="a.bin", bytes=len(CONTENT), sha256=DIGEST, **where)


def test_a_file_arrives_with_progress(server: Server, tmp_path: Path) -> None:
    server.pages["/a"] = CONTENT
    seen: list[tuple[str, int, int | None]] = []
    download_files([described(url=server.address("/a"))], tmp_path, lambda *args: seen.append(args))
    assert (tmp_path / "a.bin").read_bytes() == CONTENT
    assert seen[-1] == ("a.bin", len(CONTENT), len(CONTENT))
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)


def test_another_edition_that_the_card_knows_is_taken(server: Server, tmp_path: Path) -> None:
    server.pages["/a"] = CONTENT
    file = CardFile(name="a.bin", sha256="0" * 64, also_sha256=(DIGEST,), url=server.address("/a"))
    download_files([file], tmp_path)
    assert (tmp_path / "a.bin").read_bytes() == CONTENT


def test_a_member_comes_out_of_an_archive(server: Server, tmp_path: Path) -> None:
    server.pages["/all.zip"] = zipped({"folder/a.bin": CONTENT, "../escape.txt": b"x"})
    download_files([described(archive=server.address("/all.zip"))], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == CONTENT
    assert not (tmp_path.parent / "escape.txt").exists()


def test_a_folder_that_cannot_be_written_is_named_with_what_to_do(server: Server, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(DataUnavailable, match=r"taken.* cannot be written.*MVARENA_CACHE"):
        download_files([described(url=server.address("/a"))], tmp_path / "taken")


def cut(server: Server) -> None:
    server.pages["/a"], server.cut = CONTENT, 70_000


def announcing_too_much(server: Server) -> None:
    server.pages["/a"], server.announced = CONTENT, 10**15


def endless(server: Server) -> None:
    server.endless.add("/a")


def serving(content: bytes) -> Callable[[Server], None]:
    return lambda server: server.pages.update({"/a": content})


@pytest.mark.parametrize(
    ("where", "spoil", "message"),
    [
        ("url", cut, "could not be fetched"),
        ("url", lambda _: None, "/a could not be fetched"),
        ("url", serving(CONTENT[::-1]), "sha256 differs"),
        ("url", endless, r"sends \d+ bytes or more, and \d+ are expected"),
        ("archive", endless, r"sends \d+ bytes or more, and \d+ are expected"),
        ("url", announcing_too_much, f"sends {10**15} bytes or more, and {len(CONTENT)} are expected"),
        ("archive", serving(zipped({"a.bin": CONTENT[::-1]})), "the publisher has changed it"),
        ("archive", serving(zipped({"b.bin": CONTENT})), "lacks a.bin"),
        ("archive", serving(zipped({"a.bin": CONTENT + b"more"})), "with more than"),
        ("archive", serving(zipped({"a.bin": CONTENT})[:-40]), "cannot be read"),
    ],
    ids=["cut", "missing", "changed", "endless", "endless archive", "announced", "changed member", "no member",
         "larger member", "cut archive"],
)  # fmt: skip
def test_what_is_wrong_is_refused_leaves_nothing_and_is_fetched_anew(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, spoil, message: str
) -> None:
    monkeypatch.setattr(download, "_BESIDE_MEMBERS", 1 << 20)
    spoil(server)
    file = described(**{where: server.address("/a")})
    with pytest.raises(MvarenaError, match=message):
        download_files([file], tmp_path)
    assert not list(tmp_path.iterdir())
    assert server.sent < 1 << 25  # what sockets buffer beside the limit
    server.cut, server.announced, server.endless = None, None, set()
    server.pages["/a"] = CONTENT if where == "url" else zipped({"a.bin": CONTENT})
    download_files([file], tmp_path)
    assert (tmp_path / "a.bin").read_bytes() == CONTENT
