"""Temporary folders: what a process that was killed has left goes when the next folder is made, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mvarena.system.temporary import temporary_folder

HOLDER = "from mvarena.system.temporary import temporary_folder as t; f = t(); print(f.name, flush=True); input()"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_what_a_killed_process_left_goes_and_what_a_living_one_has_stays(place: Path) -> None:
    pipe = subprocess.PIPE
    killed, living = (
        subprocess.Popen([sys.executable, "-c", HOLDER], stdin=pipe, stdout=pipe, text=True) for _ in range(2)
    )
    folders = []
    for one in (killed, living):
        assert one.stdout is not None
        folders.append(Path(one.stdout.readline().strip()))
        (folders[-1] / "results.db").write_text("rows")
    killed.kill()
    killed.communicate()
    with temporary_folder() as own:
        assert set(place.iterdir()) == {folders[1], Path(own)}
    living.communicate("\n")
    assert not list(place.iterdir())


def test_the_folders_of_others_are_left_alone(place: Path) -> None:
    others = ["mvarena-report", "mvarena-000000000000-1-abcd", "mvarena-1", "else"]
    for name in others:
        (place / name).mkdir()
    with temporary_folder():
        pass
    assert sorted(one.name for one in place.iterdir()) == sorted(others)
