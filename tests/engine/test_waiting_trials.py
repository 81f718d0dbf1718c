"""Trials that wait at a worker while a short one runs there: none is lost, mixed up or begun too early."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any

import pytest
from own_processes import workers_of
from toy_trials import ended, outcome_by, planned

from mvarena.contracts.outcome import Status
from mvarena.contracts.trial import Trial
from mvarena.engine.execute import execute
from mvarena.engine.limits import Limits
from mvarena.engine.local_engine import LocalEngine
from mvarena.running import engine_for
from mvarena.study.building import RunOptions
from mvarena.system.forking import Fork, ForkEnd

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


def a_short_one(engine: LocalEngine, trial: Trial) -> None:
    """Have the engine know how long trials of its method take."""
    assert outcome_by(engine, trial).status is Status.DONE


def test_the_next_waits_behind_a_short_one_and_gives_what_it_gives_alone() -> None:
    trials = planned("toy-quick", repeats=6)
    with LocalEngine(queues=True) as engine:
        a_short_one(engine, trials[0])
        worker = engine._workers[0].process
        engine.submit(trials[1])
        for following in trials[2:]:
            assert engine.has_room
            engine.submit(following)
            assert not engine.has_room
            found, outcome = ended(engine)
            assert found is trials[trials.index(following) - 1]
            assert str(outcome.scores) == str(execute(found).scores)  # NaN among them
            assert outcome.wall_s < 1
        assert ended(engine)[0] is trials[-1]
        assert not engine.running
        assert engine._workers[0].process is worker


def test_none_waits_where_what_ends_decides_what_is_run() -> None:
    for skips in (False, True):
        with engine_for(RunOptions(skip_after_limit=skips), 1, Limits(), 0) as engine:
            first, second = planned("toy-quick", repeats=2)
            a_short_one(engine, first)
            engine.submit(second)
            assert engine.has_room is not skips


def test_what_is_printed_is_of_the_trial_that_printed_it() -> None:
    deeds = ("rounds-small-numbers-to-zero", "prints-20-megabytes")
    quiet, loud = (planned("toy-hostile", params={"deed": deed}) for deed in deeds)
    with LocalEngine(queues=True) as engine:
        a_short_one(engine, quiet[0])
        for trial in (loud[0], quiet[0]):
            engine.submit(trial)
        assert ended(engine)[1].stdout_tail.endswith("the end of it\n")
        assert ended(engine)[1].stdout_tail == ""
        for trial in (quiet[0], loud[0]):
            engine.submit(trial)
        time.sleep(1.0)  # the second prints before anybody looks whether the first has ended
        assert ended(engine)[1].stdout_tail == ""
        assert ended(engine)[1].stdout_tail.endswith("the end of it\n")


@pytest.fixture
def engine_with_one_that_waits() -> Any:
    """An engine whose worker sleeps over a trial, and has the next; and that."""
    (short,), (long,) = planned("toy-slow", params={"scale": 0.0}), planned("toy-slow", params={"scale": 600.0})
    with LocalEngine(queues=True) as engine:
        a_short_one(engine, short)
        engine.submit(long)
        engine.finished(1.0)  # by then the fork of the short one has gone
        while len(workers_of(os.getpid())) != 2:
            engine.finished(0.05)
        engine.submit(short)
        yield engine, short
    assert not workers_of(os.getpid())


def test_one_that_waits_adds_no_process_and_is_not_run_when_all_is_interrupted(engine_with_one_that_waits: Any) -> None:
    engine, short = engine_with_one_that_waits
    assert not engine.finished(0.5)
    assert len(workers_of(os.getpid())) == 2, "the worker and the fork of the trial that runs"
    ((trial, outcome),) = engine.interrupt()
    assert trial is not short
    assert outcome.status is Status.INTERRUPTED


@pytest.mark.parametrize("who", ["worker", "fork"])
def test_one_that_waits_is_run_though_its_worker_or_the_trial_before_is_killed(
    engine_with_one_that_waits: Any, who: str
) -> None:
    engine, short = engine_with_one_that_waits
    worker = engine._workers[0].process.process
    (fork,) = workers_of(os.getpid()) - {worker}
    os.kill(worker if who == "worker" else fork, signal.SIGKILL)
    killed = ended(engine)[1]
    assert (killed.status, killed.signal) == (Status.CRASHED, signal.SIGKILL)
    trial, outcome = ended(engine)
    assert (trial, outcome.status) == (short, Status.DONE)
    assert (engine._workers[0].process.process == worker) == (who == "fork")


def test_a_limit_of_time_counts_from_the_start_of_the_trial_that_waits() -> None:
    (first,), (second,) = planned("toy-slow", params={"scale": 0.6}), planned("toy-slow", params={"scale": 0.7})
    with LocalEngine(limits=Limits(timeout_s=1.0), queues=True) as engine:
        a_short_one(engine, first)
        for trial in (first, second):
            engine.submit(trial)
        assert [ended(engine)[1].status for _ in "12"] == [Status.DONE, Status.DONE]


def test_a_fork_that_waits_does_nothing_before_it_is_to_go() -> None:
    fork = Fork(lambda: b"done", waits=True)
    try:
        assert fork.heard(0.2) == ForkEnd()
        assert fork.go()
        assert fork.heard(30.0).answer == b"done"
    finally:
        fork.end()


def test_a_fork_that_is_killed_while_it_waits_does_not_go() -> None:
    fork = Fork(lambda: b"done", waits=True)
    os.kill(fork.process, signal.SIGKILL)
    deadline = time.monotonic() + 30
    while not fork._has_ended() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not fork.go()
