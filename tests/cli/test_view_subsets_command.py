"""`mvarena run --views all-subsets`: a study over every subset of the views, saved and run again."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from mvarena.cli.main import main

RUN = ["run", "--algo", "concat", "sc-concat", "--data", "digits[kar,mor]", "--views", "all-subsets"]
SMALL = ["--repeats", "1", "--restarts", "1", "--no-controls"]


def test_a_saved_study_says_it_in_one_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    main([*RUN, *SMALL, "--save", "study.toml", "--dry-run"])
    saved = tomllib.loads(Path("study.toml").read_text("utf-8"))
    assert (saved["data"], saved["views"]) == ("digits[kar,mor]", "all-subsets")
    assert "corrupt" not in saved
    first = capsys.readouterr()
    main(["run", "study.toml", "--dry-run"])
    again = capsys.readouterr()
    for printed in (first, again):
        assert "To run: 6 trials." in printed.err + printed.out
