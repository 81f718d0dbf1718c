"""Code of components that calls sys.exit() is an error of the command, never its end with exit code 0."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from command_line import in_new_process

PLUGIN = """
import sys
from mvarena import hookimpl
from mvarena.contracts.specs import DatasetSpec


@hookimpl
def mvarena_datasets():
    return [DatasetSpec(name="exits-data", target="exiting:load", summary="exits", views=("a", "b"))]


def load(seed):
    sys.exit(0)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    about = tmp_path / "exiting-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: exiting\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[mvarena]\nexiting = exiting\n")
    (tmp_path / "exiting.py").write_text(PLUGIN)
    return tmp_path


def mvarena(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return in_new_process(*arguments, cwd=folder, PYTHONPATH=str(folder))


def test_a_loader_that_exits_ends_no_command_with_0(folder):
    done = mvarena("run", "--algo", "concat", "--data", "exits-data", folder=folder)
    assert done.returncode == 2
    said = "Error: The data set 'exits-data' of the plugin exiting 1.0 tried to exit the program (SystemExit: 0)."
    assert done.stderr.splitlines()[-1] == said


def test_a_plugin_that_exits_when_it_is_imported_stands_in_the_list_of_plugins(folder):
    (folder / "exiting.py").write_text("import sys\nsys.exit(0)")
    assert mvarena("--help", folder=folder).returncode == 0
    assert "exiting 1.0: exiting: FAILED" in mvarena("plugin", "list", folder=folder).stdout
