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


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["concat", "toy-quick"], "one of them: 'toy-quick (scale=0.5)', 'toy-quick (scale=2.0)'"),
        (["concet", "toy-quick"], "Did you mean concat?"),
        (["concat@1", "concat@7"], "concat@1"),
        (["results.db", "concat"], "two databases or two contestants"),
        (["concat", "toy-quick", "--data", "nothing"], "there are no results to compare"),
        (["results.db", "results.db", "--fail-if-worse", "nan"], "nan is no number of points"),
    ],
)
def test_what_cannot_be_compared_is_said(capsys, results, words, says):
    code, _, error = called(capsys, "compare", *words)
    assert (code, says in error) == (2, True), error


def test_two_databases_and_sides_of_one_name(capsys, results, monkeypatch):
    Path("other").mkdir()
    shutil.copy("results.db", "other/results.db")
    out = called(capsys, "compare", "results.db", "other/results.db")[1]
    assert "results.db -> other/results.db" in out
    assert "B is +0.00 on average" in out
    assert (out.count("equal gains"), "+0.00 to +0.00" in out) == (3, False), "no interval is drawn where none is"
    rows = json.loads(called(capsys, "compare", "results.db", "results.db", "--json")[1])
    assert {row["subject"] for row in rows} == {"concat", "toy-quick (scale=0.5)", "toy-quick (scale=2.0)"}
    assert {row["verdict"] for row in rows} == {"same"}
    monkeypatch.setattr("mvarena.cli.compare._scores", lambda _, *more: _scores("results.db", *more))
    out = called(capsys, "compare", "postgresql://me:secret@host/a", "postgresql://me:secret@host/b")[1]
    assert ("postgresql://me@host/a" in out, "secret" in out) == (True, False)


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
