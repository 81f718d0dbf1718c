"""When workers end: with their conductor, before they have started, and with whatever they started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from hostile_run import survivors
from own_processes import workers_of
from toy_trials import ended, one_trial, outcome_by, outcome_there, planned

from mvarena.contracts.outcome import Status
from mvarena.contracts.trial import Trial
from mvarena.engine import worker_process
from mvarena.engine.execute import execute
from mvarena.engine.limits import Limits
from mvarena.engine.local_engine import LocalEngine
from mvarena.engine.worker_process import can_be_forked
from mvarena.system import openblas
from mvarena.system.processes import descendants

SCRIPT = """
import mvarena
deed = {"deed": "leaves-a-daemon-and-holds-the-interpreter"}
mvarena.run("toy-hostile", "toy-blobs", repeats=1, restarts=1, params={"toy-hostile": deed}, db="DB")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a worker must get to run to see that it is an orphan")
def test_nothing_outlives_a_conductor_that_is_killed(tmp_path, monkeypatch):
    notes = tmp_path / "notes"
    monkeypatch.setenv("MVARENA_TOYS_NOTES", str(notes))
    conductor = subprocess.Popen([sys.executable, "-c", SCRIPT.replace("DB", str(tmp_path / "r.db"))])
    for _ in range(1200):
        if notes.exists() and len(notes.read_text().split()) == 2:
            break
        time.sleep(0.1)
    family = descendants(conductor.pid)
    assert len(family) >= 3, "a worker, its fork and a daemon"
    conductor.kill()
    conductor.wait()
    for _ in range(600):
        if not survivors(notes) and not any(Path(f"/proc/{one}").exists() for one in family):
            return
        time.sleep(0.1)
    pytest.fail("something outlived its conductor")


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_worker_that_never_starts_is_given_up(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(worker_process, "can_be_forked", lambda _: False)
    outcome = outcome_there(one_trial(), Limits(start_s=1.0))
    assert outcome.status is Status.CRASHED
    assert outcome.reason.startswith("The worker process did not start within 1 s")
    assert not family()


def family() -> set[int]:
    """The workers of this process and their forks."""
    return workers_of(os.getpid())


def started_trial(engine: LocalEngine, trial: Trial) -> tuple[int, int]:
    """The worker and its fork, once that has begun `trial`."""
    engine.submit(trial)
    process = engine._workers[0].process
    while not process.ready or len(found := family()) < 2:
        engine.finished(0.05)
    worker = process.process
    (fork,) = found - {worker}
    return worker, fork


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("who", [0, 1], ids=["the worker", "its fork"])
def test_a_process_that_is_stopped_now_and_then_goes_on(who):
    trial = one_trial("toy-slow", params={"scale": 1.0})
    with LocalEngine(limits=Limits(frozen_s=30.0)) as engine:
        process = started_trial(engine, trial)[who]
        for _ in range(3):
            os.kill(process, signal.SIGSTOP)
            assert not engine.finished(0.2)
            os.kill(process, signal.SIGCONT)
        _, outcome = ended(engine)
    assert outcome.status is Status.DONE


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("who", [0, 1], ids=["the worker", "its fork"])
def test_a_process_that_is_stopped_is_ended_though_no_time_is_limited(who):
    trial = one_trial("toy-slow", params={"scale": 600.0})
    with LocalEngine(limits=Limits(frozen_s=1.0)) as engine:
        os.kill(started_trial(engine, trial)[who], signal.SIGSTOP)
        _, outcome = ended(engine)
        assert outcome.status is Status.CRASHED
        assert outcome.reason == "The worker process was paused and did not continue within 1 s; it was stopped."
    assert not family()


@pytest.mark.slow
def test_a_trial_that_a_dead_worker_had_but_never_began_is_given_to_another_once():
    first, second = planned(repeats=2)
    with LocalEngine() as engine:
        assert outcome_by(engine, first).status is Status.DONE
        die_with(engine, second)
        assert ended(engine)[1].status is Status.DONE
        die_with(engine, second)
        trial, outcome = ended(engine)
    assert (trial, outcome.status, outcome.signal) == (second, Status.CRASHED, signal.SIGKILL)


def die_with(engine: LocalEngine, given: Trial) -> None:
    """Kill the worker that waits, with this trial in its pipe."""
    worker = engine._workers[0].process.process
    os.kill(worker, signal.SIGSTOP)
    engine.submit(given)
    assert engine._workers[0].process.process == worker
    os.kill(worker, signal.SIGKILL)


@pytest.mark.parametrize("can", [True, False], ids=["a fork", "a fresh interpreter"])
def test_a_worker_is_a_fork_or_a_fresh_interpreter_with_the_same_results(monkeypatch, can):
    monkeypatch.setattr(worker_process, "can_be_forked", lambda _: can)
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    trial = one_trial()
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")  # of this process alone
        outcome = outcome_there(trial)
    here = execute(trial)
    assert outcome.status is Status.DONE, outcome.reason
    assert str(outcome.scores) == str(here.scores)  # NaN among them
    assert set(outcome.environment["threads"].values()) == {1}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere all are fresh interpreters")
def test_workers_are_forked_where_nothing_speaks_against_it(monkeypatch):
    monkeypatch.setattr(worker_process, "_MOST_INHERITED", 2**50)
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    assert can_be_forked(1)
    assert not can_be_forked(2)
    with openblas.processes_use("Another"):
        assert not can_be_forked(1)
    monkeypatch.setattr(worker_process, "_MOST_INHERITED", 1)
    assert not can_be_forked(1)
    monkeypatch.undo()
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    waits = threading.Event()
    thread = threading.Thread(target=waits.wait)
    thread.start()
    assert not can_be_forked(1), "the other thread may hold a lock"
    waits.set()
    thread.join()
