"""A run end to end: what is stored is not run again, what dies dies alone, two runs share the work."""

from __future__ import annotations

import os
import signal
import threading
import time

import mvarena_toys.data
import pytest
from sqlalchemy import select, update
from study_runs import run_study, toy_study
from toy_trials import planned

from mvarena.contracts.outcome import Status
from mvarena.engine.conductor import Conductor
from mvarena.engine.limits import Limits
from mvarena.engine.local_engine import LocalEngine
from mvarena.engine.pending import pending
from mvarena.store.database import open_database
from mvarena.store.numbering import Numbers
from mvarena.store.read_outcomes import outcome_of
from mvarena.store.schema import attempts
from mvarena.store.trials import counts
from mvarena.study.sources import forget_sources

pytestmark = pytest.mark.usefixtures("kept_workers")


def test_a_second_run_executes_nothing_and_gives_the_same_scores_and_more_repeats_only_add(tmp_path):
    first = run_study(toy_study(), db=tmp_path / "r.db")
    again = run_study(toy_study(), db=tmp_path / "r.db")
    more = run_study(toy_study(repeats=5), db=tmp_path / "r.db")
    assert first.tally.ran == {Status.DONE: 3}
    assert (again.tally.ran, again.tally.already) == ({}, 3)
    assert again.scores.equals(first.scores)
    assert (more.tally.ran, more.tally.already) == ({Status.DONE: 2}, 3)


def test_a_crash_a_failure_and_a_timeout_end_alone(tmp_path):
    algorithms = ("toy-dies", "toy-raises", "toy-slow", "toy-hungry", "toy-quick")
    asked = toy_study(algorithms=algorithms, repeats=1, params={"toy-slow": {"scale": (60.0,)}})
    result = run_study(asked, db=tmp_path / "r.db", timeout_s=2.0)
    statuses = dict(zip(result.scores["algorithm"], result.scores["status"], strict=False))
    assert statuses == {
        "toy-dies": "CRASHED",
        "toy-raises": "FAILED",
        "toy-slow": "TIMEOUT",
        "toy-hungry": "SKIPPED",
        "toy-quick": "DONE",
    }
    by_name = {trial.algorithm: trial.key for trial in result.plan.trials}
    with open_database(tmp_path / "r.db") as db:
        died, slow = outcome_of(db, by_name["toy-dies"]), outcome_of(db, by_name["toy-slow"])
    assert died is not None
    assert slow is not None
    assert died.signal == signal.SIGSEGV
    assert "SIGSEGV" in died.reason
    assert "Segmentation fault" in died.stderr_tail
    assert slow.reason == "toy-slow took longer than the 2 s allowed."
    assert 2.0 <= slow.wall_s < 30.0


FAILING = ("toy-raises", "toy-dies", "toy-picky", "toy-hungry", "toy-quick")


def test_what_ended_badly_runs_again_only_when_asked(tmp_path):
    asked = toy_study(algorithms=FAILING, repeats=1)
    assert sum(run_study(asked, db=tmp_path / "r.db").tally.ran.values()) == 5
    for rerun, expected in (
        (("timeout", "stale"), {}),
        (("failed",), {Status.FAILED: 1}),
        (("all",), {Status.FAILED: 1, Status.CRASHED: 1, Status.SKIPPED: 2}),
    ):
        result = run_study(asked, db=tmp_path / "r.db", rerun=rerun)
        assert result.tally.ran == expected
        assert result.tally.already == 5 - sum(expected.values())
    with open_database(tmp_path / "r.db") as db:
        assert sum(counts(db).values()) == 5, "each trial has one current outcome"


def test_a_time_out_runs_again_where_somebody_asks_for_it(tmp_path):
    asked = toy_study(algorithms=("toy-slow",), repeats=1, params={"toy-slow": {"scale": (0.6,)}})
    assert run_study(asked, db=tmp_path / "r.db", timeout_s=0.3).tally.ran == {Status.TIMEOUT: 1}
    assert run_study(asked, db=tmp_path / "r.db", timeout_s=0.3).tally.ran == {}
    assert run_study(asked, db=tmp_path / "r.db", timeout_s=0.3, rerun=("timeout",)).tally.ran == {Status.TIMEOUT: 1}
    assert run_study(asked, db=tmp_path / "r.db", timeout_s=90.0).tally.ran == {}
    assert run_study(asked, db=tmp_path / "r.db", timeout_s=90.0, rerun=("timeout",)).tally.ran == {Status.DONE: 1}
    assert run_study(asked, db=tmp_path / "r.db", timeout_s=0.3, rerun=("timeout",)).tally.already == 1


@pytest.mark.slow
def test_a_worker_that_hangs_while_it_loads_data_is_ended_in_time(tmp_path, monkeypatch):
    forget_sources()  # the data that a test before may have left to the forks of this process
    monkeypatch.setenv(mvarena_toys.data.LOADS_IN, str(os.getpid()))
    began, asked = time.monotonic(), toy_study(repeats=1, datasets=("toy-drawn",))
    assert run_study(asked, db=tmp_path / "r.db", timeout_s=0.3).tally.ran == {Status.TIMEOUT: 1}
    assert time.monotonic() - began < 50


@pytest.fixture
def stale_store(tmp_path):
    """A store in which two trials of toy-quick were done by other code, and one by the code that is here."""
    run_study(toy_study(), db=tmp_path / "r.db")
    with open_database(tmp_path / "r.db") as db, db.write() as connection:
        ran = connection.scalars(select(attempts.c.id)).all()
        other = Numbers(connection).of_text("3:" + "0" * 64)
        connection.execute(update(attempts).where(attempts.c.id.in_(ran[:2])).values(code=other))
    return tmp_path / "r.db"


def test_trials_that_other_code_ran_are_told_and_stay(stale_store):
    tally = run_study(toy_study(), db=stale_store).tally
    assert (tally.ran, tally.already, tally.stale) == ({}, 3, {"toy-quick": 2})


@pytest.mark.parametrize("rerun", ["stale", "all"])
def test_trials_that_other_code_ran_run_again_when_asked_and_are_stale_no_more(stale_store, rerun):
    before = run_study(toy_study(), db=stale_store)
    again = run_study(toy_study(), db=stale_store, rerun=(rerun,))
    assert (again.tally.ran, again.tally.already, again.tally.stale) == ({Status.DONE: 2}, 1, {})
    assert sorted(again.scores["attempt"].groupby(again.scores["key"]).first()) == [1, 2, 2]
    same = ["key", "metric", "value"]
    assert again.scores[same].equals(before.scores[same]), "as the code is the same after all"
    assert run_study(toy_study(), db=stale_store, rerun=(rerun,)).tally.ran == {}


@pytest.mark.slow
def test_what_another_run_has_run_again_meanwhile_is_not_run_once_more(stale_store):
    trials = planned(repeats=3)
    with open_database(stale_store) as db, LocalEngine() as engine:
        conductor = Conductor(db, engine)
        run = conductor._step

        def step() -> None:  # the other run comes in once this one knows what it wants
            conductor._step = run
            Conductor(db, engine).run(pending(db, trials, ["stale"]))
            run()

        conductor._step = step
        tally = conductor.run(pending(db, trials, ["stale"]))
    assert (tally.ran, tally.already, tally.elsewhere) == ({}, 1, 2)


@pytest.mark.slow
@pytest.mark.usefixtures("ctrl_c_works")
def test_an_interrupted_run_keeps_what_ended_and_goes_on(tmp_path):
    asked = toy_study(algorithms=("toy-quick", "toy-slow"), repeats=2, params={"toy-slow": {"scale": (600.0,)}})

    def interrupt(progress):
        if progress.trial is not None and progress.trial.algorithm == "toy-quick":
            threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()

    result = run_study(asked, db=tmp_path / "r.db", on_progress=interrupt)
    assert result.tally.interrupted
    assert result.tally.ran == {Status.DONE: 1, Status.INTERRUPTED: 1}
    quick = toy_study(algorithms=("toy-quick",), repeats=2)
    assert run_study(quick, db=tmp_path / "r.db").tally.already == 1
    with open_database(tmp_path / "r.db") as db:
        assert counts(db) == {Status.DONE: 2, Status.INTERRUPTED: 1}
        trials = planned("toy-slow", params={"scale": 600.0}, repeats=2)
        with LocalEngine(limits=Limits(timeout_s=0.5)) as engine:
            assert Conductor(db, engine).run(pending(db, trials)).ran == {Status.TIMEOUT: 2}


@pytest.mark.slow
def test_a_method_is_skipped_after_a_limit_on_the_data_as_they_are(tmp_path):
    slow = toy_study(
        algorithms=("toy-slow", "toy-quick"), rates=(0.0, 0.2), repeats=2, params={"toy-slow": {"scale": (60.0,)}}
    )
    result = run_study(slow, db=tmp_path / "r.db", timeout_s=0.3, skip_after_limit=True)
    assert result.tally.ran == {Status.TIMEOUT: 1, Status.SKIPPED: 3, Status.DONE: 4}
    skipped = result.scores[result.scores["status"] == "SKIPPED"]
    assert set(skipped["algorithm"]) == {"toy-slow"}
    more = toy_study(algorithms=("toy-slow",), rates=(0.4,), repeats=1, params={"toy-slow": {"scale": (60.0,)}})
    both = run_study(more, db=tmp_path / "r.db", timeout_s=0.3, skip_after_limit=True)
    assert both.tally.ran == {Status.TIMEOUT: 1}  # nothing in this plan says that it reaches a limit
