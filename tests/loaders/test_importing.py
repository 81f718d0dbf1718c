"""Hand-downloaded files are put in place only when they are what the card describes."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from mvarena.errors import InvalidData, InvalidSetting
from mvarena.loaders import card_folders, cards, files
from mvarena.loaders.files import import_files

CONTENTS = {"a.csv": b"1,2\n3,4\n", "b.csv": b"5,6\n"}
CARD = """
title = "T"
summary = "S"
samples = 2
clusters = 1
source = "https://example.org/toy"
terms = "free"
loader = "toys:read"
redistributable = true
citation = "@misc{x}"
[[views]]
name = "a"
meaning = "m"
dimension = 2
"""


@pytest.fixture
def target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder of a data set 'toy' with two files; 'pair' is made of the files of 'toy'."""
    root = tmp_path / "project"
    listed = "".join(
        f'[[files]]\nname = "{name}"\nbytes = {len(content)}\nsha256 = "{hashlib.sha256(content).hexdigest()}"\n'
        for name, content in CONTENTS.items()
    )
    for name, text in (("toy", CARD + listed), ("pair", 'uses = ["toy"]\n' + CARD)):
        (root / name).mkdir(parents=True)
        (root / name / "card.toml").write_text(text)
    monkeypatch.setattr(card_folders, "cards_root", lambda: root)
    monkeypatch.setattr(files, "cards_root", lambda: root)
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MVARENA_DATA", raising=False)
    return tmp_path / "cache" / "datasets" / "toy"


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


def test_a_folder_is_imported(target: Path, tmp_path: Path) -> None:
    source = tmp_path / "downloads"
    source.mkdir()
    for name, content in CONTENTS.items():
        (source / name).write_bytes(content)
    assert import_files(cards.load_card("toy"), source) == (target / "a.csv", target / "b.csv")
    assert files.paths(cards.load_card("toy")) == (target / "a.csv", target / "b.csv")
    assert files.paths(cards.load_card("pair")) == files.paths(cards.load_card("toy"))
    assert [check.problem for check in files.verify(cards.load_card("pair"))] == [None, None]


def test_one_renamed_file_is_recognised_by_its_checksum(target: Path, tmp_path: Path) -> None:
    (tmp_path / "b (1).csv").write_bytes(CONTENTS["b.csv"])
    assert import_files(cards.load_card("toy"), tmp_path / "b (1).csv") == (target / "b.csv",)
    assert [check.problem for check in files.verify(cards.load_card("toy"))] == ["not available", None]


@pytest.mark.parametrize("pack", [packed_zip, packed_tar])
def test_an_archive_is_imported_and_nothing_else_of_it(target: Path, tmp_path: Path, pack) -> None:
    members = {f"inner/{name}": content for name, content in CONTENTS.items()}
    archive = pack(tmp_path / "all", members | {"../evil.txt": b"x", "other.txt": b"y"})
    assert import_files(cards.load_card("toy"), archive) == (target / "a.csv", target / "b.csv")
    assert sorted(path.name for path in target.iterdir()) == ["a.csv", "b.csv"]
    assert not list(tmp_path.rglob("evil.txt"))


def test_a_wrong_file_is_refused_and_nothing_is_placed(target: Path, tmp_path: Path) -> None:
    archive = packed_zip(tmp_path / "all.zip", {"a.csv": CONTENTS["a.csv"], "b.csv": b"5,7\n"})
    with pytest.raises(InvalidData, match=r"b\.csv"):
        import_files(cards.load_card("toy"), archive)
    (tmp_path / "a.csv").write_bytes(b"something else")
    with pytest.raises(InvalidData, match="the card says 8"):
        import_files(cards.load_card("toy"), tmp_path / "a.csv")
    assert not list(target.iterdir())


def test_nothing_to_import_is_said(target: Path, tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_bytes(b"other")
    with pytest.raises(InvalidSetting, match=r"none of the files of 'toy': a\.csv, b\.csv"):
        import_files(cards.load_card("toy"), tmp_path / "c.csv")
    with pytest.raises(InvalidSetting, match="There is no file or folder"):
        import_files(cards.load_card("toy"), tmp_path / "nowhere")
    with pytest.raises(InvalidSetting, match="import toy instead"):
        import_files(cards.load_card("pair"), tmp_path)


def test_a_tar_that_unpacks_without_end_is_refused_before_it_is_unpacked(target: Path, tmp_path: Path) -> None:
    header = tarfile.TarInfo("filler")
    header.size = 1 << 40
    (tmp_path / "all.tar.gz").write_bytes(gzip.compress(header.tobuf() + b"\0" * 1024))
    with pytest.raises(InvalidData, match="unpacks to more than 8 GiB"):
        import_files(cards.load_card("toy"), tmp_path / "all.tar.gz")
    assert not list(target.iterdir())
