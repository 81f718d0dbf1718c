"""The conductor: runs a plan against a store. It alone writes; workers only return outcomes.

Two conductors may share a store: each claims a trial before it runs it, and waits for (or, when a claim goes
stale, takes over) what the other has claimed, so both end with the whole plan stored.
"""

from __future__ import annotations

import os
import socket
import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.local import LocalEngine
from mvarena.registry.plugins import installed_plugins
from mvarena.store.claims import claim, release, renew
from mvarena.store.database import Database
from mvarena.store.recording import record
from mvarena.store.trials import finished, register

_LEASE_S = 60.0
_RENEW_S = 15.0
_PATIENCE_S = 1.0
_SHARED_POLL_S = 0.5


@dataclass(frozen=True, slots=True)
class Advance:
    """What a conductor tells while it works: a trial has ended, or nothing new has happened for a while."""

    trial: Trial | None
    outcome: Outcome | None
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of a plan: how many trials were stored already, ran now (by status), or were run by another."""

    already: int
    ran: dict[Status, int]
    elsewhere: int
    interrupted: bool = False


class Conductor:
    """Runs trials that are not stored yet.

    retry_failed : run again what failed, timed out or crashed before.
    """

    def __init__(
        self,
        db: Database,
        engine: LocalEngine,
        *,
        retry_failed: bool = False,
        on_progress: Callable[[Advance], None] | None = None,
    ) -> None:
        self._db = db
        self._engine = engine
        self._retry_failed = retry_failed
        self._on_progress = on_progress
        self._owner = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self._renewed = time.monotonic()

    def run(self, trials: Sequence[Trial]) -> Tally:
        """Execute what is missing, recording each trial as it ends.

        Ctrl-C kills the trials under way, records them as INTERRUPTED and returns a tally that says so.
        """
        register(self._db, trials)
        before = finished(self._db, [trial.key for trial in trials], retry_failed=self._retry_failed)
        self._waiting = deque(trial for trial in trials if trial.key not in before)
        self._foreign: deque[Trial] = deque()
        self._ran: dict[Status, int] = {}
        self._already, self._elsewhere, self._total = len(before), 0, len(trials)
        interrupted = False
        try:
            while self._waiting or self._foreign or self._engine.running:
                self._step()
        except KeyboardInterrupt:
            interrupted = True
            for trial, outcome in self._engine.interrupt():
                self._record(trial, outcome)
        finally:
            release(self._db, self._owner)
        return Tally(self._already, self._ran, self._elsewhere, interrupted)

    def _step(self) -> None:
        while self._waiting and self._engine.has_room:
            self._start(self._waiting.popleft())
        if self._engine.running:
            for trial, outcome in self._engine.finished(_PATIENCE_S):
                self._record(trial, outcome)
        elif self._foreign:
            time.sleep(_SHARED_POLL_S)
        if self._foreign and not self._waiting:
            self._look_at_foreign()
        if time.monotonic() - self._renewed > _RENEW_S:
            renew(self._db, self._owner, _LEASE_S)
            self._renewed = time.monotonic()
        self._tell(None, None)

    def _start(self, trial: Trial) -> None:
        if claim(self._db, trial.key, self._owner, _LEASE_S, retry_failed=self._retry_failed):
            self._engine.submit(trial)
        else:
            self._foreign.append(trial)

    def _look_at_foreign(self) -> None:
        """What another conductor holds: finished by now, or to be claimed again."""
        keys = [trial.key for trial in self._foreign]
        ended = finished(self._db, keys, retry_failed=self._retry_failed)
        self._elsewhere += len(ended)
        self._waiting.extend(trial for trial in self._foreign if trial.key not in ended)
        self._foreign.clear()

    def _record(self, trial: Trial, outcome: Outcome) -> None:
        if record(self._db, trial, outcome):
            self._ran[outcome.status] = self._ran.get(outcome.status, 0) + 1
        else:  # another run was first: its outcome stays
            self._elsewhere += 1
        installed_plugins().manager.hook.mvarena_trial_finished(trial=trial, outcome=outcome)
        self._tell(trial, outcome)

    def _tell(self, trial: Trial | None, outcome: Outcome | None) -> None:
        done = self._already + self._elsewhere + sum(self._ran.values())
        if self._on_progress:
            self._on_progress(Advance(trial, outcome, done, self._total))
