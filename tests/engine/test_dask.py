"""Trials on a real Dask scheduler with worker processes on the loopback address: nodes are lost, and nothing else."""

from __future__ import annotations

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
from study_runs import run_study

from mvarena.api import load_dataset
from mvarena.contracts.outcome import Status
from mvarena.contracts.source import Source
from mvarena.engine import dask_engine, dask_trial
from mvarena.engine.conductor import Advance
from mvarena.engine.execute import execute
from mvarena.engine.limits import Limits
from mvarena.errors import EngineError, InvalidSetting
from mvarena.readers.npz import write_npz
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import open_database
from mvarena.store.trials import counts
from mvarena.study.model import Study
from mvarena.study.plan import plan_study

SCORES = ["key", "metric", "value", "status"]


def study(**changes: object) -> Study:
    return Study(**({"algorithms": ("toy-quick",), "datasets": ("toy-blobs",), "repeats": 3, "restarts": 2} | changes))


class Cluster:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self.folder = folder
        self._environment = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "10s", "OMP_NUM_THREADS": "1"}
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.workers: list[subprocess.Popen[bytes]] = []

    @property
    def address(self) -> str:
        import json

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


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    (tmp_path / "dask").mkdir()
    found = Cluster(tmp_path / "dask")
    try:
        yield found
    finally:
        found.stop()


def after(ends: dict[int, Callable[[], None]]) -> Callable[[Advance], None]:
    """Calls the action of a number when so many trials have ended."""

    def advanced(advance: Advance) -> None:
        if advance.trial is not None and advance.done in ends:
            ends.pop(advance.done)()

    return advanced


def table(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[SCORES].reset_index(drop=True)


@pytest.mark.slow
def test_a_worker_that_is_killed_and_one_that_is_frozen_change_nothing_in_the_table(tmp_path: Path, cluster: Cluster):
    asked = study(algorithms=("toy-slow", "toy-dies", "toy-raises"), repeats=6, params={"toy-slow": {"scale": (0.5,)}})
    local = run_study(asked, db=tmp_path / "local.db")
    cluster.start(2)

    def kill() -> None:
        cluster.workers[0].kill()
        cluster.add_worker()

    lost = {2: kill, 6: lambda: cluster.workers[1].send_signal(signal.SIGSTOP)}
    found = run_study(asked, db=tmp_path / "dask.db", scheduler=cluster.address, on_progress=after(lost))
    assert not lost, "both were lost while trials were left"
    assert found.tally.ran == local.tally.ran == {Status.DONE: 6, Status.CRASHED: 6, Status.FAILED: 6}
    pd.testing.assert_frame_equal(table(found.scores), table(local.scores))
    assert cluster.workers[2].poll() is None, "trials that abort take no Dask worker along"


RUN = """
import sys
from mvarena.running import run_blocks
from mvarena.store.database import open_database
from mvarena.store.trials import counts
from mvarena.study.building import Block
from mvarena.study.model import Study
from mvarena.study.options import RunOptions
study = Study(algorithms=("toy-slow",), datasets=("toy-blobs",), repeats=2, params={"toy-slow": {"scale": (600.0,)}})
print("go", flush=True)
run_blocks([Block(study)], RunOptions(db=sys.argv[1], scheduler=sys.argv[2]))
"""


def processes_below(pid: int) -> set[int]:
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    children: dict[int, list[int]] = {}
    for line in listed.splitlines():
        one, parent = map(int, line.split())
        children.setdefault(parent, []).append(one)
    found, waiting = set(), [pid]
    while waiting:
        for one in children.get(waiting.pop(), []):
            found.add(one)
            waiting.append(one)
    return found


def eventually(true: Callable[[], bool]) -> bool:
    end = time.monotonic() + 120
    while not (seen := true()) and time.monotonic() < end:
        time.sleep(0.1)
    return seen


@pytest.mark.slow
def test_a_conductor_that_is_killed_leaves_the_nodes_free_for_the_one_that_resumes(tmp_path: Path, cluster: Cluster):
    cluster.start(1)
    script = tmp_path / "script.py"
    script.write_text(RUN)
    command = [sys.executable, str(script), str(tmp_path / "r.db"), cluster.address]
    conductor = subprocess.Popen(command, stdout=subprocess.PIPE)
    node = cluster.workers[0].pid
    assert eventually(lambda: len(processes_below(node)) >= 2), "the trial runs in a fork of a worker of ours"
    conductor.kill()
    conductor.communicate()
    asked = study(algorithms=("toy-quick",))
    found = run_study(asked, db=tmp_path / "r.db", scheduler=cluster.address)
    assert found.tally.ran == {Status.DONE: 3}, "the only node was not held by the trial of 600 s"


@pytest.mark.slow
def test_a_time_out_ends_the_trial_alone(tmp_path: Path, cluster: Cluster):
    cluster.start(2)
    asked = study(algorithms=("toy-slow", "toy-quick"), repeats=1, params={"toy-slow": {"scale": (600.0,)}})
    found = run_study(asked, db=tmp_path / "r.db", scheduler=cluster.address, timeout_s=10.0)
    assert found.tally.ran == {Status.TIMEOUT: 1, Status.DONE: 1}


@pytest.mark.slow
def test_an_interrupted_run_ends_what_it_started(cluster: Cluster):
    cluster.start(1)
    asked = study(algorithms=("toy-slow",), repeats=1, params={"toy-slow": {"scale": (600.0,)}})
    (trial,) = plan_study(asked, installed_catalog()).trials
    with dask_engine.DaskEngine(cluster.address) as engine:
        engine.submit(trial)
        assert eventually(lambda: len(processes_below(cluster.workers[0].pid)) >= 2)
        ((ended, outcome),) = engine.interrupt()
        assert (ended, outcome.status) == (trial, Status.INTERRUPTED)
        assert engine.running == []
        assert eventually(lambda: not processes_below(cluster.workers[0].pid))


def test_a_scheduler_that_does_not_answer_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(dask_engine, "_CONNECT_S", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense://there"):
        with pytest.raises(InvalidSetting, match=r"no Dask scheduler answers at .*; start one with 'dask scheduler'"):
            run_study(study(), db=tmp_path / "r.db", scheduler=address)


@pytest.mark.slow
def test_a_scheduler_that_ends_under_a_run_is_said(tmp_path: Path, cluster: Cluster):
    cluster.start(1)
    asked = study(algorithms=("toy-slow",), repeats=4, params={"toy-slow": {"scale": (0.5,)}})
    end = {1: lambda: cluster.scheduler.kill()}
    with pytest.raises(EngineError, match=r"Dask scheduler .* was lost; start it again"):
        run_study(asked, db=tmp_path / "r.db", scheduler=cluster.address, on_progress=after(end))
    with open_database(tmp_path / "r.db") as db:
        assert counts(db) == {Status.DONE: 1}, "nothing was stored that did not happen"


@pytest.mark.slow
def test_files_of_ones_own_are_found_where_a_machine_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "mine.npz"
    write_npz(load_dataset("toy-blobs"), path)
    asked = study(datasets=(Source.of_files([path], name="mine"),), repeats=1)
    (trial,) = plan_study(asked, installed_catalog()).trials
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
def test_several_trials_on_one_file_run_on_a_scheduler(tmp_path: Path, cluster: Cluster):
    path = tmp_path / "mine.npz"
    write_npz(load_dataset("toy-blobs"), path)
    asked = study(datasets=(Source.of_files([path], name="mine"),), repeats=4)
    local = run_study(asked, db=tmp_path / "local.db")
    cluster.start(1)
    found = run_study(asked, db=tmp_path / "dask.db", scheduler=cluster.address)
    assert found.tally.ran == {Status.DONE: 4}
    pd.testing.assert_frame_equal(table(found.scores), table(local.scores))
