"""`mvarena pick` on results of the command line itself."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest
from command_line import called


@pytest.fixture
def results(results_of_run):
    run = ["--algo", "toy-quick", "--data", "toy-blobs", "--repeats", "2", "--restarts", "2"]
    results_of_run(*run, "--param", "toy-quick.scale=0.5,1,2")


@pytest.mark.slow
def test_every_picker_has_a_line_and_ground_truth_is_marked(capsys, results):
    code, out, _ = called(capsys, "pick")
    assert code == 0
    overall = out.partition("\n\n")[0]
    assert "ACC regret" in overall
    lines = {line.split()[0]: line.rstrip() for line in overall.splitlines()[3:]}
    assert set(lines) == {"centrality", "consensus", "default", "oracle", "random", "silhouette-views", "stability"}
    assert [name for name, line in lines.items() if " * " in line] == ["oracle"]
    assert "* chosen by ground truth" in out
    assert "silhouette-views needs scores that are not stored: run 'mvarena score --metric silhouette-views'." in out
    assert "/" not in lines["centrality"]
    assert lines["silhouette-views"].endswith("– (0/2)")


def test_a_metric_that_a_picker_goes_by_can_be_added_later(capsys, results):
    assert called(capsys, "score", "--metric", "silhouette-views")[0] == 0
    out = called(capsys, "pick", "--pick", "silhouette-views", "--metric", "ari")[1]
    assert "not stored" not in out
    assert "/2)" not in out
    assert "chosen by ground truth" not in out
    assert "ARI regret" in out


def test_json_has_a_row_for_each_point_picker_and_metric(capsys, results):
    rows = json.loads(called(capsys, "pick", "--pick", "oracle", "random", "--metric", "acc", "--json")[1])
    assert [(row["picker"], row["repeat"], row["by_labels"]) for row in rows] == [
        (name, repeat, name == "oracle") for repeat in (0, 1) for name in ("oracle", "random")
    ]
    assert all(row["n_candidates"] == 3 for row in rows)


def test_nothing_to_choose_from_is_said(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert called(capsys, "run", "--algo", "toy-quick", "--data", "toy-blobs", "--repeats", "1")[0] == 0
    code, out, err = called(capsys, "pick")
    assert (code, out) == (2, "")
    assert "no data set has two results to choose from" in err
    assert called(capsys, "pick", "--pick", "centralty")[2].startswith("Error: There is no picker called")


MINE = """
import numpy as np

class Mine:
    def __init__(self, n_clusters=2, shift=1, words=("a", "b")):
        self.n_clusters, self.shift, self.words = n_clusters, shift, words

    def fit_predict(self, X):
        return (np.arange(len(X)) + self.shift) // 3 % self.n_clusters
"""


@pytest.mark.slow
def test_the_defaults_of_a_class_in_a_file_are_known_where_the_file_is_not(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    run = ["run", "--algo", "mine.py", "--data", "toy-blobs", "--repeats", "2", "--restarts", "1", "--no-controls"]
    code, _, err = called(capsys, *run, "--param", "mine.shift=0,1,2", "--clusters", "3")
    assert code == 0, err
    (tmp_path / "mine.py").unlink()
    rows = json.loads(called(capsys, "pick", "--pick", "default", "--metric", "acc", "--json")[1])
    assert [row["choice"] for row in rows] == ["shift=1"] * 2
    assert called(capsys, "report", "--choose", "default", "--table", "results")[1].count("shift=1 (2)") == 1


def test_a_database_without_labels_says_so(capsys, results):
    with closing(sqlite3.connect("results.db")) as db, db:
        db.execute("DELETE FROM labellings")
    for words in (["pick"], ["report", "--choose", "centrality"]):
        code, _, err = called(capsys, *words)
        assert (code, err.startswith("Error: no labels are stored of these results")) == (2, True)
    assert "with stored labels" in called(capsys, "report", "--table", "regret")[2]
