"""Workers find the toy plugin, and begin as forks of the test process wherever a command's would."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mvarena.engine import worker_process
from mvarena.store.database import Database, open_database

TOYS = Path(__file__).parents[1] / "toys"


@pytest.fixture(autouse=True)
def _workers_find_the_toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through PYTHONPATH, as those that are fresh interpreters would find an installed plugin."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(TOYS), os.environ.get("PYTHONPATH", "")]))


@pytest.fixture(autouse=True)
def _workers_are_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the memory of other tests nor the threads of pytest-xdist, which wait, make a worker start anew."""
    monkeypatch.setattr(worker_process, "_MOST_INHERITED", 2**50)
    monkeypatch.setattr(threading, "active_count", lambda: 1)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with open_database(tmp_path / "r.db") as database:
        yield database
