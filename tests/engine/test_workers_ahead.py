"""Workers that start before there are trials for them."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import pytest

from mvarena.contracts.outcome import Status
from mvarena.contracts.trial import Trial
from mvarena.engine import local_engine
from mvarena.engine.local_engine import LocalEngine
from mvarena.engine.worker_process import WorkerProcess
from mvarena.registry.catalog import installed_catalog
from mvarena.study.model import Study
from mvarena.study.plan import plan_study


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
