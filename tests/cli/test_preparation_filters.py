"""--fill and --prepare select stored trials, in commands and in Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import mvarena
from mvarena.cli.main import cli
from mvarena.errors import UnknownName


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fillings") / "results.db"
    settings = {"datasets": "synthetic-apmc", "corruptions": "missing-even", "repeats": 1, "restarts": 1, "db": path}
    mvarena.run("concat", **settings, fill=["knn", "mean"], scale=["none", "minmax"])
    mvarena.run("apmc", **settings, prepare="paper")
    return path


def prepares(database: Path, **words: object) -> list[str]:
    return sorted(mvarena.Results(database).where(**words).scores["prepare"].unique())


@pytest.mark.slow
def test_a_filling_is_chosen(database: Path) -> None:
    assert prepares(database, fillings="mean") == ["fill-mean", "minmax,fill-mean"]
    assert prepares(database, fillings="mean", scalings="minmax") == ["minmax,fill-mean"]
    assert prepares(database, fillings="none") == ["unit-rows"]


def test_steps_are_chosen_by_their_names(database: Path) -> None:
    assert prepares(database, preparations="minmax,fill-knn") == ["minmax,fill-knn"]
    assert prepares(database, preparations=["unit-rows", "fill-knn"]) == ["fill-knn", "unit-rows"]


def test_scores_of_a_run_are_filtered_likewise(database: Path) -> None:
    frame = mvarena.Results(database).scores
    preparations = ["unit-rows", ["unit-rows", "fill-knn"]]
    for words in [{"fillings": "mean"}, {"fillings": "none"}, *({"preparations": one} for one in preparations)]:
        chosen = mvarena.Results(frame).where(**words).scores
        assert sorted(chosen["prepare"].unique()) == prepares(database, **words)


def test_unknown_ones_say_what_there_is(database: Path) -> None:
    with pytest.raises(UnknownName, match="Stored are knn, mean, none"):
        prepares(database, fillings="means")
    result = CliRunner().invoke(cli, ["results", "list", "--db", str(database), "--fill", "medians"])
    assert "No stored filling matches 'medians'" in str(result.exception)


def test_a_report_shows_one_of_them_and_says_which(database: Path, tmp_path: Path) -> None:
    arguments = ["report", "--db", str(database), "--out", str(tmp_path), "--table", "results"]
    shown = CliRunner().invoke(cli, arguments)
    assert shown.exit_code == 0, shown.output
    assert "Also stored" in shown.output
    chosen = CliRunner().invoke(cli, [*arguments, "--scale", "minmax", "--fill", "mean"])
    assert "Also stored" not in chosen.output
