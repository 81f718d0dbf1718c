"""Trials in forks of their worker: none finds what another left, and crashes end one fork."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Sequence

import numpy as np
import pytest
from toy_trials import one_trial, outcome_by, planned

from mvarena.contracts.outcome import MEMORY_AT_START, Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.execute import execute
from mvarena.engine.limits import Limits
from mvarena.engine.local_engine import LocalEngine
from mvarena.engine.watch import Watch
from mvarena.system.forking import Fork


def outcomes(trials: Sequence[Trial], limits: Limits | None = None) -> list[Outcome]:
    """Those of `trials`, one after the other on one worker."""
    with LocalEngine(limits=limits) as engine:
        return [outcome_by(engine, trial) for trial in trials]


def test_generators_of_a_process_give_the_same_scores_in_any_order() -> None:
    trials = planned("toy-draws", repeats=3)
    found = outcomes(trials)
    np.random.rand(), random.random()  # noqa: NPY002  # workers are forked from this process
    reversed_ones = outcomes(trials[::-1])
    assert [str(one.scores) for one in found] == [str(one.scores) for one in reversed_ones[::-1]]  # NaN among them


def test_a_worker_outlives_the_trials_that_crash() -> None:
    with LocalEngine() as engine:
        workers = []
        for name in ("toy-quick", "toy-dies", "toy-quick"):
            status = outcome_by(engine, one_trial(name)).status
            workers.append((engine._workers[0].process, status))
    assert [status for _, status in workers] == [Status.DONE, Status.CRASHED, Status.DONE]
    assert workers[0][0] is workers[1][0] is workers[2][0]


@pytest.mark.slow
def test_a_trial_gives_in_a_fork_what_it_gives_here() -> None:
    asked = (("truth", "toy-blobs"), ("toy-quick", "toy-drawn"), ("toy-quick", "toy-words"), ("toy-quick", "toy-plain"))
    trials = [one_trial(name, dataset) for name, dataset in asked]
    for trial, there in zip(trials, outcomes(trials, Limits(threads=2)), strict=True):
        here = execute(trial)
        assert (there.status, there.reason) == (here.status, here.reason) == (Status.DONE, "")
        assert dict(there.achieved) | {MEMORY_AT_START: 0} == dict(here.achieved) | {MEMORY_AT_START: 0}
        assert there.source_hash == here.source_hash
        assert there.environment["trial_threads"] == 2
        assert set(there.environment["threads"].values()) == {2}
        for one, other in zip(there.scores, here.scores, strict=True):
            assert one.metric == other.metric
            np.testing.assert_equal(one.value, other.value)


def test_what_is_measured_is_of_the_trial_alone() -> None:
    busy, idle = outcomes([*planned("toy-slow", params={"scale": 0.5}), *planned()])
    assert busy.wall_s >= 0.5 > idle.wall_s
    assert 0 < idle.cpu_s < 1
    assert 20 < idle.achieved[MEMORY_AT_START] <= idle.peak_rss_mb


def burn(seconds: float) -> bytes:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    return b""


def nothing() -> None:
    """What a worker does meanwhile."""


def test_the_cpu_time_of_a_trial_is_not_that_of_the_one_before() -> None:
    trial = one_trial()
    before = Fork(lambda: burn(0.5))
    assert before.heard(30.0).answer == b""
    watch = Watch(trial, Limits(cpu_s=0.3), os.getppid())
    before.end()
    after = Fork(lambda: time.sleep(0.4) or b"whole")
    try:
        assert watch.outcome(after, nothing, nothing) == b"whole"
    finally:
        after.end()
