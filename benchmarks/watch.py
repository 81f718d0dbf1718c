"""What a case measures: named steps, their seconds and their memory.

Needs the standard library alone, so that other packages can be measured under an interpreter of their own.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mvarena.system.environment import peak_memory_mb, reset_peak_memory

MIB = 2**20


class Skipped(Exception):
    """A case cannot be measured here; the message says why."""


class Watch:
    """Seconds of wall and CPU time (all threads and child processes) and MiB of memory, by step."""

    def __init__(self) -> None:
        self.steps: dict[str, dict[str, float]] = {}

    @contextmanager
    def __call__(self, step: str, *, per: int = 1) -> Iterator[None]:
        """Measures its block once: seconds for each of `per`, and peak resident memory above what was there before; the
        peak itself is kept, too."""
        reset_peak_memory()
        resident, cpu, wall = peak_memory_mb(), _cpu_seconds(), time.perf_counter()
        yield
        wall, cpu = time.perf_counter() - wall, _cpu_seconds() - cpu
        peak = peak_memory_mb()
        self.steps[step] = {"wall": wall / per, "CPU": cpu / per, "MiB": peak - resident, "peak": peak}

    def best(self, step: str, task: Callable[[], Any], times: int = 5) -> Any:
        """Runs `task` once for nothing and then so many times: the least seconds of each kind. Returns what it does."""
        found = task()
        taken = []
        for _ in range(times):
            cpu, wall = _cpu_seconds(), time.perf_counter()
            task()
            taken.append((time.perf_counter() - wall, _cpu_seconds() - cpu))
        self.steps[step] = {"wall": min(wall for wall, _ in taken), "CPU": min(cpu for _, cpu in taken)}
        return found


def _cpu_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in used)
