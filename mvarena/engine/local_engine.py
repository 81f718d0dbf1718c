"""Workers on this machine, one trial at a time each.

A worker ends the fork of a trial that passes a limit, and lives on. What it cannot do is done here: end one that stays
silent, is stopped, or has ended itself, with all its children. POSIX only.
"""

from __future__ import annotations

import os
import selectors
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Self

from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.limits import Limits
from mvarena.engine.watch import not_stored, paused, too_long
from mvarena.engine.worker_process import WorkerProcess
from mvarena.errors import EngineError
from mvarena.system.processes import is_stopped, told_crash

_REPORT_S = 2.0  # how much later than the link's end a worker's own end may be, and a time-out than its limit
_LOOK_S = 1.0  # how often it is asked whether a worker is stopped
_SHORT_S = 1.0  # a trial that takes less has the next wait at its worker, which then begins it at once


@dataclass
class _Worker:
    """A worker process and what it is busy with: the trial, and since when (a worker's start is not its time).

    waiting : the trial that it begins by itself when that has ended.
    stopped_s : how long it has been stopped; looked : when that was asked last.
    """

    process: WorkerProcess
    trial: Trial | None = None
    waiting: Trial | None = None
    started_at: datetime = datetime.min
    since: float = 0.0
    timed: bool = False
    stopped_s: float = 0.0
    looked: float = 0.0

    def start(self, trial: Trial, limits: Limits) -> bool:
        self.trial = trial
        self.clock()
        self.process.tails()  # what was printed before is no trial's
        return self.process.give(trial, limits)

    def clock(self) -> None:
        self.started_at, self.since, self.timed = datetime.now(UTC), time.monotonic(), self.process.ready
        self.looked, self.stopped_s = self.since, 0.0

    def is_frozen(self, now: float, allowed_s: float) -> bool:
        """True if the worker has been stopped for so long; a look after a long time counts little."""
        if now - self.looked >= min(_LOOK_S, allowed_s / 2):
            passed = min(now - self.looked, 2 * _LOOK_S)
            self.stopped_s = self.stopped_s + passed if is_stopped([self.process.process]) else 0.0
            self.looked = now
        return self.stopped_s >= allowed_s


class LocalEngine:
    """Up to `jobs` workers.

    Raises EngineError on a system where no process can be forked.

    limits : what a trial may take.
    ahead : how many workers to start before there are trials for them, as soon as it is entered.
    queues : whether a trial may wait behind one that is expected to be short.
    """

    def __init__(self, jobs: int = 1, *, limits: Limits | None = None, ahead: int = 0, queues: bool = False) -> None:
        if not hasattr(os, "fork"):
            raise EngineError(
                "trials run in processes of a POSIX system, and this is not one: use Linux, macOS, or the Windows "
                "Subsystem for Linux (WSL). Commands that run no trials work here."
            )
        self.jobs = jobs
        self.limits = limits or Limits()
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
        self._ahead = min(ahead, jobs)
        self.queues = queues
        self._short: set[tuple[str, str]] = set()  # announced algorithms with data sets of which a trial was short
        self._returned: set[str] = set()  # keys of trials that a worker was given, and ended before it began them

    def __enter__(self) -> Self:
        try:
            while len(self._workers) < self._ahead:
                self._workers.append(_Worker(WorkerProcess(self.limits, self._selector)))
        except OSError:
            pass  # none can be started now, of which `submit` tells
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def has_room(self) -> bool:
        """True if another trial can be submitted now."""
        return len(self.running) < self.jobs or self._busy_for_short() is not None

    @property
    def running(self) -> list[Trial]:
        """The trials under way."""
        return [worker.trial for worker in self._workers if worker.trial]

    def submit(self, trial: Trial) -> None:
        """Start `trial` on a free worker, or have it wait at one; call only when there is room.

        Raises OSError if no worker can be started.
        """
        self._read(0.0)
        for worker in [item for item in self._workers if item.trial is None]:
            if worker.process.is_fit and worker.start(trial, self.limits):
                return
            self._discard(worker)  # it ended between two trials: what it ended of belongs to no trial
        if len(self._workers) >= self.jobs and (busy := self._busy_for_short()):
            busy.waiting = trial
            busy.process.give(trial, self.limits)  # one that has ended gives it back
            return
        worker = _Worker(WorkerProcess(self.limits, self._selector))
        self._workers.append(worker)
        worker.start(trial, self.limits)  # one that cannot take it has ended, which is seen as the end of any other

    def finished(self, patience_s: float) -> list[tuple[Trial, Outcome]]:
        """The trials that end within `patience_s` seconds (at the first, all that have ended by then)."""
        deadline = time.monotonic() + patience_s
        while self.running:
            ended = self._ended()
            rest = deadline - time.monotonic()
            if ended or rest <= 0:
                return ended
            self._read(min([rest, *self._time_left()]))
        return []

    def interrupt(self) -> list[tuple[Trial, Outcome]]:
        """End every worker; the trials under way end INTERRUPTED, and those that wait are not run."""
        ended = [
            self._ended_badly(worker, Status.INTERRUPTED, "The run was interrupted.")
            for worker in list(self._workers)
            if worker.trial
        ]
        self.close()
        return ended

    def close(self) -> None:
        """End all workers, and whatever they started."""
        for worker in list(self._workers):
            self._discard(worker)
        self._selector.close()
        self._selector = selectors.DefaultSelector()

    def _read(self, patience_s: float) -> None:
        for key, _ in self._selector.select(patience_s):
            key.data()

    def _time_left(self) -> list[float]:
        """Seconds until each of the busy workers must be looked at, even if nothing comes from it."""
        now = time.monotonic()
        left = [_LOOK_S]
        for worker in self._workers:
            if worker.trial:
                left += [self._deadline(worker) - now, worker.looked + min(_LOOK_S, self.limits.frozen_s / 2) - now]
                if worker.process.hung_up is not None:
                    left.append(min(0.01, worker.process.hung_up + _REPORT_S - now))
        return [max(0.0, item) for item in left]

    def _busy_for_short(self) -> _Worker | None:
        """A worker that is busy with a trial that should be short, and at which none waits."""
        for worker in self._workers:
            if self.queues and worker.trial and not worker.waiting and _kind(worker.trial) in self._short:
                return worker
        return None

    def _ended(self) -> list[tuple[Trial, Outcome]]:
        result = []
        for worker in [item for item in self._workers if item.trial]:
            if item := self._look_at(worker):
                result.append(item)
            if worker.waiting and worker not in self._workers:
                self.submit(worker.waiting)
        return result

    def _look_at(self, worker: _Worker) -> tuple[Trial, Outcome] | None:
        """Outcome of a busy worker's trial; None while it runs."""
        process, trial, now = worker.process, worker.trial, time.monotonic()
        assert trial is not None
        if process.ready and not worker.timed:
            worker.clock()
        if process.answers:
            return self._answered(worker, process.answers.popleft())
        if process.fault:
            return self._ended_badly(worker, Status.FAILED, not_stored(trial, process.fault))
        if process.hung_up is not None:
            return self._hung_up(worker, now)
        if worker.is_frozen(now, self.limits.frozen_s):
            return self._ended_badly(worker, Status.CRASHED, paused(self.limits.frozen_s))
        if now < self._deadline(worker):
            return None
        if not worker.timed:
            reason = f"The worker process did not start within {self.limits.start_s:g} s; it was stopped."
            return self._ended_badly(worker, Status.CRASHED, reason)
        return self._ended_badly(worker, Status.TIMEOUT, too_long(trial, self.limits.timeout_s or 0.0))

    def _deadline(self, worker: _Worker) -> float:
        """Time (monotonic) at which the worker itself is ended: it has not started, or not ended its trial in time."""
        if not worker.timed:
            return worker.since + self.limits.start_s
        timeout_s = self.limits.timeout_s
        return float("inf") if timeout_s is None else worker.since + timeout_s + _REPORT_S

    def _answered(self, worker: _Worker, outcome: Outcome) -> tuple[Trial, Outcome]:
        trial = worker.trial
        assert trial is not None
        worker.process.drain()
        worker.trial, worker.waiting = worker.waiting, None
        worker.clock()  # of the one that waited
        if outcome.wall_s < _SHORT_S and trial.spec is None:  # code that travels may not fit into the pipe
            self._short.add(_kind(trial))
        return trial, replace(outcome, **worker.process.tails())

    def _hung_up(self, worker: _Worker, now: float) -> tuple[Trial, Outcome] | None:
        """Outcome where the worker has closed its link; None while its process may still be about to end."""
        code, closed = worker.process.code(), worker.process.hung_up
        assert closed is not None
        if code is not None:
            if self._given_again(worker):
                return None
            return self._ended_badly(worker, Status.CRASHED, told_crash(code), signal=-code if code < 0 else None)
        if now - closed < _REPORT_S:
            return None
        reason = "The worker closed its connection and kept running; it was stopped."
        return self._ended_badly(worker, Status.CRASHED, reason)

    def _given_again(self, worker: _Worker) -> bool:
        """True if the worker has ended before it began its trial, which another is given now: each trial once."""
        trial = worker.trial
        if trial is None or worker.process.begun or trial.key in self._returned:
            return False
        self._returned.add(trial.key)
        self._discard(worker)
        self.submit(trial)
        return True

    def _ended_badly(
        self, worker: _Worker, status: Status, reason: str, *, signal: int | None = None
    ) -> tuple[Trial, Outcome]:
        """End the worker; what its trial then is."""
        trial, took = worker.trial, time.monotonic() - worker.since
        assert trial is not None
        self._discard(worker)
        tails = worker.process.tails()
        return trial, Outcome(
            status=status, started_at=worker.started_at, wall_s=took, reason=reason, signal=signal, **tails
        )

    def _discard(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.process.end()


def _kind(trial: Trial) -> tuple[str, str]:
    """Algorithm and data, by which trials take about as long."""
    return trial.algorithm, trial.content
