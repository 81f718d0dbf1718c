"""Worker processes on this machine: warm, one trial at a time each, killed when a trial outlasts its time.

A trial that crashes its process (segmentation fault, kernel out-of-memory killer) ends alone: it becomes a
CRASHED outcome and the next trial gets a fresh worker. POSIX only.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from signal import Signals
from typing import IO, Self

from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial

_STDERR_TAIL = 16_000  # a segmentation fault lists every extension module after its traceback
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def threads_per_worker(jobs: int) -> int:
    """An equal share of the cores, or fewer where OMP_NUM_THREADS or its like ask for fewer."""
    asked = [int(value) for name in _THREAD_VARIABLES if (value := os.environ.get(name, "")).isdecimal()]
    share = (os.cpu_count() or 1) // jobs
    return max(1, min([share, *asked]))


@dataclass
class _Running:
    """What a worker is busy with, and since when (the imports of a fresh worker are not the trial's time)."""

    trial: Trial
    started_at: datetime
    since: float


class _Worker:
    """One child process and the pipe to it."""

    def __init__(self, threads: int) -> None:
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed in `stop`
        self.pipe, child_end = Pipe()
        environment = os.environ | dict.fromkeys(_THREAD_VARIABLES, str(threads))
        # threads that wait for each other sleep: spinning ones starve each other where workers share cores
        environment = {"OMP_WAIT_POLICY": "PASSIVE"} | environment
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "mvarena.engine.worker", str(child_end.fileno())],
                pass_fds=[child_end.fileno()],
                stdin=subprocess.DEVNULL,
                stderr=self._stderr,
                env=environment,
                process_group=0,  # Ctrl-C reaches the whole foreground group; the parent alone decides what it means
            )
        except OSError:
            self.pipe.close()
            self._stderr.close()
            raise
        finally:
            child_end.close()
        self.ready = False
        self.running: _Running | None = None

    def start(self, trial: Trial) -> None:
        self.running = _Running(trial, datetime.now(UTC), time.monotonic())
        self.pipe.send(trial)

    def stop(self) -> None:
        """End the process at once, whatever it does."""
        self.pipe.close()
        self._process.kill()
        self._process.wait()
        self._stderr.close()

    def stderr_tail(self) -> str:
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - _STDERR_TAIL))
        return self._stderr.read().decode(errors="replace")

    def clear_stderr(self) -> None:
        self._stderr.seek(0)
        self._stderr.truncate()

    def exit_signal(self) -> int | None:
        """The signal that ended the process, waiting for its end."""
        code = self._process.wait()
        return -code if code < 0 else None


class LocalEngine:
    """Up to `jobs` workers, each with its share of the cores.

    timeout_s : wall seconds that one trial may take, its data loading included; None: no limit.
    """

    def __init__(self, jobs: int = 1, timeout_s: float | None = None) -> None:
        self.jobs = jobs
        self.timeout_s = timeout_s
        self._threads = threads_per_worker(jobs)
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def has_room(self) -> bool:
        """True if another trial can be submitted now."""
        return sum(worker.running is not None for worker in self._workers) < self.jobs

    @property
    def running(self) -> list[Trial]:
        """The trials under way."""
        return [worker.running.trial for worker in self._workers if worker.running]

    def submit(self, trial: Trial) -> None:
        """Start `trial` on a free worker; call only when there is room."""
        worker = next((w for w in self._workers if w.running is None), None)
        if worker is None:
            worker = _Worker(self._threads)
            self._workers.append(worker)
        try:
            worker.start(trial)
        except BrokenPipeError:
            # the worker died between two trials; what it died of belongs to no trial, so a fresh one takes over
            self._discard(worker)
            worker = _Worker(self._threads)
            self._workers.append(worker)
            worker.start(trial)

    def finished(self, patience_s: float) -> list[tuple[Trial, Outcome]]:
        """The trials that end within `patience_s` seconds (at the first, all that have ended by then)."""
        busy = {worker.pipe: worker for worker in self._workers if worker.running}
        if not busy:
            return []
        ended: list[tuple[Trial, Outcome]] = []
        for pipe in wait(list(busy), timeout=min([patience_s, *self._time_left()])):
            assert isinstance(pipe, Connection)
            outcome = self._receive(busy[pipe])
            if outcome is not None:
                ended.append(outcome)
        return ended + self._expired()

    def interrupt(self) -> list[tuple[Trial, Outcome]]:
        """Kill every worker; the trials under way end INTERRUPTED."""
        ended = [
            self._ended(w, w.running, Status.INTERRUPTED, "The run was interrupted.")
            for w in self._workers
            if w.running
        ]
        self.close()
        return ended

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.stop()
        self._workers.clear()

    def _time_left(self) -> list[float]:
        if self.timeout_s is None:
            return []
        now = time.monotonic()
        return [max(0.0, w.running.since + self.timeout_s - now) for w in self._workers if w.running and w.ready]

    def _receive(self, worker: _Worker) -> tuple[Trial, Outcome] | None:
        running = worker.running
        assert running is not None
        try:
            message = worker.pipe.recv()
        except (EOFError, ConnectionResetError):
            return self._crashed(worker, running)
        if message == "ready":
            worker.ready = True
            worker.running = _Running(running.trial, datetime.now(UTC), time.monotonic())
            return None
        worker.running = None
        outcome: Outcome = replace(message, stderr_tail=worker.stderr_tail())
        worker.clear_stderr()
        return running.trial, outcome

    def _crashed(self, worker: _Worker, running: _Running) -> tuple[Trial, Outcome]:
        number = worker.exit_signal()
        reason = "The worker process ended."
        if number is not None:
            # real-time signals but the first and the last have no name
            reason = f"The worker process was ended by {Signals(number).name if number in set(Signals) else number}."
            if number == 9:
                reason += " Often this is the system short of memory."
        result = self._ended(worker, running, Status.CRASHED, reason, signal=number)
        self._discard(worker)
        return result

    def _expired(self) -> list[tuple[Trial, Outcome]]:
        if self.timeout_s is None:
            return []
        ended = []
        for worker in list(self._workers):
            running = worker.running
            if running and worker.ready and time.monotonic() - running.since >= self.timeout_s:
                reason = f"{running.trial.algorithm} took longer than the {self.timeout_s:g} s allowed."
                ended.append(self._ended(worker, running, Status.TIMEOUT, reason))
                self._discard(worker)
        return ended

    def _ended(
        self, worker: _Worker, running: _Running, status: Status, reason: str, signal: int | None = None
    ) -> tuple[Trial, Outcome]:
        outcome = Outcome(
            status=status,
            started_at=running.started_at,
            wall_s=time.monotonic() - running.since,
            reason=reason,
            stderr_tail=worker.stderr_tail(),
            signal=signal,
        )
        return running.trial, outcome

    def _discard(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.stop()
