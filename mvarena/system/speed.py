"""Speed of this machine: fixed tasks, timed, by which limits of CPU time are counted.

A limit in seconds of one machine decides otherwise on a slower one. Limits mean seconds of a reference machine: one of
which a core does each of four tasks in 2 ms, as a server of 2.5 GHz of 2019 does.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from mvarena.system.threads import one_linear_algebra_thread

_REFERENCE_S = 0.002
_ROUNDS = 25  # of which the least counts: what else the machine does only adds to it, for tenths of a second at a time
_MATRIX = np.cos(np.arange(160 * 160, dtype=float)).reshape(160, 160)
_ENTRIES = np.cos(np.arange(60_000, dtype=float))
_ROOM = np.empty_like(_ENTRIES)

# what methods spend their time on: eigenproblems, products, passes over arrays, Python
_TASKS: tuple[Callable[[], Any], ...] = (
    lambda: np.linalg.eigh(_MATRIX + _MATRIX.T),
    lambda: [_MATRIX @ _MATRIX for _ in range(11)],
    lambda: [np.exp(_ENTRIES, out=_ROOM).sort() for _ in range(4)],
    lambda: sum(number % 7 for number in range(32_000)),
)


@cache
def machine_speed() -> float:
    """Speed of one core of this machine, in that of the reference machine, with two digits.

    The geometric mean over the tasks, so that each counts alike, of the reference's time by the least CPU time of some
    rounds. Measured once in a process. Cost: .2 s of the reference machine.
    """
    with one_linear_algebra_thread():
        rounds = [[_seconds(task) for task in _TASKS] for _ in range(_ROUNDS)]
    ratios = [_REFERENCE_S / min(times) for times in zip(*rounds, strict=True)]
    return float(f"{math.prod(ratios) ** (1 / len(ratios)):.2g}")


def _seconds(task: Callable[[], Any]) -> float:
    """CPU seconds of this thread for a task."""
    began = time.thread_time()
    task()
    return time.thread_time() - began
