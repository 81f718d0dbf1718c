"""In which order a conductor works: what has ended is never lost, whatever happens before it is recorded."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from sqlalchemy import func, select

from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.conductor import Conductor
from mvarena.engine.pending import pending
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import Database, open_database
from mvarena.store.schema import claims
from mvarena.store.trials import counts
from mvarena.study.model import Study
from mvarena.study.plan import plan_study


class OneByOne:
    """An engine whose trials end at once, FAILED; `on_submit` is called with the number of the trial that comes."""

    timeout_s: float | None = None
    memory: int | None = None
    cpu_s: float | None = None

    def __init__(self, on_submit: Callable[[int], None] = lambda _: None) -> None:
        self._on_submit = on_submit
        self._submitted = 0
        self.running: list[Trial] = []

    @property
    def has_room(self) -> bool:
        return not self.running

    def submit(self, trial: Trial) -> None:
        self._submitted += 1
        self._on_submit(self._submitted)
        self.running.append(trial)

    def finished(self, patience_s: float) -> list[tuple[Trial, Outcome]]:
        return [(self.running.pop(), Outcome(status=Status.FAILED, started_at=datetime.now(UTC), wall_s=patience_s))]

    def interrupt(self) -> list[tuple[Trial, Outcome]]:
        return []


def raising(error: BaseException, at: int) -> Callable[[int], None]:
    def at_submit(number: int) -> None:
        if number == at:
            raise error

    return at_submit


@pytest.fixture
def trials():
    return plan_study(Study(algorithms=("toy-quick",), datasets=("toy-blobs",), repeats=4), installed_catalog()).trials


@pytest.fixture
def db(tmp_path):
    with open_database(tmp_path / "r.db") as database:
        yield database


def claimed(db: Database) -> int:
    with db.read() as connection:
        return connection.scalar(select(func.count()).select_from(claims)) or 0


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
    assert claimed(db) == 0


def test_what_has_ended_is_stored_though_the_run_is_interrupted_before(db, trials):
    tally = Conductor(db, OneByOne(raising(KeyboardInterrupt(), at=3))).run(pending(db, trials))
    assert tally.interrupted
    assert tally.ran == counts(db) == {Status.FAILED: 2}
    assert claimed(db) == 0


class Unending(OneByOne):
    """Ctrl-C is pressed while it waits, and then it cannot end what it runs."""

    def finished(self, patience_s: float) -> list[tuple[Trial, Outcome]]:
        raise KeyboardInterrupt

    def interrupt(self) -> list[tuple[Trial, Outcome]]:
        raise OSError("processes cannot be ended")


def test_claims_are_released_though_an_interruption_goes_wrong(db, trials):
    with pytest.raises(OSError, match="cannot be ended"):
        Conductor(db, Unending()).run(pending(db, trials))
    assert claimed(db) == 0
    assert counts(db) == {}
