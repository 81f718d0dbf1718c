"""Trials in forks of their worker: none finds what another left, and crashes end one fork."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from mvarena.api import run
from mvarena.contracts.outcome import MEMORY_AT_START, Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.execute import execute
from mvarena.engine.limits import Limits
from mvarena.engine.local_engine import LocalEngine
from mvarena.engine.watch import Watch
from mvarena.registry.catalog import installed_catalog
from mvarena.study.model import Study
from mvarena.study.plan import plan_study
from mvarena.system.forking import Fork


def planned(algorithm: str, dataset: str = "toy-blobs", repeats: int = 1, **params: object) -> Sequence[Trial]:
    given = {algorithm: {name: (value,) for name, value in params.items()}} if params else {}
    study = Study(
        algorithms=(algorithm,), datasets=(dataset,), repeats=repeats, restarts=2, corruptions=("none",), params=given
    )
    return list(plan_study(study, installed_catalog()).trials)


def outcomes(trials: Sequence[Trial], limits: Limits | None = None) -> list[Outcome]:
    """Those of `trials`, one after the other on one worker."""
    found = []
    with LocalEngine(limits=limits) as engine:
        for trial in trials:
            engine.submit(trial)
            while not (ended := engine.finished(10.0)):
                pass
            found.append(ended[0][1])
    return found


@pytest.mark.slow
def test_a_generator_of_a_module_gives_the_same_scores_however_trials_are_run(tmp_path: Path) -> None:
    how = {"restarts": 2, "rates": [0.0]}
    one = run("toy-draws", "toy-blobs", repeats=4, jobs=1, db=tmp_path / "one.db", **how)
    two = run("toy-draws", "toy-blobs", repeats=4, jobs=2, db=tmp_path / "two.db", **how)
    run("toy-draws", "toy-blobs", repeats=3, jobs=1, db=tmp_path / "resumed.db", **how)
    resumed = run("toy-draws", "toy-blobs", repeats=4, jobs=1, db=tmp_path / "resumed.db", **how)
    columns = ["key", "metric", "value", "status"]
    frames = [results.scores for results in (one, two, resumed)]
    sort = [frame[columns].sort_values(columns[:2]).reset_index(drop=True) for frame in frames]
    assert set(frames[0]["status"]) == {"DONE"}
    assert sort[0].equals(sort[1])
    assert sort[0].equals(sort[2])


def test_a_worker_outlives_the_trials_that_crash() -> None:
    with LocalEngine() as engine:
        workers = []
        for trial in [*planned("toy-quick"), *planned("toy-dies"), *planned("toy-quick")]:
            engine.submit(trial)
            while not (ended := engine.finished(10.0)):
                pass
            workers.append((engine._workers[0].process, ended[0][1].status))
    assert [status for _, status in workers] == [Status.DONE, Status.CRASHED, Status.DONE]
    assert workers[0][0] is workers[1][0] is workers[2][0]


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_a_trial_gives_in_a_fork_what_it_gives_here(threads: int) -> None:
    asked = [(name, dataset) for dataset in ("toy-blobs", "toy-drawn", "toy-words") for name in ("toy-quick", "truth")]
    asked += [("toy-quick", "toy-plain")]
    trials = [trial for name, dataset in asked for trial in planned(name, dataset)]
    for trial, there in zip(trials, outcomes(trials, Limits(threads=threads)), strict=True):
        here = execute(trial)
        assert (there.status, there.reason) == (here.status, here.reason) == (Status.DONE, "")
        assert dict(there.achieved) | {MEMORY_AT_START: 0} == dict(here.achieved) | {MEMORY_AT_START: 0}
        assert there.source_hash == here.source_hash
        assert there.environment["trial_threads"] == threads
        for one, other in zip(there.scores, here.scores, strict=True):
            assert one.metric == other.metric
            np.testing.assert_equal(one.value, other.value)


@pytest.mark.slow
def test_what_is_measured_is_of_the_trial_alone() -> None:
    busy, idle = outcomes([*planned("toy-slow", scale=0.5), *planned("toy-quick")])
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
    (trial,) = planned("toy-quick")
    before = Fork(lambda: burn(0.5))
    assert before.heard(30.0).answer == b""
    watch = Watch(trial, Limits(cpu_s=0.3), os.getppid())
    before.end()
    after = Fork(lambda: time.sleep(0.4) or b"whole")
    try:
        assert watch.outcome(after, nothing, nothing) == b"whole"
    finally:
        after.end()
