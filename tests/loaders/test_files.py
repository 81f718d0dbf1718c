"""Files of a data set are found in the order of the search path, checked, asked for in one sentence, and imported."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from mvarena.cache import folder
from mvarena.errors import DataUnavailable, InvalidData, InvalidSetting
from mvarena.loaders import cards, files
from mvarena.loaders.files import import_files

CONTENTS = {"a.csv": b"1,2\n3,4\n", "b.csv": b"5,6\n"}
BOTH_NAMES = 'loader = "toys:read"\nalso_in = ["nickname"]'
ADDRESS = 'url = "http://127.0.0.1:9/toy.csv"'


@pytest.fixture
def cached(tmp_path: Path, write_card) -> Path:
    """The cache folder of a data set 'toy' with two files, whose card is written; 'pair' is made of these files."""
    write_card(CONTENTS, BOTH_NAMES)
    write_card({}, 'loader = "toys:read"\nuses = ["toy"]', name="pair")
    return tmp_path / "cache" / "datasets" / "toy"


def put(folder: Path, contents: dict[str, bytes] = CONTENTS) -> tuple[Path, ...]:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return tuple(folder / name for name in CONTENTS)


def toy() -> cards.Card:
    return cards.load_card("toy")


def test_places_are_searched_in_order(cached: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    monkeypatch.setenv("MVARENA_DATA", f"{first}{os.pathsep}{second}")
    places = [cached, tmp_path / "project" / "toy", second / "nickname", second / "toy", first / "toy"]
    for place in places:
        put(place)
    for place in reversed(places):
        assert files.paths(toy()) == tuple(place / name for name in CONTENTS)
        for name in CONTENTS:
            (place / name).unlink()
    with pytest.raises(DataUnavailable):
        files.paths(toy())


def test_states(cached: Path, write_card) -> None:
    assert files.describe(toy()).state == "manual"
    assert files.describe(toy()).missing == ("a.csv", "b.csv")
    write_card(CONTENTS, of_file=ADDRESS)
    assert files.describe(toy()).state == "downloadable"
    put(cached)
    assert files.describe(toy()).state == "ready"
    assert files.describe(toy()).bytes == 12


@pytest.mark.parametrize("content", [b"1,2\n3,5\n", b"1,2\n"], ids=["changed", "cut off"])
def test_a_damaged_file_is_named(cached: Path, content: bytes) -> None:
    put(cached, CONTENTS | {"a.csv": content})
    with pytest.raises(InvalidData, match="replace or remove it") as raised:
        files.paths(toy())
    assert str(cached / "a.csv") in str(raised.value)


def test_a_file_is_hashed_once_until_it_changes(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, _ = put(cached)
    hashed = []
    real = hashlib.file_digest
    monkeypatch.setattr(folder.hashlib, "file_digest", lambda stream, name: hashed.append(1) or real(stream, name))
    for _ in range(2):
        files.paths(toy())
        assert len(hashed) == 2
    path.write_bytes(b"1,2\n3,5\n")
    os.utime(path, ns=(1, 1))
    with pytest.raises(InvalidData):
        files.paths(toy())
    assert len(hashed) == 3


def test_an_unwritable_cache_only_costs_time(cached: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = put(tmp_path / "project" / "toy")
    (tmp_path / "blocked").write_text("a file where the cache should be")
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "blocked"))
    assert files.paths(toy()) == found


@pytest.mark.parametrize("said", ["", ADDRESS], ids=["no address", "no network"])
def test_missing_files_are_asked_for_in_one_sentence(write_card, said: str) -> None:
    write_card(CONTENTS, of_file=said)
    with pytest.raises(DataUnavailable, match=r"Put a.csv, b.csv into .*https://example.org/toy") as raised:
        files.fetch(toy())
    assert "\n" not in str(raised.value)


# import --------------------------------------------------------------------------------------------------------


def packed_zip(path: Path, contents: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return path


def packed_tar(path: Path, contents: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in contents.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return path


def test_a_folder_is_imported(cached: Path, tmp_path: Path) -> None:
    put(tmp_path / "downloads")
    assert import_files(toy(), tmp_path / "downloads") == (cached / "a.csv", cached / "b.csv")
    assert files.paths(cards.load_card("pair")) == files.paths(toy()) == (cached / "a.csv", cached / "b.csv")
    assert [check.problem for check in files.verify(cards.load_card("pair"))] == [None, None]


def test_one_renamed_file_is_recognised_by_its_checksum(cached: Path, tmp_path: Path) -> None:
    (tmp_path / "b (1).csv").write_bytes(CONTENTS["b.csv"])
    assert import_files(toy(), tmp_path / "b (1).csv") == (cached / "b.csv",)
    assert [check.problem for check in files.verify(toy())] == ["not available", None]


@pytest.mark.parametrize("pack", [packed_zip, packed_tar])
def test_an_archive_is_imported_and_nothing_else_of_it(cached: Path, tmp_path: Path, pack) -> None:
    members = {f"inner/{name}": content for name, content in CONTENTS.items()}
    archive = pack(tmp_path / "all", members | {"../evil.txt": b"x", "other.txt": b"y"})
    assert import_files(toy(), archive) == (cached / "a.csv", cached / "b.csv")
    assert sorted(path.name for path in cached.iterdir()) == ["a.csv", "b.csv"]
    assert not list(tmp_path.rglob("evil.txt"))


def test_a_wrong_file_is_refused_and_nothing_is_placed(cached: Path, tmp_path: Path) -> None:
    packed_zip(tmp_path / "all.zip", CONTENTS | {"b.csv": b"5,7\n"})
    (tmp_path / "a.csv").write_bytes(b"something else")
    header = tarfile.TarInfo("filler")
    header.size = 1 << 40
    (tmp_path / "all.tar.gz").write_bytes(gzip.compress(header.tobuf() + b"\0" * 1024))
    for name, message in (
        ("all.zip", r"b\.csv"),
        ("a.csv", "the card says 8"),
        ("all.tar.gz", "unpacks to more than 8 GiB"),
    ):
        with pytest.raises(InvalidData, match=message):
            import_files(toy(), tmp_path / name)
    assert not list(cached.iterdir())


def test_nothing_to_import_is_said(cached: Path, tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_bytes(b"other")
    with pytest.raises(InvalidSetting, match=r"none of the files of 'toy': a\.csv, b\.csv"):
        import_files(toy(), tmp_path / "c.csv")
    with pytest.raises(InvalidSetting, match="There is no file or folder"):
        import_files(toy(), tmp_path / "nowhere")
    with pytest.raises(InvalidSetting, match="import toy instead"):
        import_files(cards.load_card("pair"), tmp_path)
