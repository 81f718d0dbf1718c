"""What lies in the working folder takes no module's place, and a worker finds what its caller does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOYS = Path(__file__).parents[1] / "toys"
RUN = ["run", "--no-controls", "--algo", "concat", "--data", "toy-blobs"]
RUN += ["--repeats", "1", "--restarts", "1", "--db", "results.db"]
SCRIPT = """
import mvarena
from beside import Mine

run = mvarena.run(algorithms=[Mine], datasets=["toy-blobs"], protocol="fair", restarts=1, jobs=1, db="results.db")
print(len(run.scores), "scores")
"""
BESIDE = """
from helper import doubled
from mvarena.contracts.algorithm import MultiViewClusterer, Representation

class Mine(MultiViewClusterer):
    def solve(self, data, n_clusters):
        return Representation(embedding=doubled(data.views[0].matrix))
"""


@pytest.fixture(autouse=True)
def _the_working_folder_is_not_among_the_toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(TOYS))  # without an empty entry, which would mean that folder


def ran(folder: Path, *command: str) -> str:
    done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_file_in_the_working_folder_takes_no_modules_place(tmp_path: Path) -> None:
    for name in ("json", "random", "select", "signal", "numpy", "mvarena"):
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('{name}: this is not the module')")
    # started as the installed command is: the working folder is not where this process looks for modules
    said = ran(tmp_path, "-P", "-m", "mvarena", *RUN)
    assert "Ran 1 trial (1 done)" in said


@pytest.mark.slow
def test_a_worker_finds_the_modules_that_the_caller_does(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "beside.py").write_text(BESIDE)
    (tmp_path / "helper.py").write_text("def doubled(matrix):\n    return 2 * matrix\n")
    (elsewhere := tmp_path / "elsewhere").mkdir()
    assert " scores" in ran(elsewhere, str(tmp_path / "script.py"))
