"""The keeper of one worker: starts it, watches what its processes take, and ends them all, whatever they do.

Started by the conductor's process, with its settings as the first argument. Its child is the worker, in a session
of its own. The keeper imports next to nothing, runs no code of a contestant's, and adopts what a worker's children
leave behind (Linux), so that nothing outlives a worker: not a daemon, and not a worker whose conductor was killed.

Over `control`, a socket that the worker never has, comes a letter for each trial that begins; its end means: end all.
Back go lines of JSON: first the worker's process number, at last a `Report`.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from mvarena.system.processes import (
    LINUX,
    become_subreaper,
    cpu_seconds,
    descendants,
    die_with_parent,
    end_all,
    end_group,
    is_stopped,
    resident_bytes,
    shared_out_bytes,
)

_WATCH_S = 0.1  # how often a limit is looked at
_LOOK_S = 1.0  # how often the conductor is looked for, should its end of the socket live on in another process
_GIVE_UP_S = 10.0  # how long processes may take to die
BEGINS = b"t"


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a supervisor: file descriptors, the conductor's process, and the limits (bytes, CPU seconds, and
    how many seconds the worker may be stopped)."""

    link: int
    control: int
    conductor: int
    threads: int
    memory: int | None
    memory_of_a_process: int | None
    cpu_s: float | None
    frozen_s: float


@dataclass(frozen=True, slots=True)
class Report:
    """End of a worker: the exit code (negative: the signal), why the supervisor ended it ('', 'memory', 'cpu' or
    'frozen'), the most bytes that its processes held together where that came near to the limit (else 0)."""

    code: int | None
    cause: str
    peak: int


class _Keeper:
    def __init__(self, settings: Settings, worker: int) -> None:
        self._settings = settings
        self._worker = worker
        self._control = socket.socket(fileno=settings.control)
        self._sources: list[Any] = [self._control]
        self._code: int | None = None
        self._cause = ""
        self._peak = 0
        self._cpu_before: float | None = None
        self._stopped_s = 0.0
        self._wakes, writing = os.pipe()
        self._sources.append(self._wakes)
        os.set_blocking(writing, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)

    def run(self) -> None:
        """Until the worker ends, or is to end."""
        self._say({"worker": self._worker})
        watched = LINUX and (self._settings.memory is not None or self._settings.cpu_s is not None)
        patience = _WATCH_S if watched else _LOOK_S
        looked = time.monotonic()
        while self._reap():
            ready, _, _ = select.select(self._sources, [], [], max(0.0, looked + patience - time.monotonic()))
            if self._wakes in ready:
                os.read(self._wakes, 4096)
            if (self._control in ready and not self._listen()) or os.getppid() != self._settings.conductor:
                break
            if (passed := time.monotonic() - looked) < patience:
                continue
            looked += passed
            passed = min(passed, 2 * patience)  # a keeper that was stopped along with it counts no more than that
            family = [self._worker, *descendants(self._worker)]
            if self._is_frozen(family, passed) or (watched and self._is_beyond(family)):
                break
        self._end()
        self._say(asdict(Report(self._code, self._cause, self._peak)))

    def _listen(self) -> bool:
        """A trial begins; False: everything is to end."""
        text = self._control.recv(4096)
        if text:
            self._peak = 0
            self._cpu_before = self._cpu() if self._settings.cpu_s is not None else None
        return bool(text)

    def _is_frozen(self, family: list[int], passed: float) -> bool:
        """True if one of the processes has been stopped for too long; `passed` : seconds since the last look."""
        self._stopped_s = self._stopped_s + passed if is_stopped(family) else 0.0
        if self._stopped_s >= self._settings.frozen_s:
            self._cause = "frozen"
        return bool(self._cause)

    def _is_beyond(self, family: list[int]) -> bool:
        settings = self._settings
        if settings.memory is not None:
            # the exact number takes long, and is never more than the other
            if resident_bytes(family) > settings.memory:
                self._peak = max(self._peak, shared_out_bytes(family))
            if self._peak > settings.memory:
                self._cause = "memory"
        begun, allowed = self._cpu_before, settings.cpu_s
        if allowed is not None and begun is not None and cpu_seconds(family) - begun > allowed:
            self._cause = "cpu"
        return bool(self._cause)

    def _cpu(self) -> float:
        return cpu_seconds([self._worker, *descendants(self._worker)])

    def _reap(self) -> bool:
        """Take note of those that ended; whether the worker lives."""
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == self._worker:
                    self._code = os.waitstatus_to_exitcode(ended[1])
        return self._code is None

    def _end(self) -> None:
        """Kill the worker and all that descends from it, until nothing is left."""
        deadline = time.monotonic() + _GIVE_UP_S
        while time.monotonic() < deadline:
            if LINUX:
                end_all(descendants(os.getpid()))
            else:
                end_group(self._worker)
            try:
                while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                    if ended[0] == self._worker and self._code is None:
                        self._code = os.waitstatus_to_exitcode(ended[1])
            except ChildProcessError:
                return
            time.sleep(0.001)

    def _say(self, message: dict[str, Any]) -> None:
        with suppress(OSError):  # the conductor has gone
            self._control.sendall(json.dumps(message).encode() + b"\n")


def main() -> None:
    """Entry point of the process."""
    settings = Settings(**json.loads(sys.argv[1]))
    become_subreaper()
    keeper = os.getpid()
    worker = os.fork()  # nothing has started a thread yet
    if worker == 0:
        os.close(settings.control)
        os.setsid()
        die_with_parent(keeper)
        from mvarena.engine.worker import work

        work(settings.link, settings.threads, settings.memory_of_a_process)
        os._exit(0)
    os.close(settings.link)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)  # what the worker prints ends with its own processes
    os.dup2(nothing, 2)
    _Keeper(settings, worker).run()
