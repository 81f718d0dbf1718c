"""What an outcome says of the machine: the commit, whether it was changed, the processor."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from mvarena.system import environment as environment_module
from mvarena.system.environment import checkout, cpu_model, environment, usable_cores
from mvarena.system.openblas import can_use, processes_use, routines_in_use


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    done = subprocess.run(["git", "-C", str(folder), *identity, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with one commit of a package and a note beside it."""
    (tmp_path / "mvarena").mkdir()
    (tmp_path / "mvarena" / "a.py").write_text("A = 1\n")
    (tmp_path / "note.txt").write_text("1\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    checkout.cache_clear()
    return tmp_path


def test_a_checkout_says_its_commit(project: Path) -> None:
    assert checkout(project) == {"commit": git(project, "rev-parse", "HEAD"), "dirty": False}


@pytest.mark.parametrize(
    ("name", "dirty"), [("mvarena/a.py", True), ("mvarena/b.py", True), ("note.txt", False), ("other.txt", False)]
)
def test_dirty_is_what_changes_the_code(project: Path, name: str, dirty: bool) -> None:
    (project / name).write_text("A = 2\n")
    assert checkout(project)["dirty"] is dirty


def test_what_is_no_checkout_says_nothing(tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = project / "site-packages"  # of somebody's project, which is not mvarena's
    inside.mkdir()
    assert checkout(inside) == {}
    (inside / ".git").write_text("gitdir: /nowhere\n")
    checkout.cache_clear()
    assert checkout(inside) == {}
    checkout.cache_clear()
    monkeypatch.setenv("PATH", "")
    assert checkout(project) == {}


def test_the_environment_of_a_trial_holds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    found = environment()
    assert found["cpu"] == cpu_model() != ""
    assert 1 <= found["usable_cores"] == usable_cores() <= found["cores"]
    assert found.get("git", {}) == checkout()
    assert found.get("openblas", "") == routines_in_use()
    assert not {"hostname", "user", "path"} & set(found)
    assert environment_module.environment.cache_info().currsize == 1


@pytest.mark.skipif(not routines_in_use(), reason="numpy uses another library than OpenBLAS")
def test_routines_can_be_used_where_the_processor_has_them() -> None:
    assert can_use(routines_in_use())
    assert not can_use("Nehalem9")
    assert not can_use("Haswell; true")


@pytest.mark.parametrize("before", [None, "Zen"])
def test_processes_use_other_routines_within_alone(before: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_CORETYPE", raising=False)
    if before:
        monkeypatch.setenv("OPENBLAS_CORETYPE", before)
    with processes_use(""):
        assert os.environ.get("OPENBLAS_CORETYPE") == before
    with processes_use("Haswell"):
        assert os.environ["OPENBLAS_CORETYPE"] == "Haswell"
    assert os.environ.get("OPENBLAS_CORETYPE") == before
