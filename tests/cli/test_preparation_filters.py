"""--fill and --scale select stored trials on the command line."""

from __future__ import annotations

from pathlib import Path

from command_line import called


def test_a_report_shows_one_preparation_and_says_which(capsys, results_of_run) -> None:
    run = ["--algo", "concat", "--data", "synthetic-apmc", "--rates", "0.3", "--repeats", "1", "--restarts", "1"]
    results_of_run(*run, "--no-controls", "--fill", "knn", "mean", "--scale", "none", "minmax")
    assert "No stored filling matches 'medians'" in called(capsys, "results", "list", "--fill", "medians")[2]
    shown = ["report", "--table", "results", "--out", "out"]
    code, out, err = called(capsys, *shown)
    assert code == 0, err
    assert "Also stored" in out
    assert "Also stored" not in called(capsys, *shown, "--scale", "minmax", "--fill", "mean")[1]
    assert Path("out").is_dir()
