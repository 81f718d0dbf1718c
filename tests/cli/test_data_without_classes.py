"""Every command over results on data without classes, and over a mixture: no traceback, and no word about classes."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from command_line import called
from patients import write_patients

from mvarena.cli.main import main

SMALL = ["--algo", "concat", "sc-concat", "--repeats", "2", "--restarts", "2", "--jobs", "1"]
UNLABELLED = ["--data", "a.csv,b.csv", "--clusters", "2:3"]
SURVIVAL = [*UNLABELLED[:2], "--clusters", "3", "--outcomes", "clinic.csv", "--time", "days", "--event", "death"]
LABELLED = ["--data", "labelled.npz", "--rates", "0.3"]
ONE, OTHER = "concat (n_clusters=2)", "sc-concat (n_clusters=2)"

# what none of the outputs may say where no data have classes
CLASSES = re.compile(r"\b(ACC|NMI|ARI|acc|nmi|ground truth|truth|classes|not scored)\b")

# command -> its arguments over results.db; {key}: a trial, {folder}: an empty folder
COMMANDS: dict[str, list[str]] = {
    "run": [*SMALL, *UNLABELLED],
    "cluster": ["a.csv,b.csv", "--algo", "concat", "--restarts", "2", "--clusters", "2:3"],
    "run --dry-run": [*SMALL, *UNLABELLED, "--dry-run"],
    "report": ["--out", "{folder}"],
    "report --html": ["--html", "{folder}"],
    "report --table": ["--table", "all", "--figure", "all", "--format", "svg", "md", "tex", "csv", "--out", "{folder}"],
    "report --choose": ["--choose", "silhouette-views", "--out", "{folder}"],
    "compare": [ONE, OTHER],
    "pick": [],
    "pick --across": ["--across"],
    "score": ["--metric", "silhouette-views", "silhouette", "stability"],
    "export": ["--out", "{folder}/scores.csv"],
    "export --form": ["--form", "wide", "--out", "{folder}/wide.csv"],
    "results list": [],
    "results list --trials": ["--trials"],
    "results show": ["{key}"],
    "results show --labels": ["{key}", "--labels"],
    "results merge": ["other.db"],
}
# those of which the words depend on what each data set has
OVER_A_MIXTURE = ("cluster", "report --html", "report --table", "report --choose", "pick", "pick --across", "score")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Kind -> a folder with results.db and other.db over data of that kind, and the data."""
    made = tmp_path_factory.mktemp("unlabelled")
    views = write_patients(made, 45, a=5, b=4)
    np.savez(made / "labelled.npz", a=views["a"] + 1.0, b=views["b"], labels=np.arange(45) % 3)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        patch.chdir(made)
        main(["run", *SMALL, *UNLABELLED])
        main(["run", *SMALL, *UNLABELLED[:2], "--clusters", "2", "--db", "other.db"])
        mixed = tmp_path_factory.mktemp("mixture")
        shutil.copytree(made, mixed, dirs_exist_ok=True)
        patch.chdir(mixed)
        main(["run", *SMALL, *LABELLED])
        main(["run", *SMALL, *LABELLED, "--clusters", "2"])
        main(["run", *SMALL, *SURVIVAL])
    return {"unlabelled": made, "mixture": mixed}.__getitem__


@pytest.fixture
def folder(stored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Changes to a copy of the folder of a kind."""

    def copied(kind: str) -> Path:
        shutil.copytree(stored(kind), tmp_path / kind)
        monkeypatch.chdir(tmp_path / kind)
        return tmp_path / kind

    return copied


def run_here(capsys: pytest.CaptureFixture[str], name: str) -> tuple[int, str]:
    """Exit code, and all that a command of COMMANDS prints and writes over results.db."""
    key = ""
    if "{key}" in COMMANDS[name]:
        rows = json.loads(called(capsys, "results", "list", "--trials", "--json", "--algo", "concat")[1])
        key = rows[0]["key"]
    arguments = [word.format(key=key, folder="out") for word in COMMANDS[name]]
    words = re.sub(r" --.*", "", name).split()
    Path("out").mkdir()
    code, out, err = called(capsys, *words, *arguments)
    texts = (".md", ".csv", ".tex", ".html", ".svg")
    files = [path for path in sorted(Path("out").rglob("*")) if path.suffix in texts or path.match("data/*.js")]
    return code, "\n".join([out, err, *(path.read_text(encoding="utf-8") for path in files)])


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_over_data_without_classes(name: str, folder, capsys: pytest.CaptureFixture[str]) -> None:
    folder("unlabelled")
    code, text = run_here(capsys, name)
    assert code == 0, text
    assert not CLASSES.findall(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", OVER_A_MIXTURE)
def test_a_command_over_a_mixture(name: str, folder, capsys: pytest.CaptureFixture[str]) -> None:
    folder("mixture")
    code, text = run_here(capsys, name)
    assert code == 0, text


@pytest.mark.slow
def test_each_data_set_of_a_mixture_is_shown_and_compared_by_what_it_has(
    folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder("mixture")
    text = called(capsys, "report")[1]
    tables = {part.split(",")[0].split()[-1]: part for part in text.split("\n\n") if "method " in part}
    assert "ACC" in tables["labelled"]
    assert "not scored" not in tables["labelled"]
    assert "ACC" not in tables["a+b"]
    assert "log-rank-p" in tables["a+b"]
    main(["report", "--metric", "stability", "enriched", "--data", "a+b", "--out", "out"])
    assert "‡" not in capsys.readouterr().out, "controls mean nothing for stability and enrichment"
    rows = json.loads(called(capsys, "compare", ONE, OTHER, "--json")[1])
    assert {(row["dataset"], row["metric"]) for row in rows} == {("labelled", "nmi"), ("a+b", "silhouette-views")}
    three = (ONE.replace("2", "3"), OTHER.replace("2", "3"))
    rows = json.loads(called(capsys, "compare", *three, "--json")[1])
    assert {(row["dataset"], row["metric"]) for row in rows} == {("a+b", "log-rank-p")}


def test_the_number_of_clusters_is_picked_method_by_method(folder, capsys: pytest.CaptureFixture[str]) -> None:
    folder("unlabelled")
    main(["run", *SMALL, *UNLABELLED[:2], "--clusters", "2:4"])
    capsys.readouterr()
    main(["pick", "--pick", "silhouette-views", "random"])
    out = capsys.readouterr().out
    lines = {words[0]: words[1:] for line in out.partition("Chosen on a+b")[2].splitlines() if (words := line.split())}
    assert lines["picker"] == ["concat", "sc-concat"]
    assert lines["silhouette-views"] == ["n_clusters=3", "n_clusters=3"]
    assert lines["random"] == ["any", "any"]


def test_what_needs_classes_is_refused(folder, capsys: pytest.CaptureFixture[str]) -> None:
    folder("unlabelled")
    code, _, err = called(capsys, "pick", "--pick", "oracle", "consensus")
    assert (code, err) == (2, "Error: oracle and consensus: nothing to choose by on these data.\n")
    code, _, err = called(capsys, "compare", ONE, OTHER, "--metric", "acc")
    assert code == 2
    assert err.startswith("Error: no result is scored by acc; stored are silhouette")


def test_a_database_whose_trials_all_failed(folder, capsys: pytest.CaptureFixture[str]) -> None:
    folder("unlabelled")
    run = ["run", "--algo", "toy-raises", *UNLABELLED, "--repeats", "1", "--no-controls", "--jobs", "1"]
    assert called(capsys, *run, "--db", "failed.db")[0] == 1
    code, out, _ = called(capsys, "report", "--db", "failed.db", "--out", "out")
    assert (code, "failed" in out, CLASSES.findall(out)) == (0, True, [])
