"""`mvarena report`: kinds of figures and tables, formats, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest
from command_line import called

from mvarena.errors import DataUnavailable
from mvarena.report.exports import exported


@pytest.fixture
def results(results_of_run):
    run = ["--algo", "toy-quick", "--data", "toy-blobs", "--repeats", "2", "--restarts", "2", "--no-controls"]
    results_of_run(*run, "--param", "toy-quick.scale=0.5,1,2", "--rates", "0.1,0.3")


def files(folder: str) -> set[str]:
    return {path.name for path in Path(folder).iterdir()}


def test_named_kinds_are_written_alone_in_the_formats_asked_for(capsys, results):
    code, out, err = called(capsys, "report", "--figure", "sensitivity", "--format", "svg", "pdf", "--out", "a")
    assert code == 0, err
    stem = "figure-sensitivity-toy-quick-scale"
    assert files("a") == {f"{stem}.{end}" for end in ("svg", "pdf", "csv", "md", "tex")}
    assert "method" not in out
    assert called(capsys, "report", "--table", "costs", "--format", "tex,csv", "--out", "t")[0] == 0
    assert files("t") == {"table-costs.csv", "table-costs.tex"}
    code, out, _ = called(capsys, "report", "--table", "results", "regret", "--out", "b")
    assert code == 0
    assert {"table-regret.md", "table-regret.tex", "table-results-toy-blobs-missing-even-acc.md"} <= files("b")
    assert not any(name.startswith("figure") for name in files("b"))
    assert "Choosing without labels" in out


@pytest.mark.slow
def test_by_default_a_page_is_written_and_all_on_request(capsys, results):
    code, out, _ = called(capsys, "report")
    assert code == 0
    written = files("mvarena-report")
    assert f"Report: {Path('mvarena-report/index.md')} ({len(written)} files)" in out
    assert len(written) <= 12
    page = Path("mvarena-report/index.md").read_text()
    assert all((Path("mvarena-report") / image).is_file() for image in re.findall(r"\]\((.*?)\)", page))
    forms = ["--format", "png", "md", "tex", "csv"]
    code, out, _ = called(capsys, "report", "--table", "all", "--figure", "all", *forms, "--out", "all")
    assert (code, f"({len(files('all'))} files) into all" in out) == (0, True)
    assert {"table-regret.md", "figure-rate-acc.png", "table-costs.csv", "table-costs.tex"} <= files("all")
    assert "Scaling auto." in Path("all/table-results-toy-blobs-missing-even-acc.md").read_text()
    rates = pd.read_csv("all/achieved-rates.csv")
    assert (rates["missing a"] + rates["missing b"]).tolist() == pytest.approx(rates["rate"].tolist())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--figure", "sensitivty"], "There is no kind of figure called 'sensitivty'. Did you mean sensitivity"),
        (["--format", "pfd"], "There is no format called 'pfd'. Did you mean pdf"),
        (["--figure", "heatmap"], "nothing to show in the figure 'heatmap'; it needs two methods or more"),
        (["--highlight", "toy-quik"], "no method in these results called 'toy-quik'. Did you mean toy-quick"),
        (["--against", "concat", "--html", "site"], "--against applies to tables and figures"),
        (["--html", "site", "-v"], "-v applies to tables and figures"),
        (["--choose", "default", "--html", "site"], "--choose applies to tables and figures"),
        (["--figure", "embedding"], r"the figure 'embedding' shows one trial; name its key, .* with --trial"),
        (["--figure", "rate", "--trial", "abcdef"], "--trial is for the figure embedding"),
        (["--figure", "embedding", "--trial", "ffff0000ffff"], "no trial whose key begins with 'ffff0000ffff'"),
        (
            ["--choose", "silhouette-views"],
            "no answer .* 'mvarena score --metric silhouette-views' computes .*--choose",
        ),
        (["--choose", "oracle"], "oracle uses the classes"),
        (["--choose", "consensus"], "consensus makes labels of its own"),
        (["--choose", "centralty"], "no picker called 'centralty'. Did you mean centrality"),
        (["--pick", "mean"], "No such option"),
    ],
)
def test_what_cannot_be_shown_is_one_sentence_and_nothing_is_written(capsys, results, words, said):
    code, _, complaint = called(capsys, "report", *words)
    assert code == 2
    assert re.search(said, complaint)
    assert "Traceback" not in complaint
    assert [path.name for path in Path().rglob("*") if path.is_file()] == ["results.db"]


def test_a_kind_with_nothing_to_show_is_skipped_where_another_has_something(capsys, results):
    words = ["--figure", "heatmap", "rate", "--table", "ranks", "costs", "--out", "s"]
    code, _, err = called(capsys, "report", *words)
    assert code == 0, err
    assert "Skipped: there is nothing to show in the figure 'heatmap'; it needs two methods or more" in err
    assert err.count("Skipped") == 2
    assert "the table 'ranks'" in err
    assert {"figure-rate-acc.png", "table-costs.csv"} <= files("s")
    assert not any("heatmap" in name or "ranks" in name for name in files("s"))


def test_figures_on_request_load_the_data_and_run_a_trial_again(capsys, results):
    keys = re.findall(r"^[0-9a-f]{8}", called(capsys, "results", "list", "--trials")[1], re.MULTILINE)
    code, out, err = called(capsys, "report", "--figure", "missing", "embedding", "--trial", keys[0])
    assert (code, err) == (0, "")
    assert {"figure-missing-toy-blobs-missing-even.png", f"figure-embedding-{keys[0]}.svg"} <= files("mvarena-report")
    assert f"figure-embedding-{keys[0]}.csv" in out
    assert not any("missing" in name for name in files("mvarena-report") if name.startswith("table"))


def test_one_method_under_one_condition_draws_its_embedding_where_its_data_are_there(
    capsys, results_of_run, monkeypatch
):
    results_of_run("--algo", "toy-quick", "--data", "toy-blobs", "--repeats", "2", "--restarts", "2", "--rates", "0.1")
    code, _, err = called(capsys, "report", "--out", "a")
    assert (code, err) == (0, "")
    assert {"figure-bars.png", "figure-embedding.png"} <= files("a")
    assert "## Embedding\n\n![toy-quick on" in Path("a/index.md").read_text()

    def gone(*_: object) -> None:
        raise DataUnavailable("The files of 'toy-blobs' are not available.")

    monkeypatch.setattr("mvarena.engine.replay.located", gone)
    code, _, err = called(capsys, "report", "--out", "b")
    assert (code, err) == (0, "Embedding not drawn: The files of 'toy-blobs' are not available.\n")
    assert "figure-bars.png" in files("b")
    assert "figure-embedding.png" not in files("b")


def test_an_export_runs_nothing_in_a_spreadsheet():
    frame = pd.DataFrame({"dataset": ["=cmd()", "x"], "value": [-1.5, 2.0], "reason": ["@SUM(1)", None]})
    lines = exported(frame, "csv").decode().splitlines()
    assert lines == ["dataset,value,reason", "'=cmd(),-1.5,'@SUM(1)", "x,2.0,"]
    assert '"=cmd()"' in exported(frame, "json").decode()


def test_a_picker_chooses_among_the_values_of_a_parameter(capsys, results):
    code, out, err = called(capsys, "report", "--choose", "centrality", "--table", "results", "--out", "c")
    assert code == 0, err
    assert "toy-quick (chosen by centrality)" in out
    assert "scale=" not in out.partition("Chosen by")[0]
    assert re.search(r"Chosen by centrality for toy-quick, of 4 times: (scale=[\d.]+ \(\d\)(, | and |\.))+", out)
    rows = json.loads(called(capsys, "pick", "--pick", "centrality", "--metric", "acc", "--json")[1])
    table = pd.read_csv("c/table-results-toy-blobs-missing-even-acc.csv")
    assert set(table["contestant"]) == {"toy-quick (chosen by centrality)"}
    for rate, part in table.groupby("rate"):
        picked = [row["score"] for row in rows if row["rate"] == rate]
        assert part["mean"].iloc[0] == pytest.approx(sum(picked) / len(picked)), "the mean of what mvarena pick picks"


def test_a_report_shows_one_preparation_and_says_which(capsys, results_of_run):
    run = ["--algo", "concat", "--data", "synthetic-apmc", "--rates", "0.3", "--repeats", "1", "--restarts", "1"]
    results_of_run(*run, "--no-controls", "--fill", "knn", "mean", "--scale", "none", "minmax")
    assert "No stored filling matches 'medians'" in called(capsys, "results", "list", "--fill", "medians")[2]
    shown = ["report", "--table", "results", "--out", "out"]
    code, out, err = called(capsys, *shown)
    assert code == 0, err
    assert "Also stored" in out
    assert "Also stored" not in called(capsys, *shown, "--scale", "minmax", "--fill", "mean")[1]
    assert "no method has several values of a parameter" in called(capsys, "report", "--choose", "default")[2]
