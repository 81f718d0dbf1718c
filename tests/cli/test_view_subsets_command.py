"""`mvarena run --views all-subsets`: one command from a data set to the figure of scores by subset of views."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pandas as pd
import pytest

from mvarena.cli.main import main

RUN = ["run", "--algo", "concat", "sc-concat", "--data", "digits[kar,mor]", "--views", "all-subsets"]
SMALL = ["--repeats", "1", "--restarts", "1", "--no-controls"]


def test_one_command_ends_with_the_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    main([*RUN, *SMALL])
    printed = capsys.readouterr().out
    assert "Ran 6 trials (6 done)" in printed
    path = Path("mvarena-report/figure-subsets-digits-none-acc.png")
    assert f"Figure: {path}" in printed
    points = pd.read_csv(path.with_suffix(".csv"))
    assert set(points["views"]) == {"kar", "mor", "kar,mor"}
    assert len(points) == 6
    main(["report"])
    assert "By subset of views" in Path("mvarena-report/index.md").read_text("utf-8")
    main([*RUN, *SMALL, "--json"])
    assert "Figure:" not in capsys.readouterr().out


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
