"""Studies at the command line: run, planned, saved, watched; and what a shell completes."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

import pandas as pd
import pytest
from command_line import called

import mvarena
from mvarena.analysis.estimates import Forecast, Guess
from mvarena.cli import progress
from mvarena.cli.preview import expected
from mvarena.errors import MvarenaError

STUDY = """
title = "Two runs"
data = "toy-blobs"
repeats = 2
restarts = 2
controls = false
[[run]]
algo = "toy-quick"
param.toy-quick.scale = [1.0, 2.0]
[[run]]
algo = ["toy-quick", "toy-picky"]
corrupt = "none"
"""


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MVARENA_DB", raising=False)
    Path("study.toml").write_text(STUDY)


def test_a_study_is_run_and_its_trials_are_stored(capsys):
    code, out, err = called(capsys, "run", "study.toml")
    assert code == 0, err
    assert "Ran 8 trials (6 done, 2 skipped)" in out
    assert err.startswith(
        "8 trials: 2 methods, 3 parameter settings, 1 data set, 2 conditions, 2 repeats.\nTo run: 8 trials. Results: "
    )
    again = called(capsys, "run", "study.toml")[1]
    assert "Ran 0 trials; 8 were stored already" in again


@pytest.mark.slow
def test_what_was_typed_is_kept_with_the_study_that_it_names(capsys, tmp_path):
    words = ["run", f"{tmp_path}/study.toml", "--seed", "3", "--db", f"{tmp_path}/results.db", "--algo", "toy-quick"]
    assert called(capsys, *words)[0] == 0
    mvarena.run("study.toml", db="results.db", seed=3, jobs=1)
    mvarena.run("toy-quick", "toy-blobs", db="results.db", jobs=1)
    found = json.loads(called(capsys, "results", "runs", "--json")[1])
    typed, of_file, of_python = found
    assert typed["command"] == "mvarena run study.toml --seed 3 --db results.db --algo toy-quick"
    assert tomllib.loads(typed["study"]) == tomllib.loads(STUDY) == tomllib.loads(of_file["study"])
    assert of_file["command"] == of_python["command"] == "mvarena.run from Python"
    assert of_python["study"] is None
    assert [one["how"] for one in found] == ["done"] * 3
    assert typed["began"] <= typed["ended"] <= of_file["began"]
    assert (typed["mvarena"], typed["environment"]["mvarena"]) == (mvarena.__version__,) * 2
    assert str(tmp_path).encode() not in Path("results.db").read_bytes()


def test_a_run_that_is_stopped_says_so_and_a_plan_that_is_refused_leaves_none(capsys, monkeypatch):
    assert called(capsys, "run", "--algo", "toy-quick", "--data", "toy-blobs", "--restarts", "0")[0] == 2
    assert called(capsys, "run", "study.toml", "--dry-run")[0] == 0
    monkeypatch.setattr("mvarena.engine.conductor.Conductor._step", _pressed)
    assert called(capsys, "run", "study.toml")[0] == 130
    out = called(capsys, "results", "runs")[1]
    assert re.search(r"interrupted +mvarena run study.toml", out)
    assert "1 run in " in out


def _pressed(self) -> None:
    raise KeyboardInterrupt


def test_a_plan_runs_nothing_and_says_what_a_run_would_do(capsys):
    code, out, _ = called(capsys, "run", "study.toml", "--dry-run")
    assert code == 0
    assert not Path("results.db").exists()
    assert "To run: 8 trials." in out
    assert "Skipped: 2: toy-picky cannot take toy-blobs" in out
    assert "Expected" not in out
    picky = ["run", "--dry-run", "--algo", "toy-picky", "--data", "toy-blobs", "toy-plain", "--clusters", "3"]
    assert " And 5 for 1 other reason. (-v shows more)" in called(capsys, *picky, "--no-controls")[1]
    called(capsys, "run", "study.toml", "--algo", "toy-quick")
    code, out, _ = called(capsys, "run", "study.toml", "--repeats", "4", "--dry-run")
    assert code == 0
    assert "Stored in results.db: 6 (6 done)." in out
    assert "To run: 10 trials." in out
    assert re.search(
        r"Expected: (roughly )?[\d.]+ s without the methods named below with [12] workers?.*, from trials stored on",
        out,
    )
    assert "Time unknown: toy-picky (4 trials)." in out


def test_studies_are_listed_and_shown(capsys):
    assert "quick" in called(capsys, "list", "studies")[1]
    code, out, _ = called(capsys, "show", "quick")
    assert code == 0
    assert 'data = "digits[fou,fac]"' in out


def test_the_time_left_is_scaled_by_what_was_measured():
    left = progress.TimeLeft({"a": 10.0, "b": 20.0, "c": None}, jobs=2)
    assert left.seconds(0.0) == pytest.approx((10 + 20 + 15) / 2)
    left.end("a")
    left.end("stored")
    assert left.seconds(4.0) == pytest.approx(4.0 * 35 / 10)
    left.end("b")
    left.end("c")
    assert left.seconds(9.0) is None
    assert progress.TimeLeft({"a": None}, jobs=1).seconds(3.0) is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--algo", "--data", "toy-blobs"], "Option '--algo' needs a value"),
        (["study.toml", "--protocol", "--seed", "1"], "Option '--protocol' needs a value"),
        ([], "Missing option '--algo'"),
        (["--algo", "toy-quick"], "Missing option '--data'"),
        (["--algo", "study.toml", "--data", "toy-blobs"], "mvarena run study.toml"),
    ],
)
def test_a_run_that_lacks_a_word_says_which(capsys, words, says):
    code, out, err = called(capsys, "run", *words)
    assert (code, says in err, out) == (2, True, ""), err


def test_a_log_without_a_terminal_gets_lines_and_quiet_none(capsys, monkeypatch):
    monkeypatch.setattr(progress, "_EVERY_S", 0.0)
    _, _, err = called(capsys, "run", "study.toml")
    assert re.search(r"\d\d:\d\d  \[\d/8\] toy-\w+, toy-blobs.*, [\d.]+ s left", err)
    code, out, err = called(capsys, "run", "study.toml", "-q", "--seed", "1", "--algo", "toy-quick")
    assert (code, err) == (0, "")
    assert "Ran 6 trials" in out
    _, _, err = called(capsys, "run", "study.toml", "-v", "--seed", "2")
    assert len(re.findall(r"^DONE: toy-quick on toy-blobs", err, re.MULTILINE)) == 6


@pytest.mark.parametrize(
    ("line", "among"),
    [
        ("mvarena run --algo mkk", "mkkm-zf"),
        ("mvarena run --algo apmc mkk", "mkkm-zf"),
        ("mvarena run qui", "quick"),
        ("mvarena run --data digits web", "webkb-texas"),
        ("mvarena run quick --param mic.be", "mic.beta="),
    ],
)
def test_a_shell_completes_names(capsys, monkeypatch, line, among):
    typed = {"_MVARENA_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    for name, value in typed.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.argv", ["mvarena"])
    monkeypatch.setattr(sys.modules["__main__"], "__package__", None)  # by which click knows the program
    found = [row.partition(",")[2] for row in called(capsys)[1].splitlines() if row.startswith("plain,")]
    assert among in found
    assert all(name.startswith(line.rpartition(" ")[2]) for name in found)


# from Python --------------------------------------------------------------------------------------------------


def test_a_study_file_runs_from_python_and_is_overridden_there():
    scores = mvarena.run("study.toml", repeats=1).scores
    assert scores["key"].nunique() == 4
    assert set(scores["repeat"]) == {0}
    with pytest.raises(TypeError, match="unexpected keyword argument 'repeat'"):
        mvarena.run("study.toml", repeat=1)
    with pytest.raises(MvarenaError, match="name the data, as in run"):
        mvarena.run(["toy-quick"])


@pytest.mark.slow
def test_the_parts_of_a_study_merged_are_the_whole(capsys):
    words = ["study.toml", "--repeats", "3"]
    assert called(capsys, "run", *words, "--db", "whole.db")[0] == 0
    planned = []
    for index in (1, 2, 3):
        found = json.loads(called(capsys, "run", "--dry-run", *words, "--shard", f"{index}/3", "--json")[1])
        planned += found["keys"]
        code, out, err = called(capsys, "run", *words, "--shard", f"{index}/3", "--db", f"part-{index}.db")
        assert code == 0, err
        assert f"Ran {found['trials']} trials" in out
    code, out, _ = called(capsys, "results", "merge", "part-1.db", "part-2.db", "part-3.db")
    assert (code, out.count(" trials added")) == (0, 3)
    merged, whole = (mvarena.Results(path).scores for path in ("results.db", "whole.db"))
    assert set(merged["key"]) == set(whole["key"]) == set(planned)
    scores = ["key", "metric", "value", "spread"]
    one, other = (frame[scores].sort_values(scores[:2], ignore_index=True) for frame in (merged, whole))
    pd.testing.assert_frame_equal(one, other, check_exact=True)
    assert "Ran 0 trials; 12 were stored already" in called(capsys, "run", *words)[1]


def test_a_part_without_a_trial_is_no_error(capsys):
    words = ["run", "--algo", "toy-quick", "--data", "toy-blobs", "--repeats", "1", "--no-controls", "--restarts", "2"]
    said = [called(capsys, *words, "--shard", f"{index}/3", "--db", f"{index}.db") for index in (1, 2, 3)]
    assert [code for code, _, _ in said] == [0, 0, 0]
    without = ["There is nothing to run." in out for _, out, _ in said]
    assert without.count(True) == 2
    part = without.index(True) + 1
    assert json.loads(called(capsys, *words, "--shard", f"{part}/3", "--db", f"{part}.db", "--json")[1]) == []


def test_a_dry_run_saves_the_study_also_where_its_data_are_elsewhere(capsys, tmp_path, monkeypatch):
    words = ["run", "--algo", "toy-quick", "--repeats", "2", "--dry-run"]
    code, _, err = called(capsys, *words, "--data", "toy-blobs", "--save", "here.toml")
    assert (code, "The study is saved in here.toml." in err) == (0, True)
    code, _, err = called(capsys, *words, "--data", "toy-blobs", "--save", "here.toml")
    assert (code, "here.toml cannot be written: File exists" in err) == (2, True)
    code, _, err = called(capsys, "run", "study.toml", "--save", "two.toml")
    assert (code, "one was named; edit that file" in err, Path("two.toml").exists()) == (2, True, False)
    assert tomllib.loads(Path("here.toml").read_text()) == {"algo": "toy-quick", "data": "toy-blobs", "repeats": 2}
    monkeypatch.setenv("MVARENA_DATA", str(tmp_path))
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path))
    code, _, err = called(capsys, *words, "--data", "flower17", "--save", "there.toml")
    assert (code, "flower17" in err, Path("there.toml").exists()) == (2, True, True)
    assert called(capsys, *words, "--data", "toy-blobs", "--param", "toy-quick.x=1", "--save", "x.toml")[0] == 2
    assert not Path("x.toml").exists()


def test_an_expected_time_lies_within_its_interval():
    seconds = {"long": Guess(100.0, 1.5, "same data"), "short": Guess(1.0, 1.5, "same data")}
    (said,) = expected(Forecast(seconds, {}, {}), jobs=4)
    assert "Expected: 1 min 40 s with 4 workers (1 min 7 s to 2 min 30 s)" in said
