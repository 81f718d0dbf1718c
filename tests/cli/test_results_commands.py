"""`mvarena results`, `export` and `cite` as a user types them, with bad input too."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from command_line import called

from mvarena.store.frames import COLUMNS

RUN = ["run", "--no-controls", "--data", "toy-blobs", "--repeats", "2", "--restarts", "2"]


@pytest.fixture(autouse=True)
def _stored(results_of_run) -> None:
    results_of_run(*RUN[1:], "--algo", "toy-quick", "concat", "toy-raises")


def test_list_counts_what_there_is_and_filters(capsys):
    code, out, _ = called(capsys, "results", "list", "--by", "algo", "--json")
    rows = {row["algorithm"]: row for row in json.loads(out)}
    assert code == 0
    assert {name: (row["trials"], row["done"], row["failed"]) for name, row in rows.items()} == {
        "concat": (2, 2, 0), "toy-quick": (2, 2, 0), "toy-raises": (2, 0, 2)
    }  # fmt: skip
    out = called(capsys, "results", "list", "--trials", "--algo", "con*")[1]
    assert out.count("concat") == 2
    assert "2 trials in" in out


def test_show_and_failures_lead_from_a_number_to_its_trial(capsys):
    out = called(capsys, "results", "list", "--failures")[1]
    assert "toy-raises: FAILED, 2 trials on toy-blobs: ZeroDivisionError" in out
    key = out.split()[-1]
    shown = called(capsys, "results", "show", key)[1]
    assert "Traceback (most recent call last)" in shown
    assert "parameters: n_clusters=None, scale=1" in shown
    whole = json.loads(called(capsys, "results", "show", key, "--json")[1])
    assert (whole["status"], whole["attempts"][0]["number"]) == ("FAILED", 1)
    assert whole["code"]  # by which a failure can be stale, too
    code, _, err = called(capsys, "results", "show", "ffffffffffff")
    assert (code, "no trial whose key" in err) == (2, True)


def test_nothing_goes_without_a_look_at_it(capsys):
    for command in (["delete", "--status", "failed"], ["delete", "--all-but", "--status", "done"]):
        code, out, _ = called(capsys, "results", *command)
        assert code == 0
        assert "toy-raises on toy-blobs (protocol fair): 2 failed" in out
        assert "2 of 6 trials to delete, 4 stay.\nNothing was deleted; add --yes" in out
    assert called(capsys, "results", "delete")[0] == 2
    assert called(capsys, "results", "delete", "--yes")[0] == 2
    assert "Deleted" in called(capsys, "results", "delete", "--status", "failed", "--yes")[1]
    assert "4 trials in" in called(capsys, "results", "list")[1]
    assert "None of " in called(capsys, "results", "list", "--failures")[1]
    assert "is intact: 4 trials" in called(capsys, "results", "check")[1]
    assert "MB now" in called(capsys, "results", "vacuum")[1]


def test_an_interrupted_trial_is_no_failure(capsys):
    assert "interrupted" not in called(capsys, "results", "list")[1].splitlines()[0]
    with closing(sqlite3.connect("results.db")) as db, db:
        db.execute("UPDATE attempts SET status = 'INTERRUPTED' WHERE status = 'FAILED' AND id IN "
                   "(SELECT min(id) FROM attempts WHERE status = 'FAILED')")  # fmt: skip
    (row,) = json.loads(called(capsys, "results", "list", "--json")[1])
    assert [row[name] for name in ("done", "failed", "skipped", "interrupted")] == [4, 1, 0, 1]


def test_a_database_without_labels_reports_the_same_and_runs_nothing_again(capsys):
    scores = json.loads(called(capsys, "export", "--format", "json")[1])
    key = next(row["key"] for row in scores if row["status"] == "DONE")
    assert len(called(capsys, "results", "show", key, "--labels")[1].splitlines()) > 30
    assert re.search(r"MB now; \d+ unneeded rows were removed", called(capsys, "results", "vacuum", "--drop-labels")[1])
    assert json.loads(called(capsys, "export", "--format", "json")[1]) == scores
    assert "has no labels" in called(capsys, "results", "show", key, "--labels")[2]
    for words, says in (
        (["--out", "x.csv"], "with --labels"),
        (["--labels", "--json", "--out", "x.csv"], "without --json"),
    ):
        assert says in called(capsys, "results", "show", key, *words)[2]
    assert "mvarena run" in called(capsys, "results", "runs")[1], "by which arena releases know what belongs to them"
    assert "is intact: 6 trials" in called(capsys, "results", "check")[1]


def test_runs_are_listed_and_a_trial_names_those_that_asked_for_it(capsys):
    code, out, _ = called(capsys, "results", "runs")
    assert code == 0
    command = " ".join(["mvarena", *RUN, "--algo toy-quick concat toy-raises --db "])
    (line,) = [line for line in out.splitlines() if command in line]
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d +[\d.]+ s +6 +done +mvarena run", line)
    key = json.loads(called(capsys, "results", "list", "--trials", "--json")[1])[0]["key"]
    shown = called(capsys, "results", "show", key)[1]
    assert re.search(rf"requested by:\n  [\d: -]+ UTC, done: {re.escape(command)}.*results\.db\n", shown)
    assert called(capsys, "results", "delete", "--algo", "*", "--yes")[0] == 0
    assert "holds no runs" in called(capsys, "results", "runs")[1]
    assert json.loads(called(capsys, "results", "runs", "--json")[1]) == []
    assert "no results database at" in called(capsys, "results", "runs", "--db", "none.db")[2]


def test_merge_into_a_new_database_and_again(capsys):
    code, _, err = called(capsys, "results", "merge", "results.db", "nope.db", "--db", "all.db")
    assert (code, "nope.db" in err, Path("all.db").exists()) == (2, True, False), "what is refused leaves none"
    out = called(capsys, "results", "merge", "results.db", "--db", "all.db")[1]
    assert "6 trials added" in out
    assert "; 1 runs added." in out
    assert "0 trials added" in called(capsys, "results", "merge", "results.db", "--db", "all.db")[1]
    assert called(capsys, "results", "mrege")[2].startswith("Error: There is no command of results called 'mrege'. Did")


def test_export_in_each_form_has_every_column_and_every_trial(capsys):
    assert called(capsys, "export", "--out", "long.csv")[0] == 0
    long = pd.read_csv("long.csv")
    assert tuple(long.columns) == COLUMNS
    assert set(long["status"]) == {"DONE", "FAILED"}
    assert long.loc[long["status"] == "FAILED", "reason"].str.startswith("ZeroDivisionError").all()
    assert called(capsys, "export", "--form", "wide", "--out", "wide.json")[0] == 0
    wide = pd.read_json("wide.json")
    assert len(wide) == 4 + 2
    acc = long[long["metric"] == "acc"].set_index("key")["value"]
    assert wide.set_index("key")["acc"].dropna().to_dict() == pytest.approx(acc.to_dict())
    assert not long.duplicated(["key", "metric"]).any()
    assert long.loc[long["metric"] == "acc", "restarts"].eq(2).all()
    assert called(capsys, "export", "--form", "summary", "--out", "summary.csv")[0] == 0
    summary = pd.read_csv("summary.csv")
    assert set(summary["contestant"]) == {"toy-quick", "concat", "toy-raises"}
    assert not summary.duplicated(["contestant", "metric"]).any()
    lines = called(capsys, "export", "--format", "jsonl", "--algo", "toy-raises")[1].splitlines()
    assert [json.loads(line)["status"] for line in lines] == ["FAILED", "FAILED"]


def test_export_to_where_no_file_can_be(capsys):
    for words, says in (
        ([os.fsdecode(b"no\xff/x.csv")], "does not exist; make it first"),
        (["x.xls"], "must end in one of .csv"),
        ([os.curdir], "is a folder; name a file in it"),
        (["results.db", "--format", "csv"], "results.db is the database that is read; name another file with --out."),
    ):
        code, _, err = called(capsys, "export", "--out", *words)
        assert (code, says in err) == (2, True)
    odd = os.fsdecode(b"odd\xff.csv")
    assert called(capsys, "export", "--out", odd)[0] == 0
    assert Path(odd).is_file()


def test_cite_what_is_stored_or_named(capsys):
    code, out, _ = called(capsys, "cite")
    assert code == 0
    assert "% concat\n@article{lloyd1982least," in out
    assert "@misc{toy-blobs," in out
    assert "Version" in out
    assert "guo2019anchors" in called(capsys, "cite", "apmc")[1]
    assert called(capsys, "cite", "apmc", "--algo", "concat")[0] == 2


@pytest.mark.slow
def test_files_go_by_a_short_name_and_no_folder_but_those_that_were_typed_is_stored(capsys, tmp_path):
    (tmp_path / "secret").mkdir()
    rng = np.random.default_rng(0)
    np.savez("secret/faces.npz", X1=rng.random((20, 3)), X2=rng.random((20, 2)), y=np.arange(20) % 2)
    run = ["run", "--algo", "concat", "toy-raises", "--data", "secret/faces.npz", "--repeats", "1", "--restarts", "1"]
    run += ["--no-controls"]
    assert "faces" in called(capsys, *run)[1]
    assert "2 trials" in called(capsys, "results", "list", "--data", "faces")[1]
    assert "1 trials scored" in called(capsys, "score", "--metric", "silhouette-views", "--data", "faces")[1]
    assert bytes(tmp_path) not in Path("results.db").read_bytes()
    with sqlite3.connect("results.db") as connection:
        stored = connection.execute("SELECT name, json FROM sources").fetchall()
        stored += connection.execute("SELECT text FROM texts").fetchall()
    connection.close()
    assert "secret" not in str(stored)
