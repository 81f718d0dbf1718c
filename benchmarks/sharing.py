"""What large runs cost: two workers, and the registration of huge studies."""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.framework import run_study, toy_study
from benchmarks.harness import case
from benchmarks.watch import Watch


@case(
    "two-workers",
    group="framework",
    grid={"trials": [40], "jobs": [1, 2]},
    quick={"trials": [12], "jobs": [1, 2]},
    beside={"jobs": 1},
    measures=("wall",),
)
def two_workers(watch: Watch, trials: int, jobs: int) -> dict[str, float]:
    """A study that computes and hardly waits (mic on digits), by one worker and by two, from the first end on."""
    from mvarena.study.model import Study

    study = Study(algorithms=("mic",), datasets=("digits[fou,kar]",), rates=(0.3,), repeats=trials, restarts=1)
    ended: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        run_study(
            study,
            db=Path(folder) / "results.db",
            jobs=jobs,
            on_progress=lambda progress: progress.trial and ended.append(time.perf_counter()),
        )
    # those that end with the first began before there was anything to compare
    watch.steps["a trial"] = {"wall": (ended[-1] - ended[jobs - 1]) / (len(ended) - jobs)}
    return {"trials a second": 1 / watch.steps["a trial"]["wall"]}


@case(
    "register",
    group="framework",
    grid={"trials": [100_000, 1_000_000]},
    quick={"trials": [10_000]},
    measures=("wall", "CPU", "MiB"),
    version="2",
)
def register_study(watch: Watch, trials: int) -> dict[str, float]:
    """A study of so many trials: planned, and registered with a look at what is stored already."""
    from mvarena.engine.conductor import Conductor
    from mvarena.engine.local_engine import LocalEngine
    from mvarena.engine.pending import pending
    from mvarena.store.database import open_database

    toy_study(1)  # what is loaded once is no part of it
    with watch("plan"):
        planned = toy_study(trials, listed=False)[1]
    with tempfile.TemporaryDirectory() as folder, LocalEngine() as engine:
        path = Path(folder) / "results.db"
        with open_database(path) as db, watch("register"):
            Conductor(db, engine).run(replace(pending(db, planned), trials=[]))
        return {"MiB on disk": path.stat().st_size / 2**20}
