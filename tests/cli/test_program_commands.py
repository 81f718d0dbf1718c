"""A program on the command line: run, saved, planned, shown, and one sentence for what is wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from command_line import called

METHOD = """
import sys
import numpy as np
given, output = sys.argv[1:]
with np.load(given) as file:
    np.savez(output, embedding=file["X1"])
"""
FILE = f"""
name = "first-view"
summary = "The first view as it is."
python = "{sys.executable}"
script = "first_view.py"
format = "npz"
writes = "embedding"
deterministic = true
"""
SMALL = ["--data", "toy-blobs", "--rates", "0.3", "--repeats", "1", "--restarts", "1", "--no-controls"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "first_view.py").write_text(METHOD)
    (tmp_path / "sub" / "first-view.toml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_a_saved_study_finds_the_file_from_anywhere(place: Path, capsys, monkeypatch):
    code, out, err = called(capsys, "run", "--algo", "sub/first-view.toml", *SMALL, "--save", "sub/study.toml")
    assert code == 0, err
    assert "Ran 1 trial (1 done)" in out
    assert 'algo = "first-view.toml"' in (place / "sub" / "study.toml").read_text()
    (place / "elsewhere").mkdir()
    monkeypatch.chdir(place / "elsewhere")
    code, out, err = called(capsys, "run", "../sub/study.toml", "--db", "../results.db")
    assert code == 0, err
    assert "Ran 0 trials" in out


def test_show_says_what_it_takes_and_runs(place: Path, capsys):
    code, out, _ = called(capsys, "show", "sub/first-view.toml")
    assert code == 0
    assert "first-view (algorithm): The first view as it is." in out
    assert "complete data only" in out
    assert f"provided by: {place / 'sub' / 'first-view.toml'}" in out
    assert "first_view.py {input} {output}" in out


def test_what_is_wrong_with_a_file_is_one_sentence(place: Path, capsys):
    for text, said in (
        ('name = "none"\ncommand = ["no-such-program", "{input}"]\n', "which is not found on the PATH; install it"),
        ('algo = ["concat"]\n', "is a study file, not an algorithm; give it as the first argument"),
    ):
        (place / "wrong.toml").write_text(text)
        _, out, err = called(capsys, "run", "--dry-run", "--algo", "wrong.toml", *SMALL)
        assert said in out + err
        assert "Traceback" not in err + out
