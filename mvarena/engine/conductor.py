"""The conductor: runs a plan against a store. It alone writes; workers only return outcomes.

Several conductors may share a store: each looks whether a trial is stored before it starts it, and of two outcomes of
one trial the first stays. They start at different places of the plan, and one that meets another's outcomes goes on at
another place, so that few trials run twice.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from random import SystemRandom
from typing import TYPE_CHECKING

from mvarena.contracts.outcome import UNSCORED, Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.pending import Pending, codes_of
from mvarena.engine.validation import said
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.plugins import call_hooks, installed_plugins
from mvarena.store.database import Database
from mvarena.store.encoding import canonical_json
from mvarena.store.runs import AskedRun, Ended
from mvarena.store.trials import finished, parts_of, register
from mvarena.store.troubles import caused_by_values
from mvarena.store.write_outcomes import record

if TYPE_CHECKING:
    from mvarena.engine.dask_engine import DaskEngine
    from mvarena.engine.local_engine import LocalEngine

_PATIENCE_S = 1.0
_CHANCE = SystemRandom()  # nobody else's random state is touched


@dataclass(frozen=True, slots=True)
class Advance:
    """Progress event of a conductor: a trial has ended, or nothing new has happened for a while.

    ended : the keys that have ended since it last told, those that were stored already among them.
    """

    trial: Trial | None
    outcome: Outcome | None
    done: int
    total: int
    ended: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """Summary of a run: trials stored already, run now (by status), and stored first by another run.

    stale : algorithm -> how many of the trials that were stored already were run by other code of it.
    """

    already: int
    ran: dict[Status, int]
    elsewhere: int
    interrupted: bool = False
    stale: Mapping[str, int] = field(default_factory=dict)


class Conductor:
    """Runs the trials that `mvarena.engine.pending` selects.

    asked : where it is kept which trials were asked for; None: nowhere. skip_after_limit : whether the other trials of
    a method on a data set are skipped once one without corruption has reached a limit; stored ones count.
    keeps_restarts : of which trials the labels of every restart are stored.
    """

    def __init__(
        self,
        db: Database,
        engine: LocalEngine | DaskEngine,
        *,
        asked: AskedRun | None = None,
        on_progress: Callable[[Advance], None] | None = None,
        skip_after_limit: bool = False,
        keeps_restarts: Callable[[Trial], bool] = lambda trial: trial.keep_restarts,
    ) -> None:
        self._asked = asked
        self._db = db
        self._engine = engine
        self._on_progress = on_progress
        self._after_limit = _AfterLimit() if skip_after_limit else None
        self._keeps_restarts = keeps_restarts
        self._unscored: set[str] = set()

    def run(self, selected: Pending) -> Tally:
        """Execute what is pending, recording each trial as it ends.

        Ctrl-C kills the trials under way, records them as INTERRUPTED and returns a tally that says so.
        Raises StoreError if what is recorded cannot be kept, also where that is only seen at the end.
        """
        self._unrecorded: deque[tuple[Trial, Outcome]] = deque()  # they have ended, and are to be recorded next
        self._trials, self._replacing = selected.planned, selected.replacing
        self._waiting = deque(
            replace(trial, keep_restarts=True) if self._keeps_restarts(trial) else trial for trial in selected.trials
        )
        self._already, self._elsewhere, self._total = len(selected.kept), 0, len(selected.planned)
        self._ran: dict[Status, int] = {}
        self._ended = list(selected.kept)  # keys that nobody has been told of yet
        self._register(selected.kept)
        if self._asked and not self._after_limit:  # which needs the trials in their order
            self._waiting.rotate(-self._asked.first_of(len(self._waiting)))
        interrupted = self._run_all()
        self._db.check_file()
        return Tally(self._already, self._ran, self._elsewhere, interrupted, selected.stale)

    def _run_all(self) -> bool:
        """Until every trial has ended, or Ctrl-C is pressed; whether it was."""
        try:
            while self._waiting or self._engine.running:
                self._step()
        except KeyboardInterrupt:
            if self._asked:
                self._asked.how = Ended.INTERRUPTED
            self._unrecorded.extend(self._engine.interrupt())
            self._record_all()
            return True
        return False

    def _register(self, kept: Mapping[str, Status]) -> None:
        """Have the database know all trials, and which the run asks for."""
        for batch in parts_of(self._trials):
            if after := self._after_limit:
                for trial in (trial for trial in batch if trial.key in kept):
                    after.note(trial, kept[trial.key])
            register(self._db, batch)
            if self._asked:
                self._asked.wants(trial.key for trial in batch)
            self._tell(None, None)

    def _step(self) -> None:
        self._fill()
        if self._engine.running:
            self._unrecorded.extend(self._engine.finished(_PATIENCE_S))
            try:
                self._fill()  # first of all: the next trials run while this process records the last
            finally:
                self._record_all()
        self._tell(None, None)

    def _fill(self) -> None:
        while self._engine.has_room and (trial := self._next()):
            if self._after_limit and (outcome := self._after_limit.skipped(trial)):
                self._record(trial, outcome)
            else:
                self._engine.submit(trial)

    def _record_all(self) -> None:
        """Record ended trials one by one, so that a failure of the store keeps those that went in before."""
        while self._unrecorded:
            self._record(*self._unrecorded[0])
            self._unrecorded.popleft()  # interrupted before, it is recorded once more, and refused if it is stored

    def _next(self) -> Trial | None:
        """The next trial that nobody has stored meanwhile; None where there is none."""
        while self._waiting:
            if self._waiting[0].key not in self._stored_of([self._waiting[0].key]):
                return self._waiting.popleft()
            self._make_way()
        return None

    def _make_way(self) -> None:
        """Another run is at the same trials: leave out what it has stored, and go on at another place."""
        stored = self._stored_of([trial.key for trial in self._waiting])
        self._waiting = deque(trial for trial in self._waiting if trial.key not in stored)
        self._elsewhere += len(stored)
        self._ended += sorted(stored)
        self._waiting.rotate(_CHANCE.randrange(max(1, len(self._waiting))))

    def _stored_of(self, keys: Sequence[str]) -> set[str]:
        return finished(self._db, keys, self._replacing)

    def _record(self, trial: Trial, outcome: Outcome) -> None:
        if self._after_limit:
            self._after_limit.note(trial, outcome.status)
        if not outcome.source_hash:  # what did not end well cannot say by what code
            with suppress(MvarenaError):  # of a file that has changed
                outcome = replace(outcome, source_hash=codes_of([trial], installed_catalog())[trial.algorithm])
        outcome, stored = self._store(trial, outcome)
        if stored:
            self._ran[outcome.status] = self._ran.get(outcome.status, 0) + 1
        else:  # another run was first: its outcome stays
            self._elsewhere += 1
        if outcome.status is not Status.INTERRUPTED:
            if not stored:
                self._make_way()
            self._ended.append(trial.key)
        self._warn_of_unscored(trial, outcome)
        self._tell_plugins(trial, outcome)
        self._tell(trial, outcome)

    def _store(self, trial: Trial, outcome: Outcome) -> tuple[Outcome, bool]:
        """The outcome that was stored, and whether: one that the database does not take becomes a FAILED one."""
        replaces = self._replacing.get(trial.key, 0)
        try:
            return outcome, record(self._db, trial, outcome, replaces)
        except Exception as error:
            if not caused_by_values(error):
                raise
            reason = f"The outcome cannot be stored: {said(error)}"
            kept = {name: getattr(outcome, name) for name in ("started_at", "wall_s", "environment", "source_hash")}
            refused = Outcome(status=Status.FAILED, reason=reason, **kept)
            return refused, record(self._db, trial, refused, replaces)

    def _warn_of_unscored(self, trial: Trial, outcome: Outcome) -> None:
        """Warn of metrics that failed, once each."""
        for metric, reason in outcome.achieved.get(UNSCORED, {}).items():
            if metric not in self._unscored:
                self._unscored.add(metric)
                warnings.warn(
                    f"{trial.algorithm} on {trial.dataset} has no score by {metric}. {reason.removesuffix('.')}. The "
                    "labels are stored, from which it can be computed later. (This is said once for each metric.)",
                    stacklevel=2,
                )

    def _tell_plugins(self, trial: Trial, outcome: Outcome) -> None:
        """Call the plugins' hooks for a stored outcome; their errors end nothing."""
        for sentence in call_hooks(installed_plugins().manager, "mvarena_trial_finished", trial=trial, outcome=outcome):
            warnings.warn(sentence, stacklevel=2)

    def _tell(self, trial: Trial | None, outcome: Outcome | None) -> None:
        done = self._already + self._elsewhere + sum(self._ran.values())
        if self._on_progress:
            self._on_progress(Advance(trial, outcome, done, self._total, tuple(self._ended)))
        self._ended.clear()


class _AfterLimit:
    """Methods that reached a limit on a data set as it is, by name, version and parameters: to be skipped on it."""

    def __init__(self) -> None:
        self._reached: set[tuple[str, str, str, str]] = set()

    def note(self, trial: Trial, status: Status) -> None:
        """Take in how a trial ended, now or earlier."""
        complete = all(step.name.startswith("missing-") and step.rate == 0 for step in trial.corruptions)
        if complete and status in (Status.TIMEOUT, Status.OUT_OF_MEMORY):
            self._reached.add(_point(trial))

    def skipped(self, trial: Trial) -> Outcome | None:
        """The outcome of a trial that is to be skipped; None for all others."""
        if _point(trial) not in self._reached:
            return None
        reason = f"Not run: {trial.algorithm} reached a limit on {trial.dataset} as it is."
        return Outcome(status=Status.SKIPPED, started_at=datetime.now(UTC), wall_s=0.0, reason=reason)


def _point(trial: Trial) -> tuple[str, str, str, str]:
    return trial.algorithm, trial.algorithm_version, canonical_json(dict(trial.params)), trial.content
