"""The worker process: receives trials, executes them, sends outcomes back as bytes, until the conductor hangs up.

It is the child of its keeper (`mvarena.engine.supervisor`), so the caller's `__main__` is never imported again and a
plain script may call `mvarena.run`. What it prints goes to pipes of which the conductor keeps the ends.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from os import _exit as leave
from os import getpid, read, write  # as they are now: what a contestant puts in their place is not used here
from typing import TYPE_CHECKING

from mvarena.engine.sklearn_import import import_sklearn
from mvarena.system.forking import private
from mvarena.system.framing import Frames, framed
from mvarena.system.processes import LINUX

if TYPE_CHECKING:
    from mvarena.contracts.outcome import Outcome
    from mvarena.contracts.trial import Trial
    from mvarena.engine.process_state import ProcessState

_ORPHAN_POLL_S = 1.0
_MOST_JOB = 1 << 40
_PIECE = 1 << 20


def work(link: int, threads: int, memory: int | None) -> None:
    """Execute what comes through the socket `link` until it closes.

    threads : of linear algebra, as the environment of this process says already. memory : bytes that this process may
    allocate; None: any number.
    """
    faulthandler.enable()
    if not LINUX:
        threading.Thread(target=_exit_when_orphaned, args=(os.getppid(),), daemon=True).start()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    gc.disable()  # what is imported stays
    import_sklearn("sklearn.cluster")  # which assignments of clusters use

    from mvarena.engine.execute import failed  # with all that it needs: what comes from here on is a trial's
    from mvarena.engine.messages import encoded_outcome, encoded_ready
    from mvarena.engine.process_state import ProcessState
    from mvarena.system.environment import PeakMemory

    gc.freeze()
    gc.enable()
    _limit_memory(memory)
    me = getpid()
    surroundings = ProcessState(threads, memory)
    resident = PeakMemory()
    resident.reset()
    at_start = resident.read()
    private.append(link)
    send(link, encoded_ready())
    for number, trial in _jobs(link):

        def labelled(outcome: Outcome, number: int = number) -> None:
            send(link, encoded_outcome(number, outcome, "", is_last=False))

        outcome = _executed(trial, threads, memory, surroundings, at_start, labelled)
        if getpid() != me:  # a child that the trial started, and that came out of it as its parent did
            leave(0)
        worn = surroundings.restore()
        try:
            message = encoded_outcome(number, outcome, worn)
        except Exception as error:  # the trial replaced what makes an outcome plain
            message = encoded_outcome(number, failed(error), worn)
        send(link, message)


def _executed(
    trial: Trial,
    threads: int,
    memory: int | None,
    surroundings: ProcessState,
    at_start: float,
    labelled: Callable[[Outcome], None],
) -> Outcome:
    """The outcome of a trial. at_start : MiB that were resident before the first trial, kept with one that is done.
    labelled : called with the outcome before metrics that may fail."""
    from mvarena.contracts.outcome import MEMORY_ALLOWED, MEMORY_AT_START, Status
    from mvarena.engine.execute import execute, failed

    def told(outcome: Outcome) -> Outcome:
        allowed = {MEMORY_ALLOWED: memory} if outcome.status is Status.OUT_OF_MEMORY and memory is not None else {}
        achieved = dict(outcome.achieved)
        if outcome.status is Status.DONE and at_start > 0:
            achieved[MEMORY_AT_START] = round(at_start, 1)
        environment = {**outcome.environment, "trial_threads": threads, **allowed}
        return replace(outcome, environment=environment, achieved=achieved)

    me = getpid()

    def early(outcome: Outcome) -> None:
        if getpid() != me:  # a child of the trial that came out of it as its parent did
            leave(0)
        labelled(told(outcome))

    try:
        surroundings.begin(trial.algorithm_seed)
        outcome = execute(trial, labelled=early)
    except BaseException as error:  # nobody else presses Ctrl-C here, and clocks break only where someone broke them
        outcome = failed(error)
    with suppress(BaseException):  # a contestant may have closed or replaced them
        sys.stdout.flush()
        sys.stderr.flush()
    return told(outcome)


def _jobs(link: int) -> Iterator[tuple[int, Trial]]:
    """The trials that come. They are pickled: what the conductor sends is code to run anyway."""
    frames = Frames(_MOST_JOB)
    while piece := read(link, _PIECE):
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


def _exit_when_orphaned(parent: int) -> None:
    """Exit with the parent, on systems that do not end a process with its parent."""
    while os.getppid() == parent:
        time.sleep(_ORPHAN_POLL_S)
    os._exit(1)
