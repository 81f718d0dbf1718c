"""The worker process: receives trials, has each run in a fork of itself, sends outcomes back as bytes, until the
conductor hangs up.

It imports what trials need and runs nothing of a contestant's but its imports, so each trial begins in a process that
has seen none before it. It is the child of its keeper (`mvarena.engine.supervisor`), so the caller's `__main__` is
never imported again and a plain script may call `mvarena.run`. What it prints goes to pipes of which the conductor
keeps the ends.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import pickle
import select
import sys
from collections.abc import Iterator
from contextlib import suppress
from os import write  # as it is now: what a contestant puts in its place is not used here
from typing import TYPE_CHECKING

from mvarena.system import forking
from mvarena.system.framing import Frames, framed
from mvarena.system.processes import LINUX, become_subreaper
from mvarena.system.sklearn_import import import_sklearn

if TYPE_CHECKING:
    from mvarena.contracts.trial import Trial

_ORPHAN_POLL_S = 1.0
_MOST_JOB = 1 << 40
_PIECE = 1 << 20


def work(link: int, threads: int, memory: int | None) -> None:
    """Have executed what comes through the socket `link` until it closes, or a trial cannot be ended.

    threads : of linear algebra, as the environment of this process says already. memory : bytes that a process may
    allocate; None: any number.
    """
    faulthandler.enable()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    gc.disable()  # what is imported stays
    import_sklearn("sklearn.cluster")  # which assignments of clusters use

    from mvarena.engine.messages import encoded_ready
    from mvarena.engine.trial_process import TrialForks

    become_subreaper()
    _limit_memory(memory)
    forking.private.append(link)
    forking.may_end = True
    trials = TrialForks(link, lambda message: send(link, message), threads, memory)
    send(link, encoded_ready())
    for number, trial in _jobs(link):
        if not trials.run(number, trial):
            return  # the keeper ends what this process cannot


def _jobs(link: int) -> Iterator[tuple[int, Trial]]:
    """The trials that come. They are pickled: what the conductor sends is code to run anyway."""
    frames, parent = Frames(_MOST_JOB), os.getppid()
    while True:
        # Linux alone ends a process with its parent
        while not LINUX and not select.select([link], [], [], _ORPHAN_POLL_S)[0]:
            if os.getppid() != parent:
                return
        if not (piece := os.read(link, _PIECE)):
            return
        for message in frames.add(piece):
            yield pickle.loads(message)


def send(link: int, payload: bytes) -> None:
    """Write one message whole."""
    rest = memoryview(framed(payload))
    while rest:
        rest = rest[write(link, rest) :]


def _limit_memory(memory: int | None) -> None:
    """Let an allocation beyond `memory` bytes fail with MemoryError, and no crash leave a core file."""
    import resource

    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    if memory is None:
        return
    # what the process allocates, and not what it maps: data sets are mapped, and shared by all workers
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    bound = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (bound, hard))
