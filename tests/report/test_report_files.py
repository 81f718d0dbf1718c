"""File names are stable and safe; a file is written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.errors import InvalidSetting
from mvarena.report.files import file_stems, write_file


def test_names_become_stems() -> None:
    assert file_stems(["digits[fou,fac]", "3Sources", "../x", "a b"]) == {
        "digits[fou,fac]": "digits-fou-fac",
        "3Sources": "3sources",
        "../x": "x",
        "a b": "a-b",
    }


def test_equal_stems_are_told_apart_in_any_order() -> None:
    one, other = file_stems(["a b", "a-b"]), file_stems(["a-b", "a b", "c"])
    assert one["a b"] == other["a b"]
    assert len(set(one.values())) == 2


@given(st.lists(st.text(max_size=8), unique=True, max_size=8))
def test_stems_are_safe_and_different(names: list[str]) -> None:
    stems = file_stems(names)
    assert len(set(stems.values())) == len(names)
    for stem in stems.values():
        assert stem
        assert set(stem) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-")
        assert stem[0] not in ".-"


def test_writes_make_folders_and_replace(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    write_file(path, "one")
    assert write_file(path, "two ±").read_bytes() == "two ±".encode()
    assert [entry.name for entry in path.parent.iterdir()] == ["a.txt"]
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def test_a_failed_write_leaves_the_old_file_and_no_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_file(tmp_path / "a.txt", "old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InvalidSetting, match=r"a\.txt cannot be written \(No space left on device\)") as raised:
        write_file(path, "new")
    assert (raised.value.field, raised.value.value) == ("out", str(tmp_path))
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_a_folder_that_is_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(InvalidSetting, match="cannot be written"):
        write_file(tmp_path / "taken" / "a.txt", "x")


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


@given(st.lists(st.text("ab", min_size=200, max_size=300), unique=True, max_size=4))
def test_long_names_fit_any_file_system_and_stay_different(names: list[str]) -> None:
    stems = file_stems(names)
    assert len(set(stems.values())) == len(names)
    assert all(len(stem) <= 80 for stem in stems.values())


def test_a_name_that_is_no_text_has_a_stem() -> None:
    assert len(set(file_stems(["\udcff.mat", "\udcfe.mat"]).values())) == 2
