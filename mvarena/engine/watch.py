"""Limits of one trial that runs in a fork of this process: time, CPU time, memory, and how long it may be stopped."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from mvarena.contracts.outcome import SPEED, Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.limits import Limits, told_bytes
from mvarena.system.environment import cpu_time
from mvarena.system.forking import Fork, ForkEnd
from mvarena.system.processes import (
    LINUX,
    cpu_seconds,
    descendants,
    end_children,
    is_stopped,
    resident_bytes,
    shared_out_bytes,
    told_crash,
)

FITTED = b""  # the message of a trial whose algorithm has ended
_SOON_S = 0.001  # that a trial has the cores for its start, before its worker does anything else
_WATCH_S = 0.1  # how often a limit is looked at
_LOOK_S = 1.0  # the same, where neither memory nor CPU time is limited


class Watch:
    """Measures a trial from now on, in the worker that is its process's parent.

    parent : the process of the conductor, with which the trial ends. began_at, began : now, by the clock and by
    `time.perf_counter`. cpu_began : CPU seconds of this process.
    """

    def __init__(self, trial: Trial, limits: Limits, parent: int) -> None:
        self.began_at, self.began, self.cpu_began = datetime.now(UTC), time.perf_counter(), cpu_time()
        self._trial, self._limits, self._parent = trial, limits, parent
        self._watched = LINUX and (limits.memory is not None or limits.cpu_s is not None)
        # with the trial before, which has been killed and perhaps not been waited for
        self._family_began = cpu_seconds(_family()) if limits.cpu_s is not None else 0.0
        self._stopped_s = 0.0

    def outcome(self, fork: Fork, meanwhile: Callable[[], None], fitted: Callable[[], None]) -> bytes | Outcome:
        """The answer of `fork`, in which the trial runs; where it gives none, the outcome that this is.

        meanwhile : is done once, after the trial's start. fitted : is done when its algorithm has ended.
        """

        def heard(seconds: float) -> ForkEnd:
            while (ended := fork.heard(self._time_left(seconds))).answer == FITTED:
                fitted()
            return ended

        patience = _WATCH_S if self._watched else _LOOK_S
        if (ended := heard(_SOON_S)) == ForkEnd():
            meanwhile()
        looked = time.perf_counter()
        while ended == ForkEnd() and (ended := heard(patience)) == ForkEnd():
            if os.getppid() != self._parent:
                fork.kill()
                end_children()
                os._exit(1)
            now = time.perf_counter()
            if broken := self._broken(now, min(now - looked, 2 * patience)):
                fork.end()
                return broken
            looked = now
        if ended.answer is not None:
            return ended.answer
        if ended.is_mute:
            fork.end()
            return self._bad(Status.CRASHED, f"{self._trial.algorithm} closed the pipe for its result; it was stopped.")
        code = ended.code or 0
        return self._bad(Status.CRASHED, told_crash(code), signal=-code if code < 0 else None)

    def _time_left(self, most: float) -> float:
        timeout_s = self._limits.timeout_s
        return most if timeout_s is None else max(0.0, min(most, self.began + timeout_s - time.perf_counter()))

    def _broken(self, now: float, passed: float) -> Outcome | None:
        """The outcome where a limit is broken. passed : seconds since the last look, of which a pause counts little."""
        limits = self._limits
        if limits.timeout_s is not None and now - self.began >= limits.timeout_s:
            return self._bad(Status.TIMEOUT, too_long(self._trial, limits.timeout_s))
        family = _family()
        self._stopped_s = self._stopped_s + passed if is_stopped(family) else 0.0
        if self._stopped_s >= limits.frozen_s:
            return self._bad(Status.CRASHED, paused(limits.frozen_s))
        if not self._watched:
            return None
        # the exact number takes long, and is never more than the other
        if limits.memory is not None and resident_bytes(family) > limits.memory:
            held = shared_out_bytes(family)
            if held > limits.memory:
                return self._beyond_memory(held, limits.memory)
        if limits.cpu_s_here is not None and cpu_seconds(family) - self._family_began > limits.cpu_s_here:
            reason = too_long(self._trial, limits.cpu_s or 0.0, " of CPU time")
            return self._bad(Status.TIMEOUT, reason, cpu_s=limits.cpu_s, environment={SPEED: limits.speed})
        return None

    def _beyond_memory(self, held: int, allowed: int) -> Outcome:
        reason = (
            f"{self._trial.algorithm} used {told_bytes(held)} of memory, more than the {told_bytes(allowed)} allowed."
        )
        return self._bad(Status.OUT_OF_MEMORY, reason, peak_rss_mb=held / 2**20)

    def _bad(self, status: Status, reason: str, **more: Any) -> Outcome:
        wall_s = time.perf_counter() - self.began
        return Outcome(status=status, started_at=self.began_at, wall_s=wall_s, reason=reason, **more)


def _family() -> list[int]:
    return [os.getpid(), *descendants(os.getpid())]


# Sentences that become reasons of outcomes.


def too_long(trial: Trial, allowed_s: float, of_what: str = "") -> str:
    """Sentence on a trial that was ended by a limit of time."""
    return f"{trial.algorithm} took longer than the {allowed_s:g} s{of_what} allowed."


def paused(allowed_s: float) -> str:
    """Sentence on a trial of which a process was stopped."""
    return f"The worker process was paused and did not continue within {allowed_s:g} s; it was stopped."


def not_stored(trial: Trial, fault: str) -> str:
    """Sentence on a result that is none."""
    return f"The result of {trial.algorithm} cannot be stored: {fault}."
