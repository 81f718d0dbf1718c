"""Limits of a trial: time, memory, threads; and those of them that this system can enforce."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from mvarena.errors import InvalidSetting
from mvarena.system.environment import usable_cores
from mvarena.system.memory import control_group_limit, memory_limit

LEAST_MEMORY = 512 * 2**20  # an idle worker with its libraries holds about half of that
MOST_THREADS = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one trial; None: no limit.

    timeout_s : wall seconds, its data loading included. cpu_s : CPU seconds of all its processes together,
        of the reference machine. speed : of this machine in that one's (`mvarena.system.speed`).
    memory : bytes of all its processes together, the libraries and the data of its worker among them.
    threads : of linear algebra and OpenMP, for every trial the same, however many run side by side: some methods'
        results depend on it.
    start_s : wall seconds that a worker may take to start. frozen_s : wall seconds that one may be stopped (SIGSTOP)
    before it is ended, whatever else it may take.

    Raises InvalidSetting for memory and threads that cannot be a limit; times are checked where they are read.
    """

    timeout_s: float | None = None
    cpu_s: float | None = None
    speed: float = 1.0
    memory: int | None = None
    threads: int = 1
    start_s: float = 120.0
    frozen_s: float = 60.0

    def __post_init__(self) -> None:
        if self.memory is not None and self.memory < LEAST_MEMORY:
            raise InvalidSetting(
                f"a worker needs {told_bytes(LEAST_MEMORY)} for Python and its libraries alone; allow at least that, "
                f"not {told_bytes(self.memory)}.",
                field="memory",
                value=self.memory,
            )
        if not 1 <= self.threads <= MOST_THREADS:
            raise InvalidSetting(
                f"a trial runs with 1 to {MOST_THREADS} threads, not {self.threads}.",
                field="threads",
                value=self.threads,
            )

    @property
    def memory_of_a_process(self) -> int | None:
        """Bytes that the worker may allocate: its share of what is stated, or of what its control group allows."""
        known = [value for value in (self.memory, control_group_limit()) if value is not None]
        return max(min(known), LEAST_MEMORY) if known else None

    @property
    def cpu_s_here(self) -> float | None:
        """The CPU seconds of this machine that a trial may take; None: any."""
        return None if self.cpu_s is None else self.cpu_s / self.speed

    def notes(self) -> tuple[str, ...]:
        """Sentences on how CPU time is counted, and on limits that cannot be enforced here."""
        notes = []
        if self.cpu_s is not None:
            notes.append(
                f"Limit of CPU time per trial: {self.cpu_s:g} s of the reference machine, which are "
                f"{self.cpu_s_here:.3g} s here (speed {self.speed:g})."
            )
        if sys.platform != "linux" and (self.memory is not None or self.cpu_s is not None):
            notes.append("Memory and CPU time are limited on Linux only; here as far as the system does it by itself.")
        return tuple(notes)


def told_bytes(count: float) -> str:
    """'512 MiB', '8.0 GiB'."""
    return f"{count / 2**30:.1f} GiB" if count >= 2**30 else f"{count / 2**20:.0f} MiB"


# How many workers run side by side where nobody says it: as many as cores, memory and trials are there for.

TRIALS_EACH = 2  # fewer for a worker do not make up for its start
_BARE = 300 * 2**20  # bytes of a worker with its libraries
_SQUARES = 6  # n x n matrices that methods of graphs and kernels hold at once, of 8 bytes an entry


def workers_for(n_trials: int, limits: Limits, *, most_samples: int, expected_bytes: float = 0.0) -> int:
    """Worker processes for `n_trials` trials of these limits; at least one.

    Workers times threads are no more than the cores; what each may take (or, where nobody limits it, is expected to:
    `expected_bytes`, or six n x n matrices for `most_samples` samples) fits into memory; each has two trials or more.
    """
    of_cores = usable_cores() // limits.threads
    each = limits.memory or max(expected_bytes, _BARE + 8 * _SQUARES * most_samples**2)
    return max(1, min(of_cores, int(memory_limit() / each), n_trials // TRIALS_EACH))
