"""`mvarena doctor`: says what is there, changes nothing, and finds each thing that is planted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import called

from mvarena.cli import doctor
from mvarena.system import memory


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MVARENA_DATA", raising=False)


def findings(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, list[tuple[str, str]]]]:
    """The exit code, and by what each is about: the state and the sentence of every finding."""
    code, out, _ = called(capsys, "doctor", "--json")
    found: dict[str, list[tuple[str, str]]] = {}
    for one in json.loads(out):
        found.setdefault(one["about"], []).append((one["state"], one["says"]))
    return code, found


def problems(found: dict[str, list[tuple[str, str]]]) -> list[str]:
    return [says for some in found.values() for state, says in some if state == "problem"]


def test_a_sound_place_has_nothing_to_mend(capsys) -> None:
    code, found = findings(capsys)
    assert (code, problems(found)) == (0, [])
    assert {"mvarena", "packages", "machine", "cores", "BLAS", "memory", "cache", "plugins", "data"} <= set(found)
    assert not list(Path().iterdir())
    lines = called(capsys, "doctor")[1].splitlines()
    assert any(line.startswith("  memory") and "GiB" in line for line in lines)
    assert all(line[:2] in ("  ", "- ") for line in lines)


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

    monkeypatch.setattr(doctor, "_environment", fails)
    code, found = findings(capsys)
    assert (code, problems(found)) == (1, ["could not be checked: RuntimeError: planted"])
    assert "data" in found
