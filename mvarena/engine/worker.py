"""The worker: a process that receives trials, runs each in a fork of itself, and sends its outcome back.

It is forked from the command, and so begins with what that has imported; where that is not safe, it is a fresh
interpreter. It loads and prepares data, which its forks then have (`mvarena.engine.trial_process`). What it prints goes
to pipes of which the conductor keeps the ends.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import pickle
import select
import signal
import sys
import tempfile
import traceback
import warnings
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from os import write  # as it is now: what a contestant puts in its place is not used here
from typing import TYPE_CHECKING, Any, NoReturn

from mvarena.system import forking
from mvarena.system.framing import Frames, send
from mvarena.system.processes import become_subreaper, die_with_parent, take_name
from mvarena.system.sklearn_import import import_sklearn

if TYPE_CHECKING:
    from mvarena.contracts.trial import Trial
    from mvarena.engine.limits import Limits

LINK = 3  # the descriptor of its socket to the conductor
READY = b"ready"  # the message of a worker that has started
BEGUN = b"begun"  # the message of one that begins the next trial
END_OF_OUTPUT = b"\0 end of what a trial has printed \0"  # written by the worker after each
# the folders that the command finds modules in come last: a json.py in the working folder is not Python's
_PROGRAM = "import sys; sys.path += sys.argv[2:]; from mvarena.engine.worker import main; main()"
_PIECE = 1 << 20
_ABOVE = 10  # a descriptor above those that a worker keeps
# what an interpreter does not show by default
_QUIET_WARNINGS = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)


@dataclass(frozen=True, slots=True)
class Start:
    """Settings of a worker.

    parent : the process that starts it. is_bound : whether it may end with the thread that starts it.
    name : of its process and its forks. threads : of linear algebra and OpenMP.
    """

    parent: int
    is_bound: bool
    name: str
    threads: int


def become_worker(
    start: Start, link: int, out: int, err: int, variables: Mapping[str, str], *, fresh: bool
) -> NoReturn:
    """Be a worker, in a fork of the command, and leave.

    link : its end of the socket to the conductor; out, err : of the pipes for what it prints. variables : added to its
    environment. fresh : whether to begin as a fresh interpreter.
    """
    code = 1
    try:
        gc.disable()
        gc.freeze()  # nothing of the command is collected, such as its connections
        os.setsid()  # Ctrl-C reaches the command alone, which decides what it means
        _take_descriptors(link, out, err)
        os.environ.update(variables)
        if fresh:
            said = json.dumps(asdict(start))
            os.execv(sys.executable, [sys.executable, "-P", "-c", _PROGRAM, said, *map(os.path.abspath, sys.path)])
        _open_streams()
        _forget_the_command()
        _work(start)
        code = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def main() -> None:
    """Entry point of a fresh interpreter."""
    _open_streams()
    _work(Start(**json.loads(sys.argv[1])))
    os._exit(0)


def _take_descriptors(link: int, out: int, err: int) -> None:
    """Have these under the numbers of a worker, and no other files of the command's: its database among them."""
    import fcntl  # of POSIX systems

    files = [os.open(os.devnull, os.O_RDONLY), out, err, link]
    for number, file in enumerate([fcntl.fcntl(file, fcntl.F_DUPFD, _ABOVE) for file in files]):
        os.dup2(file, number)
    for number in map(int, os.listdir("/dev/fd")):
        if number > LINK:  # taken still: mapped files of the command's close their numbers when they are dropped
            os.dup2(0, number, inheritable=False)


def _open_streams() -> None:
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # type: ignore[misc]  # noqa: SIM115
    for number, name, buffering in ((1, "stdout", -1), (2, "stderr", 1)):  # as an interpreter has them
        stream = open(number, "w", buffering=buffering, errors="backslashreplace", closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _forget_the_command() -> None:
    """Undo what the command has set for itself."""
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    warnings.resetwarnings()
    for category in _QUIET_WARNINGS:
        warnings.simplefilter("ignore", category)
    warnings.showwarning = _show_warning  # type: ignore[assignment]
    tempfile.tempdir = None
    import numpy as np

    np.seterr(all="warn", under="ignore")


def _show_warning(message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: Any) -> None:
    sys.stderr.write(warnings.formatwarning(message, category, filename, lineno))


def _work(start: Start) -> None:
    """Run the trials that come until the conductor hangs up, or a trial cannot be ended."""
    take_name(start.name)
    become_subreaper()
    if start.is_bound:
        die_with_parent(start.parent)
    forking.private[:] = [LINK]
    faulthandler.enable()
    _keep_no_core()
    gc.disable()  # what is imported stays
    import_sklearn("sklearn.cluster")  # which assignments of clusters use
    from mvarena.engine.trial_process import TrialForks

    trials = TrialForks(_answer, parent=start.parent, is_bound=start.is_bound, threads=start.threads)
    send(LINK, READY)
    jobs = _Jobs()
    for trial, limits in jobs:
        send(LINK, BEGUN)
        if not trials.run(trial, limits, jobs.next_one):
            return  # the conductor ends what this process cannot


class _Jobs:
    """Trials as they come, and what they may take, until the conductor hangs up."""

    def __init__(self) -> None:
        self._frames = Frames()
        self._come: deque[tuple[Trial, Limits]] = deque()

    def __iter__(self) -> Iterator[tuple[Trial, Limits]]:
        while self._come or self._read():
            if self._come:
                yield self._come.popleft()

    def next_one(self) -> tuple[Trial, Limits] | None:
        """The job that waits; None where none does."""
        if not self._come and select.select([LINK], [], [], 0)[0]:
            self._read()
        return self._come[0] if self._come else None

    def _read(self) -> bool:
        piece = os.read(LINK, _PIECE)
        self._come.extend(map(pickle.loads, self._frames.add(piece)))
        return bool(piece)


def _answer(outcome: bytes) -> None:
    """Send the outcome of a trial, of which this process gets no more output."""
    for stream in (1, 2):
        write(stream, END_OF_OUTPUT)
    send(LINK, outcome)


def _keep_no_core() -> None:
    """Let no crash leave a core file."""
    import resource

    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
