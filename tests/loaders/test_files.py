"""Files are found in the order of the search path, checked, and asked for in one clear sentence."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from mvarena.cache import folder
from mvarena.errors import DataUnavailable, InvalidData
from mvarena.loaders import card_folders, cards, files

CONTENT = b"1,2\n3,4\n"

CARD = """
title = "T"
summary = "S"
samples = 2
clusters = 1
source = "https://example.org/toy"
terms = "free"
loader = "toys:read"
redistributable = true
citation = "@misc{{x}}"
also_in = ["nickname"]
[[views]]
name = "a"
meaning = "m"
dimension = 2
[[files]]
name = "toy.csv"
bytes = {size}
sha256 = "{digest}"
{more}
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A function that writes the card of a data set 'toy'; cache and cards lie in temporary folders."""
    root = tmp_path / "project"
    (root / "toy").mkdir(parents=True)
    monkeypatch.setattr(card_folders, "cards_root", lambda: root)
    monkeypatch.setattr(files, "cards_root", lambda: root)
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MVARENA_DATA", raising=False)

    def write(more: str = "") -> Path:
        digest = hashlib.sha256(CONTENT).hexdigest()
        (root / "toy" / "card.toml").write_text(CARD.format(size=len(CONTENT), digest=digest, more=more))
        cards.read_card.cache_clear()
        return root

    return write


def put(folder: Path, content: bytes = CONTENT) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "toy.csv").write_bytes(content)
    return folder / "toy.csv"


def test_places_are_searched_in_order(toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = toy()
    first, second = tmp_path / "first", tmp_path / "second"
    monkeypatch.setenv("MVARENA_DATA", f"{first}{os.pathsep}{second}")
    wanted = [
        put(tmp_path / "cache" / "datasets" / "toy"),
        put(root / "toy"),
        put(second / "nickname"),
        put(second / "toy"),
        put(first / "toy"),
    ]
    while wanted:
        assert files.paths(cards.load_card("toy")) == (wanted[-1],)
        wanted.pop().unlink()
    with pytest.raises(DataUnavailable):
        files.paths(cards.load_card("toy"))


def test_states(toy, tmp_path: Path) -> None:
    toy()
    assert files.file_state(cards.load_card("toy")).state == "manual"
    assert files.file_state(cards.load_card("toy")).missing == ("toy.csv",)
    toy('url = "http://127.0.0.1:9/toy.csv"')
    assert files.file_state(cards.load_card("toy")).state == "downloadable"
    put(tmp_path / "cache" / "datasets" / "toy")
    assert files.file_state(cards.load_card("toy")).state == "ready"
    assert files.file_state(cards.load_card("toy")).bytes == len(CONTENT)


@pytest.mark.parametrize("content", [b"1,2\n3,5\n", b"1,2\n"], ids=["changed", "cut off"])
def test_a_damaged_file_is_named(toy, tmp_path: Path, content: bytes) -> None:
    toy()
    path = put(tmp_path / "cache" / "datasets" / "toy", content)
    with pytest.raises(InvalidData, match="replace or remove it") as raised:
        files.paths(cards.load_card("toy"))
    assert str(path) in str(raised.value)


def test_a_file_is_hashed_once_until_it_changes(toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toy()
    path = put(tmp_path / "cache" / "datasets" / "toy")
    hashed = []
    real = hashlib.file_digest
    monkeypatch.setattr(folder.hashlib, "file_digest", lambda stream, name: hashed.append(1) or real(stream, name))
    files.paths(cards.load_card("toy"))
    files.paths(cards.load_card("toy"))
    assert len(hashed) == 1
    path.write_bytes(b"1,2\n3,5\n")
    os.utime(path, ns=(1, 1))
    with pytest.raises(InvalidData):
        files.paths(cards.load_card("toy"))
    assert len(hashed) == 2


def test_an_unwritable_cache_only_costs_time(toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = toy()
    path = put(root / "toy")
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the cache should be")
    monkeypatch.setenv("MVARENA_CACHE", str(blocked))
    assert files.paths(cards.load_card("toy")) == (path,)


@pytest.mark.parametrize("more", ["", 'url = "http://127.0.0.1:9/toy.csv"'], ids=["no address", "no network"])
def test_missing_files_are_asked_for_in_one_sentence(toy, more: str) -> None:
    toy(more)
    with pytest.raises(DataUnavailable) as raised:
        files.fetch(cards.load_card("toy"))
    message = str(raised.value)
    assert "Put toy.csv into" in message
    assert "https://example.org/toy" in message
    assert "\n" not in message
