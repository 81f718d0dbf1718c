"""Trials on a real Dask scheduler with worker processes on the loopback address: nodes are lost, and nothing else.

All tests share one scheduler, which the last one ends.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest
from distributed import Client
from study_runs import run_study, toy_study
from toy_trials import one_trial

from mvarena.api import load_dataset
from mvarena.contracts.outcome import Status
from mvarena.contracts.source import Source
from mvarena.engine import dask_engine, dask_trial
from mvarena.engine.conductor import Advance
from mvarena.engine.execute import execute
from mvarena.engine.limits import Limits
from mvarena.errors import EngineError, InvalidSetting
from mvarena.readers.npz import write_npz
from mvarena.store.database import open_database
from mvarena.store.trials import counts
from mvarena.system.processes import descendants

SCORES = ["key", "metric", "value", "status"]
ENDLESS = {"toy-slow": {"scale": (600.0,)}}


class Cluster:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self.folder = folder
        variables = {"PYTHONPATH": os.pathsep.join(sys.path), "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "6s"}
        self._environment = os.environ | {"OMP_NUM_THREADS": "1"} | variables
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.workers: list[subprocess.Popen[bytes]] = []

    @property
    def address(self) -> str:
        end = time.monotonic() + 120
        while not (self.file.is_file() and self.file.stat().st_size):
            assert time.monotonic() < end, "the scheduler has not started"
            time.sleep(0.05)
        return json.loads(self.file.read_text())["address"]

    def add_worker(self) -> None:
        assert self.address
        place = str(self.folder / f"worker-{len(self.workers)}")
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", "--local-directory", place)
        self.workers.append(self._start("worker", *options))

    def start(self, workers: int) -> None:
        """Add so many workers and wait until the scheduler knows them all."""
        for _ in range(workers):
            self.add_worker()
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=300)

    def stop(self) -> None:
        for process in [*self.workers, self.scheduler]:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()

    def _start(self, what: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", what, "--scheduler-file", str(self.file), *options]
        with (self.folder / f"{what}.log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, env=self._environment)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    found = Cluster(tmp_path_factory.mktemp("dask"))
    try:
        found.start(2)
        yield found
    finally:
        found.stop()


def after(ends: dict[int, Callable[[], None]]) -> Callable[[Advance], None]:
    """Calls the action of a number when so many trials have ended."""

    def advanced(advance: Advance) -> None:
        if advance.trial is not None and advance.done in ends:
            ends.pop(advance.done)()

    return advanced


def same_scores(one: pd.DataFrame, other: pd.DataFrame) -> None:
    tables = [frame[SCORES].sort_values(SCORES[:2], ignore_index=True) for frame in (one, other)]
    pd.testing.assert_frame_equal(*tables)


def test_a_scheduler_that_does_not_answer_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(dask_engine, "_CONNECT_S", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense://there"):
        with pytest.raises(InvalidSetting, match=r"no Dask scheduler answers at .*; start one with 'dask scheduler'"):
            run_study(toy_study(), db=tmp_path / "r.db", scheduler=address)


@pytest.mark.slow
def test_files_of_ones_own_are_found_where_a_machine_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "mine.npz"
    write_npz(load_dataset("toy-blobs"), path)
    trial = one_trial(dataset=Source.of_files([path], name="mine"))
    expected = execute(trial)
    (tmp_path / "there").mkdir()
    path.rename(tmp_path / "there" / "mine.npz")
    monkeypatch.setenv("MVARENA_CACHE", str(tmp_path / "cache"))
    lost = dask_trial.run_trial(trial, Limits())
    assert (lost.status, "There is no file" in lost.reason) == (Status.FAILED, True)
    monkeypatch.setenv("MVARENA_DATA", str(tmp_path / "there"))
    assert str(dask_trial.run_trial(trial, Limits()).scores) == str(expected.scores)  # NaN among them
    dask_trial._idle.pop(Limits()).pop().close()


@pytest.mark.slow
def test_a_time_out_ends_the_trial_alone_and_files_give_the_same_scores_there(tmp_path: Path, cluster: Cluster):
    path = tmp_path / "mine.npz"
    write_npz(load_dataset("toy-blobs"), path)
    data = Source.of_files([path], name="mine")
    asked = toy_study(algorithms=("toy-slow", "toy-quick"), datasets=(data,), repeats=2, params=ENDLESS)
    local = run_study(toy_study(datasets=(data,), repeats=2), db=tmp_path / "local.db")
    found = run_study(asked, db=tmp_path / "dask.db", scheduler=cluster.address, timeout_s=3.0)
    assert found.tally.ran == {Status.TIMEOUT: 2, Status.DONE: 2}
    same_scores(found.scores[found.scores["algorithm"] == "toy-quick"], local.scores)


def eventually(true: Callable[[], bool]) -> bool:
    end = time.monotonic() + 120
    while not (seen := true()) and time.monotonic() < end:
        time.sleep(0.1)
    return seen


def below(cluster: Cluster) -> set[int]:
    """The processes that the Dask workers have started."""
    return {process for worker in cluster.workers for process in descendants(worker.pid)}


@pytest.mark.slow
def test_an_interrupted_run_ends_what_it_started(cluster: Cluster):
    idle = below(cluster)
    trial = one_trial("toy-slow", params={"scale": 600.0})
    with dask_engine.DaskEngine(cluster.address) as engine:
        engine.submit(trial)
        assert eventually(lambda: bool(below(cluster) - idle))
        ((ended, outcome),) = engine.interrupt()
        assert (ended, outcome.status) == (trial, Status.INTERRUPTED)
        assert engine.running == []
        assert eventually(lambda: not below(cluster) - idle)


RUN = """
import sys
from mvarena.running import run_blocks
from mvarena.store.database import open_database
from mvarena.store.trials import counts
from mvarena.study.building import Block
from mvarena.study.model import Study
from mvarena.study.building import RunOptions
study = Study(algorithms=("toy-slow",), datasets=("toy-blobs",), repeats=2, params={"toy-slow": {"scale": (600.0,)}})
run_blocks([Block(study)], RunOptions(db=sys.argv[1], scheduler=sys.argv[2]))
"""


@pytest.mark.slow
def test_a_conductor_that_is_killed_leaves_the_nodes_free_for_the_one_that_resumes(tmp_path: Path, cluster: Cluster):
    idle = below(cluster)
    command = [sys.executable, "-c", RUN, str(tmp_path / "r.db"), cluster.address]
    conductor = subprocess.Popen(command)
    assert eventually(lambda: len(below(cluster) - idle) >= 2), "a trial runs on each node"
    conductor.kill()
    conductor.wait()
    found = run_study(toy_study(), db=tmp_path / "r.db", scheduler=cluster.address)
    assert found.tally.ran == {Status.DONE: 3}, "no node was held by a trial of 600 s"


@pytest.mark.slow
def test_a_worker_that_is_killed_and_one_that_is_frozen_change_nothing_in_the_table(tmp_path: Path, cluster: Cluster):
    asked = toy_study(
        algorithms=("toy-slow", "toy-dies", "toy-raises"), repeats=4, params={"toy-slow": {"scale": (0.5,)}}
    )
    local = run_study(asked, db=tmp_path / "local.db")

    def kill() -> None:
        cluster.workers[0].kill()
        cluster.add_worker()

    lost = {2: kill, 5: lambda: cluster.workers[1].send_signal(signal.SIGSTOP)}
    found = run_study(asked, db=tmp_path / "dask.db", scheduler=cluster.address, on_progress=after(lost))
    assert not lost, "both were lost while trials were left"
    assert found.tally.ran == local.tally.ran == {Status.DONE: 4, Status.CRASHED: 4, Status.FAILED: 4}
    same_scores(found.scores, local.scores)
    assert cluster.workers[2].poll() is None, "trials that abort take no Dask worker along"


@pytest.mark.slow
def test_a_scheduler_that_ends_under_a_run_is_said(tmp_path: Path, cluster: Cluster):
    asked = toy_study(algorithms=("toy-slow",), repeats=4, params={"toy-slow": {"scale": (0.5,)}})
    end = {1: lambda: cluster.scheduler.kill()}
    with pytest.raises(EngineError, match=r"Dask scheduler .* was lost; start it again"):
        run_study(asked, db=tmp_path / "r.db", scheduler=cluster.address, on_progress=after(end))
    with open_database(tmp_path / "r.db") as db:
        assert counts(db) == {Status.DONE: 1}, "nothing was stored that did not happen"
