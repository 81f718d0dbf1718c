"""`mvarena report`: kinds of figures and tables, formats, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from mvarena.cli.main import main


def in_process(capsys, *arguments: str) -> tuple[int, str, str]:
    code = 0
    try:
        main(list(arguments))
    except SystemExit as ended:
        code = int(ended.code or 0)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def results(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = ["run", "--algo", "toy-quick", "--data", "toy-blobs", "--repeats", "2", "--restarts", "2", "--jobs", "1"]
    assert in_process(capsys, *run, "--param", "toy-quick.scale=0.5,1,2", "--rates", "0.1,0.3")[0] == 0


def files(folder: str) -> set[str]:
    return {path.name for path in Path(folder).iterdir()}


def test_named_kinds_are_written_alone_in_the_formats_asked_for(capsys, results):
    code, out, _ = in_process(capsys, "report", "--figure", "sensitivity", "--format", "svg", "pdf", "--out", "a")
    assert code == 0
    stem = "figure-sensitivity-toy-quick-scale"
    assert files("a") == {f"{stem}.svg", f"{stem}.pdf", f"{stem}.csv"}
    assert "method" not in out
    code, out, _ = in_process(capsys, "report", "--table", "aggregated", "regret", "--out", "b")
    assert code == 0
    assert {"regret.md", "regret.tex", "regret.csv", "table-aggregated-missing-even-acc.md"} <= files("b")
    assert not any(name.startswith("figure") for name in files("b"))
    assert "Choosing without labels" in out


def test_by_default_all_is_written_and_not_into_a_folder_called_reports(capsys, results):
    code = in_process(capsys, "report")[0]
    assert code == 0
    assert {"regret.md", "figure-by-rate.png", "figure-regret.svg", "table-time.csv"} <= files("mvarena-report")
    assert not Path("reports").exists()
    assert "auto (" in Path("mvarena-report/table-toy-blobs-missing-even-acc.md").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--figure", "sensitivty"], "There is no kind of figure called 'sensitivty'. Did you mean sensitivity"),
        (["--table", "rank"], "There is no kind of table called 'rank'. Did you mean ranks"),
        (["--format", "pfd"], "There is no format of figures called 'pfd'. Did you mean pdf"),
        (["--figure", "heatmap"], "nothing to show in the figure 'heatmap': it needs two methods or more"),
        (["--highlight", "toy-quik"], "no contestant in these results called 'toy-quik'. Did you mean toy-quick"),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(capsys, results, words, said):
    code, _, complaint = in_process(capsys, "report", *words, "--out", "out")
    assert code == 1
    assert said in complaint
    assert "Traceback" not in complaint
