"""What is kept of a command and a study file: all of it but passwords and folders."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mvarena.study.file import shipped_studies, study_at
from mvarena.study.request import kept_study, typed_command

FOLDERS = st.lists(st.from_regex(r"secret-[a-z]{1,8}", fullmatch=True), min_size=1, max_size=3)
ROOTS = st.sampled_from(["/", "~/", "./", "../", "", "C:\\", "file:///"])
FORMS = st.sampled_from(["{}", "--db={}", "name={}", "{},{}", "{}[a,b]", "{}:My", "a.b={}"])


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (["run", "--algo", "kernel:*", "--data", "d[fou,fac]"], "run --algo 'kernel:*' --data 'd[fou,fac]'"),
        (["run", "--corrupt", "A:0.3+gaussian:10dB", "--jobs", "2"], "run --corrupt A:0.3+gaussian:10dB --jobs 2"),
        (["run", "--param", "mic.beta=1/3", "apmc.n=5,10"], "run --param mic.beta=1/3 apmc.n=5,10"),
        (["run", "--data", "/home/me/faces.mat[a,b]", "x/a.csv,y/b.csv"], "run --data 'faces.mat[a,b]' a.csv,b.csv"),
        (["run", "--name", "faces=/home/me/f.mat", "n=my/f.mat"], "run --name faces=f.mat n=f.mat"),
        (["run", "--algo", "~/m.py:My", "--labels=/y.csv"], "run --algo m.py:My --labels=y.csv"),
        (["run", "C:\\Users\\me\\study.toml"], "run study.toml"),
        (["run", "--db", "postgresql://me:a/b@c@h/db"], "run --db postgresql://me@h/db"),
        (["run", "--db=postgresql://me@h/db?password=x&host=/home/me/s"], "run '--db=postgresql://me@h/db?host=s'"),
        (["run", "--db", "sqlite:////home/me/r.db", "--scheduler", "tcp://h:87"], "run --db r.db --scheduler tcp://h:87"),
        (["run", "--data", "two words.mat", ""], "run --data 'two words.mat' ''"),
    ],
)  # fmt: skip
def test_a_command_is_kept_as_it_was_typed_but_for_folders_and_passwords(words: list[str], kept: str) -> None:
    assert typed_command(words) == f"mvarena {kept}"


@given(root=ROOTS, folders=FOLDERS, form=FORMS)
def test_no_folder_is_kept_wherever_a_path_stands(root: str, folders: list[str], form: str) -> None:
    path = root + ("\\" if root.startswith("C:") else "/").join([*folders, "file.mat"])
    if form == "a.b={}" and root == "":
        return  # reads as the value of a parameter
    kept = typed_command(["run", form.format(path, path)])
    assert "secret" not in kept
    assert "file.mat" in kept


def test_a_folder_that_is_there_may_have_any_name(tmp_path: Path) -> None:
    for name in ("with, a comma", "with=equals", "with[brackets]"):
        (tmp_path / name).mkdir()
        file = tmp_path / name / "f.mat"
        file.touch()
        assert shlex.split(typed_command([str(file), f"{file}[a]"])) == ["mvarena", "f.mat", "f.mat[a]"]


@given(st.lists(st.text(st.characters(exclude_characters="/\\:@=[")), max_size=4))
def test_words_without_paths_are_kept_to_the_letter(words: list[str]) -> None:
    assert shlex.split(typed_command(words)) == ["mvarena", *words]


def test_a_study_loses_comments_folders_and_passwords_and_nothing_else() -> None:
    document = tomllib.loads("""
        # /home/me/comment
        title = "Means and/or sums, from /home/me/x.mat"
        db = "postgresql://me:secret@h/db"
        seed = 3
        [[run]]
        data = ["/home/me/x.mat[a]", "digits"]
        description = "1/2 of ~/all/y.csv"
        param."/home/me/m.py:My".beta = [0.1, "b"]
    """)
    assert "me/" not in kept_study(document)
    assert tomllib.loads(kept_study(document)) == {
        "title": "Means and/or sums, from x.mat",
        "db": "postgresql://me@h/db",
        "seed": 3,
        "run": [
            {"data": ["x.mat[a]", "digits"], "description": "1/2 of y.csv", "param": {"m.py:My": {"beta": [0.1, "b"]}}}
        ],
    }


@pytest.mark.parametrize("name", shipped_studies())
def test_a_shipped_study_is_kept_whole(name: str) -> None:
    assert tomllib.loads(kept_study(study_at(name).document)) == study_at(name).document
