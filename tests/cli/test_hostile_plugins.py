"""Plugins that are hostile where a command runs their code; `make torture` tries all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from plugin_deeds import IN_TRIALS, PLACES, PLUGIN_DEEDS, faults, run_plugin
from study_runs import run_study

from mvarena.study.model import Study

QUICK = [place for place, one in PLACES.items() if one.acts is not IN_TRIALS]
TRIED = [
    *(f"{place}: {act}" for place in QUICK for act in ("ends", "interrupts") if act in PLACES[place].acts),
    "a metric of stored labels: exits",
    "an import: raises-what-has-no-text",
    "annotations of a file: raises-what-has-no-text",
    "an import, in a run: ends",
    "a hook for finished trials: ends",
]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database with a trial of each of two algorithms."""
    path = tmp_path_factory.mktemp("stored") / "stored.db"
    run_study(Study(algorithms=("toy-quick", "concat"), datasets=("toy-blobs",), repeats=1, restarts=2), db=path)
    return path.read_bytes()


@pytest.mark.parametrize("name", TRIED)
def test_a_command_ends_as_it_must(name: str, stored: bytes, tmp_path: Path) -> None:
    (tmp_path / "stored.db").write_bytes(stored)
    done = run_plugin(PLUGIN_DEEDS[name], tmp_path)
    assert list(faults(PLUGIN_DEEDS[name], done)) == [], done.text
