"""What large runs cost: two workers, and the registration of huge studies.

Cases on PostgreSQL need a server: .ci/with_postgres python -m benchmarks register
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from benchmarks.framework import run_study, toy_study
from benchmarks.harness import case
from benchmarks.watch import Skipped, Watch

_SERVER = "MVARENA_TEST_POSTGRES"


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
    grid={"backend": ["sqlite", "postgresql"], "trials": [100_000, 1_000_000]},
    quick={"backend": ["sqlite", "postgresql"], "trials": [10_000]},
    measures=("wall", "CPU", "MiB"),
)
def register_study(watch: Watch, backend: str, trials: int) -> dict[str, float]:
    """A study of so many trials: planned, and registered with a look at what is stored already."""
    from mvarena.engine.conductor import Conductor
    from mvarena.engine.local_engine import LocalEngine
    from mvarena.engine.pending import pending
    from mvarena.store.database import open_database

    toy_study(1)  # what is loaded once is no part of it
    with watch("plan"):
        planned = toy_study(trials, listed=False)[1]
    with _database(backend) as address, open_database(address) as db, LocalEngine() as engine:
        with watch("register"):
            Conductor(db, engine).run(replace(pending(db, planned), trials=[]))
        size = Path(address).stat().st_size / 2**20 if backend == "sqlite" else float("nan")
    return {"MiB on disk": size}


@contextmanager
def _database(backend: str) -> Iterator[str]:
    """The address of an empty database."""
    if backend == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield str(Path(folder) / "results.db")
        return
    server = os.environ.get(_SERVER)
    if not server:
        raise Skipped(f"{_SERVER} names no server; .ci/with_postgres runs a command beside one")
    from sqlalchemy import create_engine

    engine = create_engine(server.replace("postgresql:", "postgresql+psycopg:", 1), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("DROP SCHEMA IF EXISTS mvarena_bench CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA mvarena_bench")
    try:
        yield f"{server}?options=-csearch_path%3Dmvarena_bench"
    finally:
        with engine.connect() as connection:
            connection.exec_driver_sql("DROP SCHEMA mvarena_bench CASCADE")
        engine.dispose()
