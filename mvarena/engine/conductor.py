"""The conductor: runs a plan against a store. It alone writes; workers only return outcomes.

Several conductors may share a store: each claims trials before it runs them, and waits for (or, when a claim goes
stale, takes over) what the others have claimed, so all end with the whole plan stored. They start at different places
of the plan, and claim as many trials at once as end in a second, so that nobody waits for what another holds.
"""

from __future__ import annotations

import os
import socket
import time
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from mvarena.contracts.outcome import UNSCORED, Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.base import Engine
from mvarena.engine.pending import Pending, batches
from mvarena.engine.queue import TrialQueue, offset_of
from mvarena.engine.rerun import AfterLimit, codes_of
from mvarena.engine.validation import said
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.plugins import call_hooks, installed_plugins
from mvarena.store.claims import claim_some, others, release, renew
from mvarena.store.connections import caused_by_values
from mvarena.store.database import Database
from mvarena.store.integrity import Presence
from mvarena.store.runs import AskedRun, Ended
from mvarena.store.trials import register
from mvarena.store.write_outcomes import record

_RENEW_S = 15.0
_PATIENCE_S = 1.0
_SHARED_POLL_S = 0.5
_AHEAD_S, _MOST_AHEAD = 1.0, 10  # claimed are the trials that end in so many seconds, and no more than so many
_WINDOW, _MOST_WINDOW = 50, 5000  # waiting trials that are offered for each claim


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
    """Summary of a run: trials stored already, run now (by status), and run by another process.

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
    """

    def __init__(
        self,
        db: Database,
        engine: Engine,
        *,
        asked: AskedRun | None = None,
        on_progress: Callable[[Advance], None] | None = None,
        skip_after_limit: bool = False,
    ) -> None:
        self._asked = asked
        self._db = db
        self._engine = engine
        self._on_progress = on_progress
        self._after_limit = AfterLimit() if skip_after_limit else None
        self._owner = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self._unscored: set[str] = set()
        self._renewed = self._looked = time.monotonic()

    def run(self, selected: Pending) -> Tally:
        """Execute what is pending, recording each trial as it ends.

        Ctrl-C kills the trials under way, records them as INTERRUPTED and returns a tally that says so.
        Raises StoreError if what is recorded cannot be kept, also where that is only seen at the end.
        """
        self._presence = Presence(self._db)
        self._ahead: deque[tuple[int, Trial]] = deque()  # claimed, and not started yet
        self._foreign: list[int] = []
        self._ends: deque[float] = deque(maxlen=_MOST_AHEAD)
        self._unrecorded: deque[tuple[Trial, Outcome]] = deque()  # they have ended, and are to be recorded next
        self._trials, self._replacing = selected.planned, selected.replacing
        self._waiting = TrialQueue(selected.places)
        self._already, self._elsewhere, self._total = len(selected.kept), 0, len(selected.planned)
        self._ran: dict[Status, int] = {}
        self._ended = list(selected.kept)  # keys that nobody has been told of yet
        self._register(selected.kept)
        self._waiting.start_at(offset_of(self._db.enduring(lambda: others(self._db, self._owner))))
        try:
            interrupted = self._run_all()
        except BaseException:
            with suppress(MvarenaError):  # what went wrong first is what users must know; the leases run out
                release(self._db, self._owner)
            raise
        self._db.enduring(lambda: release(self._db, self._owner))
        self._presence.check_kept()
        return Tally(self._already, self._ran, self._elsewhere, interrupted, selected.stale)

    def _run_all(self) -> bool:
        """Until every trial has ended, or Ctrl-C is pressed; whether it was."""
        try:
            while self._waiting or self._ahead or self._foreign or self._engine.running:
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
        for _, batch in batches(self._trials):
            if after := self._after_limit:
                for trial in (trial for trial in batch if trial.key in kept):
                    after.note(trial, kept[trial.key])
            self._db.enduring(partial(register, self._db, batch))
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
        elif self._foreign:
            time.sleep(_SHARED_POLL_S)
        if self._foreign and not self._waiting and time.monotonic() - self._looked >= _SHARED_POLL_S:
            self._look_at_foreign()
        if time.monotonic() - self._renewed > _RENEW_S:
            self._renew()
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
            self._record(*self._unrecorded.popleft())

    def _next(self) -> Trial | None:
        """The next trial that this run has claimed; None where all that wait are another's."""
        window = _WINDOW
        while self._waiting and not self._ahead:
            self._claim(self._waiting.take(window), self._most_ahead())
            window = min(2 * window, _MOST_WINDOW)  # many in a row may be finished by others
        return self._ahead.popleft()[1] if self._ahead else None

    def _claim(self, places: Sequence[int], most: int) -> None:
        """Claim the first `most` of the trials at `places` that are free; the rest goes where it belongs."""
        trials = {(trial := self._trials[path]).key: (path, trial) for path in places}
        replacing = self._replacing
        result = self._db.enduring(lambda: claim_some(self._db, list(trials), self._owner, most, replacing=replacing))
        self._ahead.extend(trials[key] for key in result.taken)
        self._elsewhere += len(result.finished)
        self._ended += sorted(result.finished)
        settled = {trials[key][0] for key in result.finished.union(result.taken)}
        # where as many were taken as were asked for, nobody has looked at those behind the last
        behind = places.index(self._ahead[-1][0]) if len(result.taken) == most else len(places)
        self._foreign += [path for path in places[:behind] if path not in settled]
        self._waiting.put_back(path for path in places[behind:] if path not in settled)

    def _most_ahead(self) -> int:
        """Number of trials to claim at once: as many as end in a second, at least one."""
        if len(self._ends) < 2:
            return 1
        seconds = max(self._ends[-1] - self._ends[0], 1e-3)
        return max(1, min(_MOST_AHEAD, int(_AHEAD_S * (len(self._ends) - 1) / seconds)))

    def _renew(self) -> None:
        """Extend the leases. Where another run has taken one over, what is not started yet is claimed anew."""
        held = len(self._ahead) + len(self._engine.running)
        if self._db.enduring(lambda: renew(self._db, self._owner)) < held and self._ahead:
            places = [index for index, _ in self._ahead]
            self._ahead.clear()
            self._claim(places, len(places))
        self._renewed = time.monotonic()

    def _look_at_foreign(self) -> None:
        """Check again the trials that other conductors hold: they may be finished, or the claim be over."""
        self._waiting.put_back(self._foreign)
        self._foreign.clear()
        self._looked = time.monotonic()

    def _record(self, trial: Trial, outcome: Outcome) -> None:
        self._presence.check()
        if self._after_limit:
            self._after_limit.note(trial, outcome.status)
        if not outcome.source_hash:  # what did not end well cannot say by what code
            outcome = replace(outcome, source_hash=codes_of([trial], installed_catalog())[trial.algorithm])
        outcome, stored = self._store(trial, outcome)
        if stored:
            self._ran[outcome.status] = self._ran.get(outcome.status, 0) + 1
        else:  # another run was first: its outcome stays
            self._elsewhere += 1
        self._ends.append(time.monotonic())
        if outcome.status is not Status.INTERRUPTED:
            self._presence.note(trial.key)
            self._ended.append(trial.key)
        self._warn_of_unscored(trial, outcome)
        self._tell_plugins(trial, outcome)
        self._tell(trial, outcome)

    def _store(self, trial: Trial, outcome: Outcome) -> tuple[Outcome, bool]:
        """The outcome that was stored, and whether: one that the database does not take becomes a FAILED one."""
        replaces = self._replacing.get(trial.key, 0)
        tries = 0

        def store() -> bool:
            nonlocal tries
            tries += 1
            # what is there at the second try has gone in at the first, whose end nobody was told of
            return record(self._db, trial, outcome, replaces) or tries > 1

        try:
            return outcome, self._db.enduring(store)
        except Exception as error:
            if not caused_by_values(error):
                raise
            reason = f"The outcome cannot be stored: {said(error)}"
            kept = {name: getattr(outcome, name) for name in ("started_at", "wall_s", "environment", "source_hash")}
            refused = Outcome(status=Status.FAILED, reason=reason, **kept)
            return refused, self._db.enduring(lambda: record(self._db, trial, refused, replaces))

    def _warn_of_unscored(self, trial: Trial, outcome: Outcome) -> None:
        """Warn of metrics that failed, once each."""
        for metric, reason in outcome.achieved.get(UNSCORED, {}).items():
            if metric not in self._unscored:
                self._unscored.add(metric)
                warnings.warn(
                    f"The metric {metric} has no score for {trial.algorithm} on {trial.dataset}: {reason}. The "
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
