"""The conductor: runs a plan against a store. It alone writes; workers only return outcomes.

Two conductors may share a store: each claims a trial before it runs it, and waits for (or, when a claim goes
stale, takes over) what the other has claimed, so both end with the whole plan stored.
"""

from __future__ import annotations

import os
import socket
import time
import uuid
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.local import LocalEngine
from mvarena.engine.plain import said
from mvarena.engine.rerun import Rerun, codes_of
from mvarena.errors import MvarenaError
from mvarena.registry.catalog import installed_catalog
from mvarena.registry.plugins import installed_plugins
from mvarena.store.claims import claim, release, renew
from mvarena.store.database import Database
from mvarena.store.presence import Presence
from mvarena.store.recording import record
from mvarena.store.trials import Attempt, current_attempts, finished, register

_LEASE_S = 60.0
_RENEW_S = 15.0
_PATIENCE_S = 1.0
_SHARED_POLL_S = 0.5


@dataclass(frozen=True, slots=True)
class Advance:
    """What a conductor tells while it works: a trial has ended, or nothing new has happened for a while.

    ended : the keys that have ended since it last told, those that were stored already among them.
    """

    trial: Trial | None
    outcome: Outcome | None
    done: int
    total: int
    ended: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of a plan: how many trials were stored already, ran now (by status), or were run by another.

    stale : algorithm -> how many of the trials that were stored already were run by other code of it.
    """

    already: int
    ran: dict[Status, int]
    elsewhere: int
    interrupted: bool = False
    stale: Mapping[str, int] = field(default_factory=dict)


class Conductor:
    """Runs trials that are not stored yet, and those that are to be run again.

    rerun : which of the stored ones, any of `mvarena.engine.rerun.RERUNS`.
    """

    def __init__(
        self,
        db: Database,
        engine: LocalEngine,
        *,
        rerun: Iterable[str] = (),
        on_progress: Callable[[Advance], None] | None = None,
    ) -> None:
        self._db = db
        self._engine = engine
        self._rerun = frozenset(rerun)
        self._on_progress = on_progress
        self._owner = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self._renewed = time.monotonic()

    def run(self, trials: Sequence[Trial]) -> Tally:
        """Execute what is missing, recording each trial as it ends.

        Ctrl-C kills the trials under way, records them as INTERRUPTED and returns a tally that says so.
        Raises StoreError if what is recorded cannot be kept, also where that is only seen at the end.
        """
        self._presence = Presence(self._db)
        register(self._db, trials)
        # key -> the attempt that counts no more: the trial is run again
        self._replacing: dict[str, int] = {}
        stale = self._decide(trials)
        before = finished(self._db, [trial.key for trial in trials], self._replacing)
        self._waiting = deque(trial for trial in trials if trial.key not in before)
        self._foreign: deque[Trial] = deque()
        self._ran: dict[Status, int] = {}
        self._already, self._elsewhere, self._total = len(before), 0, len(trials)
        self._ended = [trial.key for trial in trials if trial.key in before]
        self._tell(None, None)
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
        self._presence.check_kept()
        return Tally(self._already, self._ran, self._elsewhere, interrupted, stale)

    def _decide(self, trials: Sequence[Trial]) -> dict[str, int]:
        """Note what is to be run again; algorithm -> how many of its trials stay though other code ran them."""
        stored: dict[str, Attempt] = current_attempts(self._db, [trial.key for trial in trials])
        known = [(trial, stored[trial.key]) for trial in trials if trial.key in stored]
        codes = codes_of((trial for trial, _ in known), installed_catalog())
        rerun = Rerun(self._rerun, self._engine.timeout_s, codes)
        self._replacing = {trial.key: attempt.number for trial, attempt in known if rerun.wants(trial, attempt)}
        left = [trial for trial, attempt in known if rerun.is_stale(trial, attempt)]
        return dict(Counter(trial.algorithm for trial in left if trial.key not in self._replacing))

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
        if claim(self._db, trial.key, self._owner, _LEASE_S, replacing=self._replacing):
            self._engine.submit(trial)
        else:
            self._foreign.append(trial)

    def _look_at_foreign(self) -> None:
        """What another conductor holds: finished by now, or to be claimed again."""
        keys = [trial.key for trial in self._foreign]
        ended = finished(self._db, keys, self._replacing)
        self._elsewhere += len(ended)
        self._ended += sorted(ended)
        self._waiting.extend(trial for trial in self._foreign if trial.key not in ended)
        self._foreign.clear()

    def _record(self, trial: Trial, outcome: Outcome) -> None:
        self._presence.check()
        if not outcome.source_hash:  # what did not end well cannot say by what code
            outcome = replace(outcome, source_hash=codes_of([trial], installed_catalog())[trial.algorithm])
        outcome, stored = self._store(trial, outcome)
        if stored:
            self._ran[outcome.status] = self._ran.get(outcome.status, 0) + 1
        else:  # another run was first: its outcome stays
            self._elsewhere += 1
        if outcome.status is not Status.INTERRUPTED:
            self._presence.note(trial.key)
            self._ended.append(trial.key)
        self._tell_plugins(trial, outcome)
        self._tell(trial, outcome)

    def _store(self, trial: Trial, outcome: Outcome) -> tuple[Outcome, bool]:
        """The outcome that was stored, and whether: one that the database does not take becomes a FAILED one."""
        replaces = self._replacing.get(trial.key, 0)
        try:
            return outcome, record(self._db, trial, outcome, replaces)
        except MvarenaError:
            raise
        except Exception as error:
            reason = f"The outcome cannot be stored: {said(error)}"
            kept = {name: getattr(outcome, name) for name in ("started_at", "wall_s", "environment", "source_hash")}
            refused = Outcome(status=Status.FAILED, reason=reason, **kept)
            return refused, record(self._db, trial, refused, replaces)

    def _tell_plugins(self, trial: Trial, outcome: Outcome) -> None:
        """What a plugin makes of an outcome that is stored already; its own errors end nothing."""
        try:
            installed_plugins().manager.hook.mvarena_trial_finished(trial=trial, outcome=outcome)
        except Exception as error:
            warnings.warn(f"A plugin failed when it was told of a finished trial: {said(error)}", stacklevel=2)

    def _tell(self, trial: Trial | None, outcome: Outcome | None) -> None:
        done = self._already + self._elsewhere + sum(self._ran.values())
        if self._on_progress:
            self._on_progress(Advance(trial, outcome, done, self._total, tuple(self._ended)))
        self._ended.clear()
