"""Systems that are not POSIX: all that runs no trials works there, and what does not is said in a sentence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# what other systems have not got, hidden before anything is imported
HIDE = """
import asyncio, os, sys  # asyncio chooses by the system's name, which stays, and needs what goes

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name in ("resource", "fcntl", "pwd", "grp"):
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)

sys.meta_path.insert(0, Hidden())
for name in ("resource", "fcntl", "pwd", "grp"):
    sys.modules.pop(name, None)
for name in ("fork", "sysconf", "sched_getaffinity"):
    delattr(os, name)
"""
IMPORT_ALL = """
import importlib, pkgutil, mvarena

for one in pkgutil.walk_packages(mvarena.__path__, "mvarena."):
    # these are programs
    if not one.name.endswith(".__main__") and ".migrations" not in one.name:
        importlib.import_module(one.name)
assert "mvarena.engine.local_engine" in sys.modules and "mvarena.loaders.download" in sys.modules
"""


def ran(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "ignore", "-c", HIDE + program]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


def test_every_module_can_be_imported(tmp_path: Path) -> None:
    done = ran(IMPORT_ALL, tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", ["list algorithms", "doctor", "run --dry-run --algo apmc --data digits"])
def test_what_runs_no_trials_works(tmp_path: Path, command: str) -> None:
    done = ran(f"from mvarena.cli.main import main\nmain({command.split()!r})", tmp_path)
    assert done.returncode == 0, done.stderr
    if command == "doctor":
        assert "this system does not report it" in done.stdout


def test_that_no_trial_can_run_is_said(tmp_path: Path) -> None:
    done = ran("from mvarena.cli.main import main\nmain(['run', '--algo', 'concat', '--data', 'digits'])", tmp_path)
    assert done.returncode == 2
    said = " ".join(done.stderr.split())  # whatever the width of the terminal
    assert "Error: trials run in processes of a POSIX system, and this is not one" in said
