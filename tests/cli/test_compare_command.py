"""`mvarena compare` on results of the command line itself."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from command_line import called

from mvarena.cli.compare import _scores
from mvarena.store.database import open_database
from mvarena.store.schema import scores


@pytest.fixture
def results(results_of_run):
    run = ["--algo", "toy-quick", "concat", "--data", "toy-blobs", "--repeats", "3", "--restarts", "2", "--no-controls"]
    results_of_run(*run, "--param", "toy-quick.scale=0.5,2")


def lowered(path: str, by: float) -> None:
    """Every score of a database, worse."""
    with open_database(path) as db, db.write() as connection:
        connection.execute(scores.update().values(value=scores.c.value - by))


def test_two_contestants(capsys, results):
    code, out, _ = called(capsys, "compare", "concat", "toy-quick (scale=2.0)")
    assert code == 0
    assert "NMI: concat -> toy-quick (scale=2.0)" in out
    assert "toy-blobs" in out
    assert "Over 1 data set toy-quick (scale=2.0) is" in out
    assert "Wilcoxon" not in out  # of a single corpus
    assert "on average (no interval: one corpus). Tests take 6 corpora or more." in " ".join(out.split())


def test_a_name_of_several_contestants_lists_them(capsys, results):
    code, _, error = called(capsys, "compare", "concat", "toy-quick")
    assert code == 2
    assert "matches 2 contestants; name one of them: 'toy-quick (scale=0.5)', 'toy-quick (scale=2.0)'" in error


def test_an_unknown_name_says_what_is_stored(capsys, results):
    assert "Did you mean concat?" in called(capsys, "compare", "concet", "toy-quick")[2]
    assert "concat@1" in called(capsys, "compare", "concat@1", "concat@7")[2]


def test_a_database_and_a_contestant_are_refused(capsys, results):
    code, _, error = called(capsys, "compare", "results.db", "concat")
    assert code == 2
    assert "two databases or two contestants" in error


def test_the_exit_code_is_for_ci(capsys, results):
    shutil.copy("results.db", "after.db")
    assert called(capsys, "compare", "results.db", "after.db", "--fail-if-worse", "0")[0] == 0
    lowered("after.db", 0.03)
    code, out, error = called(capsys, "compare", "results.db", "after.db", "--fail-if-worse", "2")
    assert code == 1
    assert out.count("worse") >= 3
    assert "Worse by more than 2, or unfinished, in 3 of 3 cases." in error
    assert called(capsys, "compare", "results.db", "after.db", "--fail-if-worse", "4")[0] == 0
    assert called(capsys, "compare", "after.db", "results.db", "--fail-if-worse", "0")[0] == 0


def test_trials_that_b_lacks_are_said_and_fail(capsys, results):
    shutil.copy("results.db", "part.db")
    assert called(capsys, "results", "delete", "--algo", "concat", "--yes", "--db", "part.db")[0] == 0
    code, _, error = called(capsys, "compare", "results.db", "part.db", "--fail-if-worse", "0")
    assert code == 1
    assert re.search(r"Of the trials that \S+ has done, \d+ are absent in \S+\.", error)
    assert called(capsys, "compare", "results.db", "part.db")[0] == 0
    assert called(capsys, "compare", "part.db", "results.db", "--fail-if-worse", "0")[0] == 0
    assert called(capsys, "compare", "results.db", "results.db", "--fail-if-worse", "nan")[0] == 2


def test_sides_of_one_name_are_a_and_b_and_no_password_is_printed(capsys, results, monkeypatch):
    Path("other").mkdir()
    shutil.copy("results.db", "other/results.db")
    out = called(capsys, "compare", "results.db", "other/results.db")[1]
    assert "results.db -> other/results.db" in out
    assert "B is +0.00 on average" in out
    monkeypatch.setattr("mvarena.cli.compare._scores", lambda _, *more: _scores("results.db", *more))
    out = called(capsys, "compare", "postgresql://me:secret@host/a", "postgresql://me:secret@host/b")[1]
    assert "postgresql://me@host/a" in out
    assert "secret" not in out


def test_json(capsys, results):
    rows = json.loads(called(capsys, "compare", "results.db", "results.db", "--json")[1])
    assert {row["subject"] for row in rows} == {"concat", "toy-quick (scale=0.5)", "toy-quick (scale=2.0)"}
    assert {row["verdict"] for row in rows} == {"same"}


def test_nothing_stored_is_a_sentence(capsys, results):
    code, _, error = called(capsys, "compare", "concat", "toy-quick", "--data", "nothing")
    assert code == 2
    assert "there are no results to compare" in error


def test_an_interval_that_cannot_be_had_is_named_and_not_drawn(capsys, results):
    out = called(capsys, "compare", "results.db", "results.db")[1]
    assert out.count("equal gains") == 3
    assert "+0.00 to +0.00" not in out
