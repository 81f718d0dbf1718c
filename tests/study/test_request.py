"""What is kept of a command and a study file: all of it as it was typed, but passwords."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.study.file import shipped_studies, study_at
from mvarena.study.request import kept_study, typed_command


@given(st.lists(st.text(st.characters(exclude_characters=":@=")), max_size=4))
def test_words_are_kept_to_the_letter(words: list[str]) -> None:
    assert shlex.split(typed_command(words)) == ["mvarena", *words]


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (["run", "--data", "../d/f.mat[a,b]", "/data/x.csv"], "run --data '../d/f.mat[a,b]' /data/x.csv"),
        (["run", "--param", "m.b=1/3", "--corrupt", "A:0.3+b:9dB"], "run --param m.b=1/3 --corrupt A:0.3+b:9dB"),
        (["run", "--db", "postgresql://me:a/b@c@h/db"], "run --db postgresql://me@h/db"),
        (["run", "--db=postgresql://me@h/db?password=x&host=s"], "run '--db=postgresql://me@h/db?host=s'"),
    ],
)  # fmt: skip
def test_only_passwords_go(words: list[str], kept: str) -> None:
    assert typed_command(words) == f"mvarena {kept}"


def test_paths_in_the_working_folder_are_relative_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["run", f"{tmp_path}/study.toml", f"--labels={tmp_path}/y.csv", f"{tmp_path}/a.csv,{tmp_path}/b.csv", "/z"]
    assert typed_command(words) == "mvarena run study.toml --labels=y.csv a.csv,b.csv /z"


def test_a_study_loses_comments_and_passwords_and_nothing_else() -> None:
    document = tomllib.loads("""
        # a comment
        title = "Means and/or sums"
        db = "postgresql://me:secret@h/db"
        seed = 3
        [[run]]
        data = ["x.mat[a]", "digits"]
        param."m.py:My".beta = [0.1, "b"]
    """)
    kept = tomllib.loads(kept_study(document))
    assert kept == document | {"db": "postgresql://me@h/db"}
    assert "comment" not in kept_study(document)


def test_a_shipped_study_is_kept_whole() -> None:
    for name in shipped_studies():
        assert tomllib.loads(kept_study(study_at(name).document)) == study_at(name).document
