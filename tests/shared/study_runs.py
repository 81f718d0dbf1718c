"""One study run into a database, as the tests of the engine ask for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mvarena.engine.conductor import Advance
from mvarena.running import RunResult, run_blocks
from mvarena.study.building import Block, RunOptions
from mvarena.study.model import Study


def toy_study(**changes: Any) -> Study:
    """The quick method of the toys on its blobs, three repeats of two restarts each."""
    return Study(**({"algorithms": ("toy-quick",), "datasets": ("toy-blobs",), "repeats": 3, "restarts": 2} | changes))


def run_study(
    study: Study,
    *,
    db: str | Path,
    jobs: int | str = 1,
    rerun: Sequence[str] = (),
    on_progress: Callable[[Advance], None] | None = None,
    **options: Any,
) -> RunResult:
    """Run `study` with these `RunOptions`; by default with one worker."""
    how = RunOptions(db=str(db), jobs=jobs, **options)
    return run_blocks([Block(study)], how, rerun=rerun, on_progress=on_progress)
