"""Workers that start before there are trials for them."""

from __future__ import annotations

import gc
import os
import signal
import time
from typing import Any

import pytest
from toy_trials import one_trial, outcome_by

from mvarena.contracts.outcome import Status
from mvarena.engine import local_engine
from mvarena.engine.local_engine import LocalEngine
from mvarena.engine.worker_process import WorkerProcess


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


def test_as_many_start_as_there_is_room_for_and_take_the_trials(started):
    with LocalEngine(2, ahead=5) as engine:
        assert len(started) == 2
        assert engine.has_room
        assert not engine.running
        assert outcome_by(engine, one_trial()).status is Status.DONE
    assert len(started) == 2
    assert all(worker.code() is not None for worker in started)


def test_one_that_ended_before_its_first_trial_is_replaced(started):
    with LocalEngine(ahead=1) as engine:
        os.kill(started[0].process, signal.SIGKILL)
        deadline = time.monotonic() + 30
        while started[0].is_fit and time.monotonic() < deadline:
            engine._read(0.1)
        assert outcome_by(engine, one_trial()).status is Status.DONE
    assert len(started) == 2


def test_a_system_that_starts_none_is_told_of_with_the_first_trial(monkeypatch):
    trial = one_trial()

    def refuse():
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(os, "fork", refuse)
    with LocalEngine(ahead=1) as engine, pytest.raises(BlockingIOError, match="no more processes"):
        engine.submit(trial)
    gc.collect()  # what was left open would be a ResourceWarning here, and warnings are errors
    assert not engine.running
