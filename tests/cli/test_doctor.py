"""`mvarena doctor`: says what is there, changes nothing, and finds each thing that is planted."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from command_line import called

from mvarena.cli import doctor
from mvarena.cli.main import main
from mvarena.system import memory

BROKEN = Path(__file__).parents[1] / "broken"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MVARENA_DATA", raising=False)
    monkeypatch.delenv("MVARENA_DB", raising=False)


def findings(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, list[tuple[str, str]]]]:
    """The exit code, and by what each is about: the state and the sentence of every finding."""
    code, out, _ = called(capsys, "doctor", "--json", *arguments)
    found: dict[str, list[tuple[str, str]]] = {}
    for one in json.loads(out):
        found.setdefault(one["about"], []).append((one["state"], one["says"]))
    return code, found


def problems(found: dict[str, list[tuple[str, str]]]) -> list[str]:
    return [says for some in found.values() for state, says in some if state == "problem"]


@pytest.fixture
def study(capsys) -> Path:
    """A results database with two trials, one of which failed."""
    what = ["--algo", "toy-quick", "toy-raises", "--data", "toy-blobs", "--no-controls"]
    with pytest.raises(SystemExit):
        main(["run", *what, "--repeats", "1", "--restarts", "1"])
    capsys.readouterr()
    return Path("results.db")


def test_a_sound_place_has_nothing_to_mend(capsys) -> None:
    code, found = findings(capsys)
    assert (code, problems(found)) == (0, [])
    assert {"mvarena", "packages", "machine", "cores", "BLAS", "memory", "cache", "plugins", "data"} <= set(found)
    assert found["database"] == [("ok", "none in this folder; name one with --db")]
    assert not list(Path().iterdir())


def test_the_text_has_a_line_for_each_finding(capsys) -> None:
    main(["doctor"])
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("  memory") and "GiB" in line for line in lines)
    assert all(line[:2] in ("  ", "- ") for line in lines)


def test_a_database_is_counted_and_left_as_it_is(capsys, study: Path) -> None:
    before = study.read_bytes()
    for named in ((), ("--db", "results.db")):
        code, found = findings(capsys, *named)
        assert code == 0
        assert ("ok", "1 done, 1 failed") in found["database"]
    assert study.read_bytes() == before


def test_damage_is_found(capsys, study: Path) -> None:
    with closing(sqlite3.connect(study)) as connection, connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page_size = connection.execute("PRAGMA page_size").fetchone()[0]
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'trials'").fetchone()[0]
    connection.close()
    with study.open("r+b") as file:
        file.seek((root - 1) * page_size)
        file.write(b"\xff" * 64)
    code, found = findings(capsys)
    assert code == 1
    assert any("damaged" in said for said in problems(found))


def test_rows_without_their_trial_are_found(capsys, study: Path) -> None:
    with closing(sqlite3.connect(study)) as connection, connection:
        connection.execute("DELETE FROM trials")
    connection.close()
    code, found = findings(capsys)
    assert code == 1
    assert problems(found)[0].startswith("a row of attempts refers to a row of trials that does not exist.")


@pytest.mark.parametrize(
    ("database", "says"),
    [("nowhere.db", "there is no results database"), ("postgresql://a:s3cr3t@127.0.0.1:x/b", "a port is a number")],
)
def test_a_database_that_is_none_is_a_problem(capsys, database: str, says: str) -> None:
    code, found = findings(capsys, "--db", database)
    (said,) = problems(found)
    assert (code, says in said, "s3cr3t" in said) == (1, True, False)


def test_plugins_that_failed_are_problems(tmp_path: Path) -> None:
    path = os.pathsep.join([str(BROKEN), os.environ.get("PYTHONPATH", "")])
    ran = subprocess.run(
        [sys.executable, "-m", "mvarena", "doctor"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 1
    marked = [line for line in ran.stdout.splitlines() if line.startswith("! ")]
    assert any("mvarena-broken 2.0 failed to load" in line for line in marked)
    assert any("'unit-rows' is provided by" in line for line in marked)
    assert f"{len(marked)} problems found, marked with !." in ran.stderr


def test_little_memory_a_full_disk_and_a_wrong_folder_are_problems(capsys, monkeypatch) -> None:
    monkeypatch.setattr(memory, "memory_limit", lambda: 1 << 30)
    monkeypatch.setattr(doctor, "_LEAST_DISK", 1 << 60)
    monkeypatch.setenv("MVARENA_DATA", "/no/such/folder")
    code, found = findings(capsys)
    assert code == 1
    assert "this process may use 1.0 GiB" in found["memory"][0][1]
    states = {about: [state for state, _ in found[about]] for about in ("memory", "cache", "temporary", "data")}
    assert states == {"memory": ["problem"], "cache": ["problem"], "temporary": ["problem"], "data": ["ok", "problem"]}


def test_a_look_that_fails_is_a_finding_and_stops_no_other(capsys, monkeypatch) -> None:
    def fails():
        raise RuntimeError("planted")

    monkeypatch.setattr(doctor, "_machine", fails)
    code, found = findings(capsys)
    assert (code, problems(found)) == (1, ["could not be checked: RuntimeError: planted"])
    assert "optional" in found
