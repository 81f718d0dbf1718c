"""In which order a conductor works: what has ended is never lost, whatever happens before it is recorded."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from sqlalchemy import func, select
from toy_trials import planned

from mvarena.contracts.outcome import UNSCORED, Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine import conductor
from mvarena.engine.conductor import Advance, Conductor
from mvarena.engine.pending import pending
from mvarena.errors import StoreError
from mvarena.store.database import Database, open_database
from mvarena.store.schema import attempts
from mvarena.store.trials import counts
from mvarena.store.write_outcomes import record


class OneByOne:
    """An engine whose trials end at once, FAILED; `on_submit` is called with the number of the trial that comes.

    told : further fields of their outcomes.
    """

    def __init__(self, on_submit: Callable[[int], None] = lambda _: None, **told: Any) -> None:
        self._on_submit = on_submit
        self._told = {"status": Status.FAILED, "started_at": datetime.now(UTC)} | told
        self.submitted = 0
        self.running: list[Trial] = []

    @property
    def has_room(self) -> bool:
        return not self.running

    def submit(self, trial: Trial) -> None:
        self.submitted += 1
        self._on_submit(self.submitted)
        self.running.append(trial)

    def finished(self, patience_s: float) -> list[tuple[Trial, Outcome]]:
        return [(self.running.pop(), Outcome(wall_s=patience_s, **self._told))]

    def interrupt(self) -> list[tuple[Trial, Outcome]]:
        return []


def raising(error: BaseException, at: int) -> Callable[[int], None]:
    def at_submit(number: int) -> None:
        if number == at:
            raise error

    return at_submit


@pytest.fixture
def trials():
    return planned(repeats=4)


def test_the_next_trial_runs_while_the_last_is_recorded(db, trials):
    engine, busy = OneByOne(), []

    def see(advance):
        if advance.trial is not None:
            busy.append([trial.key for trial in engine.running])

    Conductor(db, engine, on_progress=see).run(pending(db, trials))
    assert busy == [[trial.key] for trial in trials[1:]] + [[]]


def test_what_has_ended_is_stored_though_the_next_cannot_start(db, trials):
    engine = OneByOne(raising(OSError("no process can be started"), at=3))
    with pytest.raises(OSError, match="no process"):
        Conductor(db, engine).run(pending(db, trials))
    assert counts(db) == {Status.FAILED: 2}


def test_what_has_ended_is_stored_though_the_run_is_interrupted_before(db, trials):
    tally = Conductor(db, OneByOne(raising(KeyboardInterrupt(), at=3))).run(pending(db, trials))
    assert tally.interrupted
    assert tally.ran == counts(db) == {Status.FAILED: 2}


def test_what_another_run_stores_meanwhile_is_not_run_and_its_outcomes_stay(db, trials):
    def another(number: int) -> None:
        for trial in trials[1:3] if number == 2 else ():
            assert record(db, trial, Outcome(status=Status.CRASHED, started_at=datetime.now(UTC), wall_s=7.0))

    advances: list[Advance] = []
    tally = Conductor(db, OneByOne(another), on_progress=advances.append).run(pending(db, trials))
    assert (tally.ran, tally.elsewhere) == ({Status.FAILED: 2}, 2)
    assert counts(db) == {Status.FAILED: 2, Status.CRASHED: 2}
    assert sorted(key for one in advances for key in one.ended) == sorted(trial.key for trial in trials)
    assert [one.done for one in advances][-1] == len(trials)


def test_runs_at_the_same_trials_store_each_once_and_run_few_twice(tmp_path):
    """The runs take turns, so that each begins a trial before the others have stored theirs."""
    trials = planned(repeats=60)
    started: list[str] = []
    with ExitStack() as stack:
        dbs = [stack.enter_context(open_database(tmp_path / "r.db")) for _ in range(4)]
        barrier = Barrier(len(dbs))

        def run(db: Database) -> int:
            def wait(_: int) -> None:
                with suppress(BrokenBarrierError):
                    barrier.wait(20)

            engine = OneByOne(wait)
            try:
                tally = Conductor(db, engine).run(pending(db, trials))
            finally:
                started.extend([""] * engine.submitted)
                barrier.abort()
            return tally.elsewhere + sum(tally.ran.values())

        with ThreadPoolExecutor(len(dbs)) as pool:
            assert list(pool.map(run, dbs)) == [60] * len(dbs)
        assert counts(dbs[0]) == {Status.FAILED: 60}
        with dbs[0].read() as connection:
            assert connection.scalar(select(func.count()).select_from(attempts)) == 60
    assert len(started) <= 60 + 30 * 3, "of 60 for each run"


def test_what_is_being_recorded_when_a_run_is_interrupted_is_stored(db, trials, monkeypatch):
    calls = []

    def interrupted_once(*given: Any) -> bool:
        calls.append(given)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return record(*given)

    monkeypatch.setattr(conductor, "record", interrupted_once)
    assert Conductor(db, OneByOne()).run(pending(db, trials[:1])).interrupted
    assert counts(db) == {Status.FAILED: 1}


def test_a_metric_that_fails_is_warned_of_once(db, trials):
    engine = OneByOne(achieved={UNSCORED: {"nmi": "The metric 'nmi' failed."}})
    sentence = r"toy-quick on toy-blobs has no score by nmi\. The metric 'nmi' failed\."
    with pytest.warns(UserWarning, match=sentence) as warned:
        Conductor(db, engine).run(pending(db, trials))
    assert len(warned) == 1


def test_what_went_wrong_first_is_what_is_told(tmp_path, db, trials):
    def lose(_: int) -> None:
        for one in tmp_path.glob("r.db*"):
            one.write_bytes(b"no database at all, and no lock of one either" * 200)
        raise ZeroDivisionError("the first")

    with pytest.raises(ZeroDivisionError, match="the first"):
        Conductor(db, OneByOne(lose)).run(pending(db, trials))


@pytest.mark.parametrize("at", [1, 4], ids=["in the middle", "at the end"])
@pytest.mark.parametrize("is_replaced", [False, True], ids=["deleted", "replaced"])
def test_a_run_whose_database_goes_does_not_say_that_all_is_well(tmp_path, db, trials, at, is_replaced):
    path = tmp_path / "r.db"
    recorded: list[Trial] = []

    def delete(advance: Advance) -> None:
        recorded.extend([advance.trial] if advance.trial else [])
        if advance.trial and len(recorded) == at:
            for one in tmp_path.glob("r.db*"):
                one.unlink()
            if is_replaced:
                open_database(path).close()

    with pytest.raises(StoreError, match="deleted or moved away by another program while this run wrote to it"):
        Conductor(db, OneByOne(), on_progress=delete).run(pending(db, trials))
    assert path.exists() == is_replaced
    assert len(recorded) == at
