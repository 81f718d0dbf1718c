"""With --json standard output is one JSON document, whatever a plugin prints and wherever its code runs."""

from __future__ import annotations

import json
import math
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest
from command_line import in_new_process

from mvarena.cli.main import cli, main
from mvarena.cli.output import echo_json

NOISY = Path(__file__).parents[1] / "noisy"
RUN = ("run", "--algo", "noisy", "concat", "--data", "noisy-data", "--corrupt", "none", "--repeats", "1")
KEY = "KEY"  # stands for that of the trial in results.db
COMMANDS = {
    "run": (*RUN, "--db", "other.db"),
    "list": ("list", "algorithms"),
    "show": ("show", "noisy"),
    "data list": ("data", "list"),
    "pick": ("pick", "--across"),
    "doctor": ("doctor",),
    "results list": ("results", "list"),
    "results runs": ("results", "runs"),
    "results show": ("results", "show", KEY),
    "compare": ("compare", "noisy", "concat"),
    "cluster": ("cluster", "noisy-data", "--algo", "noisy", "--clusters", "2"),
}
ELSEWHERE = {"arena board", "arena changes", "arena run"}  # of a release; tests/arena tries them


def mvarena(*words: str, cwd: Path) -> tuple[int, str, str]:
    """Exit code, output and complaints of a command in a folder, in a process that finds the noisy plugin."""
    path = os.pathsep.join([str(NOISY), os.environ.get("PYTHONPATH", "")])
    ended = in_new_process(*words, cwd=cwd, PYTHONPATH=path)
    return ended.returncode, ended.stdout, ended.stderr


def commands_with_json(group: click.Group, above: str = "") -> Iterator[str]:
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands_with_json(command, f"{above}{name} ")
        elif any("--json" in parameter.opts for parameter in command.params):
            yield above + name


def test_every_command_with_json_is_tried_here() -> None:
    assert set(commands_with_json(cli)) - ELSEWHERE == set(COMMANDS)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose results.db holds a trial of the noisy plugin."""
    folder = tmp_path_factory.mktemp("noisy")
    code, _, err = mvarena(*RUN, cwd=folder)
    assert code == 0, err
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=" ".join)
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


def test_what_is_imported_prints_beside_the_output_of_every_command(results: Path) -> None:
    _, out, err = mvarena("list", "algorithms", cwd=results)
    assert "NOISE" not in out
    assert "NOISE of a hook" in err


def test_a_number_that_json_has_not_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    echo_json({"a": [math.nan, (1.5, -math.inf)], "b": {"c": math.inf}})
    assert json.loads(capsys.readouterr().out) == {"a": [None, [1.5, None]], "b": {"c": None}}


def test_a_part_with_nothing_to_run_prints_an_empty_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--algo", "concat", "--data", "toy-blobs", "--repeats", "1", "--corrupt", "none", "--no-controls"]
    documents = []
    for shard in ("1/8", "2/8"):  # one of them at most has the trial
        main(["run", *words, "--shard", shard, "--json"])
        documents.append(json.loads(capsys.readouterr().out))
    assert [] in documents


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
