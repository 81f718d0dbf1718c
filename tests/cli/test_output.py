"""With --json standard output is one JSON document, whatever a plugin prints and wherever its code runs."""

from __future__ import annotations

import json
import math
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from command_line import in_new_process

from mvarena.cli.main import main
from mvarena.cli.output import echo_json, shown_duration

NOISY = Path(__file__).parents[1] / "noisy"
RUN = ("run", "--algo", "noisy", "concat", "--data", "noisy-data", "--corrupt", "none", "--repeats", "1")
KEY = "KEY"  # stands for that of the trial in results.db
COMMANDS = (  # one of each kind: that lists, that reads results, that runs in a worker
    ("list", "algorithms"),
    ("results", "show", KEY),
    ("compare", "noisy", "concat"),
    ("cluster", "noisy-data", "--algo", "noisy", "--clusters", "2"),
)


def mvarena(*words: str, cwd: Path) -> tuple[int, str, str]:
    """Exit code, output and complaints of a command in a folder, in a process that finds the noisy plugin."""
    path = os.pathsep.join([str(NOISY), os.environ.get("PYTHONPATH", "")])
    ended = in_new_process(*words, cwd=cwd, PYTHONPATH=path)
    return ended.returncode, ended.stdout, ended.stderr


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose results.db holds a trial of the noisy plugin."""
    folder = tmp_path_factory.mktemp("noisy")
    code, _, err = mvarena(*RUN, cwd=folder)
    assert code == 0, err
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_noise_goes_to_standard_error(results: Path, arguments: tuple[str, ...]) -> None:
    with closing(sqlite3.connect(results / "results.db")) as connection:
        (key,) = connection.execute("SELECT DISTINCT key FROM results WHERE algorithm = 'noisy'").fetchone()
    code, out, err = mvarena(*(key if word is KEY else word for word in arguments), "--json", cwd=results)
    assert code == 0, err
    assert json.loads(out)
    assert not [line for line in out.splitlines() if line.startswith("NOISE")]
    assert ("NOISE of the import" in err) == (arguments[0] != "results")


def test_algorithms_are_listed_by_family_with_marks_and_the_controls_at_the_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["list", "algorithms"])
    *families, controls, legend = capsys.readouterr().out.split("\n\n")
    heading, *lines = controls.splitlines()
    assert heading == "control (control:*): shown apart and never ranked"
    assert [line.split()[0].rstrip("°") for line in lines] == ["one-cluster", "random", "shuffled-truth", "truth"]
    named = {family.split()[0]: family.splitlines()[1:] for family in families}
    assert sorted(named) == list(named)
    marked = {line.split()[0]: line for line in named["graph"]}
    assert "[" not in marked["apmc°"]
    assert marked["gmc"].endswith("[complete data]")
    assert marked["cgc"].endswith("[from secondary sources]")
    assert legend.startswith("°: memory grows linearly with the samples.")
    main(["list", "metrics"])
    assert "control" not in capsys.readouterr().out


def test_a_number_that_json_has_not_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    echo_json({"a": [math.nan, (1.5, -math.inf)], "b": {"c": math.inf}})
    assert json.loads(capsys.readouterr().out) == {"a": [None, [1.5, None]], "b": {"c": None}}


def test_a_caller_from_python_gets_the_document_and_its_streams_back(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout
    main(["list", "protocols", "--json"])
    assert sys.stdout is before
    assert json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("command", ["list algorithms --json", "run --help"])
def test_a_reader_that_goes_away_ends_the_command_quietly(tmp_path: Path, command: str) -> None:
    ran = subprocess.run(
        f"{sys.executable} -m mvarena {command} | true; echo ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ran.stdout.strip(), ran.stderr) == ("1", "")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.04, "0.0 s"), (9.94, "9.9 s"), (59.6, "1 min"), (3600, "1 h"), (90_061, "1 d 1 h")]
)
def test_durations(seconds: float, text: str) -> None:
    assert shown_duration(seconds) == text
