"""How many workers run side by side where nobody says it: as many as cores, memory and trials are there for."""

from __future__ import annotations

from mvarena.engine.limits import Limits
from mvarena.system.environment import usable_cores
from mvarena.system.memory import memory_limit

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
