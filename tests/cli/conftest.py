"""Workers are fresh processes: they find the toy plugin through PYTHONPATH, as they would find an installed one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path

import pytest

from mvarena.cli.main import main


@pytest.fixture(autouse=True)
def _workers_find_the_toys(kept_workers: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1] / "toys"), prepend=os.pathsep)


@pytest.fixture(scope="session")
def stored_runs(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Arguments of `mvarena run` -> the database that it leaves, made once."""
    known: dict[tuple[str, ...], Path] = {}

    def database_of(*arguments: str) -> Path:
        if arguments not in known:
            path = tmp_path_factory.mktemp("stored") / "results.db"
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as said, suppress(SystemExit):
                main(["run", *arguments, "--db", str(path)])
            assert path.exists(), said.getvalue()
            known[arguments] = path
        return known[arguments]

    return database_of


@pytest.fixture
def results_of_run(stored_runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Changes to an empty folder and puts a copy of the database of such a run there, as results.db."""

    def copied(*arguments: str) -> None:
        shutil.copyfile(stored_runs(*arguments), tmp_path / "results.db")
        monkeypatch.chdir(tmp_path)

    return copied
