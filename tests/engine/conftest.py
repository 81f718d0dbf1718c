"""Workers are fresh processes: they find the toy plugin through PYTHONPATH, as they would find an installed one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

TOYS = Path(__file__).parents[1] / "toys"


@pytest.fixture(autouse=True)
def _workers_find_the_toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(TOYS), os.environ.get("PYTHONPATH", "")]))
