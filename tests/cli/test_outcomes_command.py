"""Outcomes on the command line: a run by a file, stored labels scored later, the figure, and a saved study."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pandas as pd
import pytest
from patients import write_patients

import mvarena
from mvarena.cli.main import main

RUN = ["run", "--algo", "concat", "--data", "rna.csv,protein.csv", "--clusters", "3", "--corrupt", "none"]
SMALL = ["--repeats", "1", "--restarts", "2", "--jobs", "1"]
OUTCOMES = ["--outcomes", "clinic.csv", "--time", "days", "--event", "death"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two views of 60 patients in three groups, and how long they live."""
    monkeypatch.chdir(tmp_path)
    write_patients(tmp_path, 60, rna=5, protein=4)
    return tmp_path


def test_a_run_says_what_is_known_and_shows_scores_by_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([*RUN, *SMALL, *OUTCOMES])
    printed = capsys.readouterr()
    assert "rna+protein: outcomes: survival of 60 samples (" in printed.err
    assert "1 column (age)" in printed.err
    (row,) = [line.split() for line in printed.out.splitlines() if line.startswith("concat")]
    assert float(row[1]) < 0.01
    assert row[2] == row[1], "no cluster has fewer than five samples"
    assert row[3] == "1"
    main(["report", "--figure", "survival"])
    (path,) = Path().glob("mvarena-report/figure-survival*.csv")
    points = pd.read_csv(path)
    first = points.drop_duplicates("cluster")
    assert first["n"].sum() == 60
    # the cluster that stands first is that of the samples who live longest
    assert points.loc[points["cluster"] == first["cluster"].iloc[0], "time"].max() > 200


def test_inspection_says_what_is_known_of_the_samples(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["data", "inspect", "rna.csv,protein.csv", *OUTCOMES])
    assert "\n  outcomes: survival of 60 samples (" in capsys.readouterr().out
    main(["data", "inspect", "rna.csv,protein.csv", "--outcomes", "clinic.csv"])
    assert "--time days --event death compares the survival" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["data", "inspect", "rna.csv,protein.csv", "--time", "days"])
    assert "name that file, too (--outcomes)" in capsys.readouterr().err


def test_labels_are_scored_later_by_the_same_numbers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([*RUN, *SMALL, *OUTCOMES, "--json", "--db", "once.db"])
    capsys.readouterr()
    main([*RUN, *SMALL])
    capsys.readouterr()
    main(["score", "--metric", "log-rank-p", "enriched"])
    assert "could not be" in capsys.readouterr().out
    main(["score", "--metric", "log-rank-p", "enriched", *OUTCOMES])
    printed = capsys.readouterr().out
    assert "log-rank-p: 2 trials scored, 1 could not be scored." in printed  # one cluster for all has no p-value
    at_once, later = (
        mvarena.Results(name).scores.query("metric == 'log-rank-p'").sort_values("key")["value"]
        for name in ("once.db", "results.db")
    )
    assert later.tolist() == at_once.tolist()
    assert len(later) > 0
    main(["report"])
    assert Path("mvarena-report/figure-survival.png").is_file()


def test_python_takes_the_same_file(folder: Path) -> None:
    more = {"n_clusters": 3, "corruptions": "none", "repeats": 1, "restarts": 2, "jobs": 1, "outcomes": "clinic.csv"}
    scores = mvarena.run("concat", "rna.csv,protein.csv", time="days", event="death", **more).scores
    assert {"log-rank", "log-rank-p", "enriched", "enrichment-p"} <= set(scores["metric"])
    with pytest.raises(mvarena.errors.InvalidSetting, match="name the event, too"):
        mvarena.run("concat", "rna.csv,protein.csv", time="days", **more)


def test_a_saved_study_names_the_file_from_its_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "studies").mkdir()
    main([*RUN, *SMALL, *OUTCOMES, "--save", "studies/study.toml", "--dry-run"])
    saved = tomllib.loads(Path("studies/study.toml").read_text("utf-8"))
    assert (saved["outcomes"], saved["time"], saved["event"]) == ("../clinic.csv", "days", "death")
    capsys.readouterr()
    main(["run", "studies/study.toml", "--json"])
    assert "log-rank" in {row["metric"] for row in json.loads(capsys.readouterr().out)}


def test_a_metric_by_outcomes_without_any_is_announced(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([*RUN, *SMALL, "--metric", "log-rank"])
    printed = capsys.readouterr()
    assert "The data have no outcomes, so log-rank cannot be computed" in printed.err
    assert "not scored" in printed.out
