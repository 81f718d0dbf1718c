"""What many runs on one database cost: claims, trials through two workers, and the registration of huge studies.

Cases on PostgreSQL need a server: .ci/with_postgres python -m benchmarks claims register
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.framework import run_study, toy_study
from benchmarks.harness import case
from benchmarks.watch import Skipped, Watch

_SERVER = "MVARENA_TEST_POSTGRES"
_WINDOW, _WIDEST = 50, 5000  # keys that are offered for each claim
_STRETCHES = 20


@case(
    "claims",
    group="framework",
    version="2",
    grid={"backend": ["sqlite", "postgresql"], "batch": [1, 10], "trials": [20_000]},
    quick={"backend": ["sqlite", "postgresql"], "batch": [10], "trials": [4000]},
    measures=("wall",),
)
def claims(watch: Watch, backend: str, batch: int, trials: int, processes: int = 8) -> dict[str, float]:
    """Processes claim all trials of one study, each from a place of its own: seconds for each claim.

    On PostgreSQL the barest loop claims every second stretch of them: what else the machine does falls on both alike.
    """
    from mvarena.store import open_database, register

    planned = toy_study(trials)[1]
    keys = [trial.key for trial in planned]
    kinds = ["a claim"] if backend == "sqlite" else ["a claim", "the barest loop"]
    size = -(-trials // _STRETCHES)
    spawn = multiprocessing.get_context("spawn")
    gate, got = spawn.Barrier(processes + 1, timeout=60), spawn.Queue()  # no longer, should one break down
    took: dict[str, list[float]] = {kind: [] for kind in kinds}
    with _database(backend) as address:
        with open_database(address) as db:
            register(db, planned)
        given = (address, keys, size, kinds, batch, gate, got)
        started = [spawn.Process(target=_claim_all, args=(number, *given)) for number in range(processes)]
        for process in started:
            process.start()
        for kind, _ in zip(cycle(kinds), range(0, trials, size), strict=False):
            gate.wait()
            began = time.perf_counter()
            gate.wait()
            took[kind].append((time.perf_counter() - began) / size)
        taken = [got.get() for _ in started]
        for process in started:
            process.join()
    assert sum(taken) == trials
    watch.steps |= {kind: {"wall": median(seconds)} for kind, seconds in took.items()}
    found = {"claims a second": 1 / median(took["a claim"]), "fewest of a process": float(min(taken))}
    if backend == "postgresql":
        found["times the barest loop"] = median(a / b for a, b in zip(*took.values(), strict=False))
    return found


def _claim_all(
    number: int, address: str, keys: list[str], size: int, kinds: list[str], batch: int,
    gate: Any, got: Any,
) -> None:  # fmt: skip
    """Claim, stretch by stretch, until nothing is free; put how many were got."""
    from mvarena.engine.queue import offset_of

    taken = 0
    with ExitStack() as stack:
        loops = {kind: stack.enter_context(_LOOPS[kind](address, f"run {number}", batch)) for kind in kinds}
        for claim_of in loops.values():
            claim_of(["none"])  # what is built once is no part of it
        for kind, first in zip(cycle(kinds), range(0, len(keys), size), strict=False):
            stretch = keys[first : first + size]
            begin = int(offset_of(number) * len(stretch))
            gate.wait()
            taken += _claim_stretch(stretch[begin:] + stretch[:begin], batch, loops[kind])
            gate.wait()
    got.put(taken)


def _claim_stretch(keys: list[str], batch: int, claim_of: Callable[[list[str]], list[str]]) -> int:
    """Claim `keys` until none is free, with windows as a run has them; how many were got."""
    taken, place, width = 0, 0, _WINDOW
    while place < len(keys):
        window = keys[place : place + width]
        found = claim_of(window)
        taken += len(found)
        width = _WINDOW if found else min(2 * width, _WIDEST)
        # behind the last of a whole batch nobody has looked
        place += max(map(window.index, found)) + 1 if len(found) == batch else len(window)
    return taken


@contextmanager
def _store_claims(address: str, owner: str, batch: int) -> Iterator[Callable[[list[str]], list[str]]]:
    """Claims as a run takes them: the first `batch` that are free of the keys."""
    from mvarena.store import claim_some, open_database

    with open_database(address) as db:
        yield lambda keys: claim_some(db, keys, owner, batch).taken


_BARE = """
WITH free AS (
    SELECT trials.key FROM unnest(%s::varchar[]) WITH ORDINALITY AS wanted (key, place)
    JOIN trials ON trials.key = wanted.key
    WHERE NOT EXISTS (SELECT FROM claims WHERE claims.key = trials.key)
    ORDER BY place LIMIT %s FOR NO KEY UPDATE OF trials SKIP LOCKED
)
INSERT INTO claims SELECT key, %s, 'here', 1, 'server', 0 FROM free ON CONFLICT DO NOTHING RETURNING key
"""


@contextmanager
def _bare_claims(address: str, owner: str, batch: int) -> Iterator[Callable[[list[str]], list[str]]]:
    """The least that several processes can do who share one table: one statement, prepared, a transaction by itself."""
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        yield lambda keys: [row[0] for row in connection.execute(_BARE, (keys, batch, owner), prepare=True)]


_LOOPS = {"a claim": _store_claims, "the barest loop": _bare_claims}


@case(
    "trials-by-two",
    group="framework",
    grid={"trials": [1000], "engine": ["local", "dask"]},
    quick={"trials": [100], "engine": ["local", "dask"]},
    beside={"engine": "local"},
    measures=("wall",),
)
def trials_by_two(watch: Watch, trials: int, engine: str = "local") -> dict[str, float]:
    """Trials of a toy by two workers, from the first end on: seconds for each; Dask's beside our own."""
    ended: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        run_study(
            toy_study(trials)[0],
            db=Path(folder) / "results.db",
            jobs=2,
            engine=engine,
            on_progress=lambda progress: progress.trial and ended.append(time.perf_counter()),
        )
    whole = (ended[-1] - ended[0]) / (len(ended) - 1)
    watch.steps["a trial"] = {"wall": whole}
    return {"trials a second": 1 / whole}


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
    from mvarena.store import open_database

    toy_study(1)  # what is loaded once is no part of it
    with watch("plan"):
        planned = toy_study(trials, listed=False)[1]
    with _database(backend) as address, open_database(address) as db, LocalEngine() as engine:
        with watch("register"):
            Conductor(db, engine).run(replace(pending(db, planned), places=array("q")))
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
