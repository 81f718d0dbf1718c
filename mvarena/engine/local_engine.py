"""Workers on this machine: warm, one trial at a time each, ended with all their children when a limit is passed.

A trial that takes its process along (a segmentation fault, `os._exit`) ends alone: it becomes a CRASHED outcome and
the next trial gets a fresh worker. What workers send is data (`mvarena.engine.messages`); none of it can stop the
conductor.
POSIX only.
"""

from __future__ import annotations

import os
import selectors
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Self

from mvarena.contracts.outcome import MEMORY_ALLOWED, UNSCORED, Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.limits import METRIC_S, Limits, told_bytes
from mvarena.engine.worker_process import WorkerProcess
from mvarena.errors import EngineError
from mvarena.system.forking import STALL_S
from mvarena.system.processes import hidden_memory, told_crash

_REPORT_S = 2.0  # how much later than the link's end a worker's own end may be
_MOST_METRICS = 100  # which a worker can say that it has still to compute


@dataclass
class _Worker:
    """A worker process and what it is busy with: the trial, and since when (a worker's start is not its time)."""

    process: WorkerProcess
    trial: Trial | None = None
    started_at: datetime = datetime.min
    since: float = 0.0
    timed: bool = False

    def start(self, trial: Trial) -> bool:
        self.trial = trial
        self.clock()
        return self.process.give(trial)

    def clock(self) -> None:
        self.started_at, self.since, self.timed = datetime.now(UTC), time.monotonic(), self.process.ready


class LocalEngine:
    """Up to `jobs` workers.

    Raises EngineError on a system where no process can be forked.

    limits : what a trial may take.
    ahead : how many workers to start before there are trials for them, as soon as it is entered.
    """

    def __init__(self, jobs: int = 1, *, limits: Limits | None = None, ahead: int = 0) -> None:
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
        self._hidden = ExitStack()

    def __enter__(self) -> Self:
        self._hidden.enter_context(hidden_memory())  # it holds the classes
        try:
            while len(self._workers) < self._ahead:
                self._workers.append(_Worker(WorkerProcess(self.limits, self._selector)))
        except OSError:
            pass  # none can be started now, of which `submit` tells
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
        self._hidden.close()

    @property
    def has_room(self) -> bool:
        """True if another trial can be submitted now."""
        return len(self.running) < self.jobs

    @property
    def running(self) -> list[Trial]:
        """The trials under way."""
        return [worker.trial for worker in self._workers if worker.trial]

    def submit(self, trial: Trial) -> None:
        """Start `trial` on a free worker; call only when there is room. Raises OSError if none can be started."""
        self._read(0.0)
        for worker in [item for item in self._workers if item.trial is None]:
            if worker.process.is_fit and worker.start(trial):
                return
            self._discard(worker)  # it ended between two trials: what it ended of belongs to no trial
        worker = _Worker(WorkerProcess(self.limits, self._selector))
        self._workers.append(worker)
        worker.start(trial)  # one that cannot take it has ended, which is seen as the end of any other

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
        """End every worker; the trials under way end INTERRUPTED."""
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
        left = []
        for worker in self._workers:
            process = worker.process
            if worker.trial and worker.timed and self.limits.timeout_s is not None:
                left.append(self._deadline(worker, self.limits.timeout_s) - now)
            if worker.trial and process.hung_up is not None:
                left.append(process.hung_up + _REPORT_S - now)
            if worker.trial and not process.ready:
                left.append(worker.since + self.limits.start_s - now)
        return [max(0.0, item) for item in left]

    def _ended(self) -> list[tuple[Trial, Outcome]]:
        values = (self._look_at(worker) for worker in list(self._workers) if worker.trial)
        return [item for item in values if item]

    def _look_at(self, worker: _Worker) -> tuple[Trial, Outcome] | None:
        """Outcome of a busy worker's trial; None while it runs."""
        process, trial, now = worker.process, worker.trial, time.monotonic()
        assert trial is not None
        if process.ready and not worker.timed:
            worker.clock()
        if process.is_answer() and not process.junk:
            return self._answered(worker)
        if process.answer or process.junk:
            reason = process.junk or "it answered a job that it did not have"
            return self._ended_badly(
                worker, Status.FAILED, f"The result of {trial.algorithm} cannot be stored: {reason}."
            )
        if process.gone or process.report:
            return self._crashed(worker)
        if process.hung_up is not None and now - process.hung_up >= _REPORT_S:
            reason = "The worker closed its connection and kept running; it was stopped."
            return self._ended_badly(worker, Status.CRASHED, reason)
        if process.sends and now - process.heard >= STALL_S:
            reason = f"The worker began to send an outcome and stopped for {STALL_S:g} s; it was stopped."
            return self._ended_badly(worker, Status.CRASHED, reason)
        if not process.ready and now - worker.since >= self.limits.start_s:
            reason = f"The worker process did not start within {self.limits.start_s:g} s; it was stopped."
            return self._ended_badly(worker, Status.CRASHED, reason)
        timeout_s = self.limits.timeout_s
        if worker.timed and timeout_s is not None and now >= self._deadline(worker, timeout_s):
            return self._ended_badly(worker, Status.TIMEOUT, _too_long(trial, timeout_s, ""))
        return None

    def _deadline(self, worker: _Worker, timeout_s: float) -> float:
        """Time (monotonic) at which the trial is ended; once it has its labels, metrics have a time of their own."""
        if worker.process.labelled is None:
            return worker.since + timeout_s
        outcome, since = worker.process.labelled
        return since + METRIC_S * min(len(outcome.achieved.get(UNSCORED, ())), _MOST_METRICS) + _REPORT_S

    def _answered(self, worker: _Worker) -> tuple[Trial, Outcome]:
        process, trial, answer = worker.process, worker.trial, worker.process.answer
        assert trial is not None
        assert answer is not None
        process.drain()
        outcome = answer.outcome
        if process.labelled and outcome.status is not Status.DONE:
            outcome = process.labelled[0]
        outcome = replace(outcome, **process.tails())
        worker.trial = process.answer = None
        return trial, outcome

    def _crashed(self, worker: _Worker) -> tuple[Trial, Outcome]:
        report, trial = worker.process.report, worker.trial
        assert trial is not None
        if report and report.cause == "memory" and self.limits.memory:
            reason = (
                f"{trial.algorithm} used {told_bytes(report.peak)} of memory, more than the "
                f"{told_bytes(self.limits.memory)} allowed."
            )
            return self._ended_badly(worker, Status.OUT_OF_MEMORY, reason, peak=report.peak)
        if report and report.cause == "cpu" and self.limits.cpu_s:
            reason = _too_long(trial, self.limits.cpu_s, " of CPU time")
            return self._ended_badly(worker, Status.TIMEOUT, reason, cpu_s=self.limits.cpu_s)
        if report and report.cause == "frozen":
            reason = (
                f"The worker process was paused and did not continue within {self.limits.frozen_s:g} s; it was stopped."
            )
            return self._ended_badly(worker, Status.CRASHED, reason)
        code = report.code if report and report.code is not None else 0
        number = -code if code < 0 else None
        reason = told_crash(code) if report else "The worker and its supervisor process ended."
        return self._ended_badly(worker, Status.CRASHED, reason, signal=number)

    def _ended_badly(
        self,
        worker: _Worker,
        status: Status,
        reason: str,
        *,
        signal: int | None = None,
        peak: int = 0,
        cpu_s: float = 0.0,
    ) -> tuple[Trial, Outcome]:
        """End the worker; what its trial then is. One that had its labels is done, with scores that are missing."""
        trial, took = worker.trial, time.monotonic() - worker.since
        assert trial is not None
        self._discard(worker)
        if worker.process.labelled and status is not Status.INTERRUPTED:
            return trial, replace(worker.process.labelled[0], **worker.process.tails())
        ran_out, allowed = status is Status.OUT_OF_MEMORY, self.limits.memory_of_a_process
        outcome = Outcome(
            status=status,
            started_at=worker.started_at,
            wall_s=took,
            cpu_s=cpu_s,
            reason=reason,
            **worker.process.tails(),
            signal=signal,
            peak_rss_mb=peak / 2**20,
            environment={MEMORY_ALLOWED: allowed} if ran_out else {},
        )
        return trial, outcome

    def _discard(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.process.end()


def _too_long(trial: Trial, allowed_s: float, of_what: str) -> str:
    return f"{trial.algorithm} took longer than the {allowed_s:g} s{of_what} allowed."
