"""Workers that start before there are trials for them, and trials that wait at a worker."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import numpy as np
import pytest

from mvarena.contracts.outcome import SPEED, Status
from mvarena.contracts.trial import Trial
from mvarena.engine import local_engine
from mvarena.engine.limits import Limits
from mvarena.engine.local_engine import LocalEngine
from mvarena.engine.worker_process import WorkerProcess
from mvarena.registry.catalog import installed_catalog
from mvarena.study.model import Study
from mvarena.study.plan import plan_study
from mvarena.system.speed import machine_speed


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[WorkerProcess]:
    """All workers that have been started."""
    found: list[WorkerProcess] = []

    class Noted(WorkerProcess):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            found.append(self)

    monkeypatch.setattr(local_engine, "WorkerProcess", Noted)
    return found


def a_trial() -> Trial:
    study = Study(algorithms=("toy-quick",), datasets=("toy-blobs",), repeats=1, restarts=1)
    (trial,) = plan_study(study, installed_catalog()).trials
    return trial


def status_of_a_trial(engine: LocalEngine) -> Status:
    engine.submit(a_trial())
    while not (ended := engine.finished(10.0)):
        pass
    return ended[0][1].status


def test_as_many_start_as_there_is_room_for(started):
    with LocalEngine(2, ahead=5) as engine:
        assert len(started) == 2
        assert engine.has_room
        assert not engine.running
    assert all(worker.code() is not None for worker in started)


def test_a_trial_goes_to_the_one_that_waits(started):
    with LocalEngine(ahead=1) as engine:
        assert status_of_a_trial(engine) is Status.DONE
    assert len(started) == 1


def test_one_that_ended_before_its_first_trial_is_replaced(started):
    with LocalEngine(ahead=1) as engine:
        os.kill(started[0].process, signal.SIGKILL)
        deadline = time.monotonic() + 30
        while started[0].is_fit and time.monotonic() < deadline:
            engine._read(0.1)
        assert status_of_a_trial(engine) is Status.DONE
    assert len(started) == 2


def test_a_system_that_starts_none_is_told_of_with_the_first_trial(monkeypatch):
    def none(*_: Any) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(local_engine, "WorkerProcess", none)
    with LocalEngine(ahead=1) as engine, pytest.raises(OSError, match="no more processes"):
        engine.submit(a_trial())


def planned(*asked: tuple[str, dict[str, Any]]) -> list[Trial]:
    params = {name: {key: (value,) for key, value in given.items()} for name, given in asked}
    study = Study(
        algorithms=tuple(params), datasets=("toy-blobs",), repeats=1, restarts=1, corruptions=("none",), params=params
    )
    return list(plan_study(study, installed_catalog()).trials)


@pytest.mark.slow
def test_cpu_time_is_counted_in_seconds_of_the_reference_machine():
    (trial,) = planned(("toy-hostile", {"deed": "burns-in-children"}))
    with LocalEngine(limits=Limits(cpu_s=100.0, speed=200.0)) as engine:
        engine.submit(trial)
        while not (ended := engine.finished(10.0)):
            pass
    outcome = ended[0][1]
    assert (outcome.status, outcome.cpu_s, outcome.environment[SPEED]) == (Status.TIMEOUT, 100.0, 200.0)
    assert outcome.reason == "toy-hostile took longer than the 100 s of CPU time allowed."
    assert outcome.wall_s < 60


def test_the_speed_of_this_machine():
    began = time.thread_time()
    speed = machine_speed.__wrapped__()
    assert time.thread_time() - began < 1.0
    assert 0.02 < speed < 20, "of a machine that runs tests"
    assert abs(np.log(machine_speed.__wrapped__() / speed)) < np.log(2)
