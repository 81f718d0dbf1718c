"""A fork of this process that does one thing, answers in bytes, and is ended.

It begins with all that this process has imported and loaded, and what it does to them stays its own. The answer is
bytes that the caller does not trust.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from os import _exit as leave
from os import close, getpid, write  # as they are now: what a contestant puts in their place is not used here

from mvarena.system.framing import Frames, Junk, framed
from mvarena.system.processes import die_with_parent, end_group

_PIECE = 1 << 20
_MOST_ANSWER = 1 << 28  # bytes
_LOOK_S = 0.05  # how often it is asked whether a fork has ended whose pipe something else keeps open
_EXIT_S = 2.0  # how much later than the end of its pipe a fork's own end may be

private: list[int] = []
"""File descriptors that this process has for itself: its forks close them."""


@dataclass(frozen=True, slots=True)
class Ended:
    """End of a fork: its answer; or None and a sentence in `fault` on what it did instead."""

    answer: bytes | None
    fault: str = ""


def forked(deed: Callable[[], bytes], *, seconds: float | None = None) -> Ended:
    """The answer of `deed`, made in a fork of this process; it and its process group have ended when this returns.

    seconds : that it may take; None: any. Raises OSError where no process can be forked. Cost: 2 to 10 ms.
    """
    reading, writing = os.pipe()
    parent = getpid()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed or replaced
            stream.flush()  # a fork would print it again
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: the fork uses none of the caller's
        child = os.fork()
    if child == 0:
        _answer(deed, parent, reading, writing)
    close(writing)
    fault, answer = "", None
    try:
        fault, answer = _awaited(child, reading, seconds)
    finally:
        close(reading)
        end_group(child)  # its number is not given to another process before it is waited for
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
    return Ended(answer, fault or ("" if answer is not None else _told_end(os.waitstatus_to_exitcode(status))))


def _answer(deed: Callable[[], bytes], parent: int, reading: int, writing: int) -> None:
    """Answer and leave, whatever happens."""
    me = getpid()
    try:
        os.setsid()
        die_with_parent(parent)
        for number in (signal.SIGINT, signal.SIGTERM):  # the caller's handlers are for the caller's work
            signal.signal(number, signal.SIG_DFL)
        for descriptor in (reading, *private):
            close(descriptor)
        answer = deed()
        if getpid() != me:  # a process that the deed started, and that came out of it as its parent did
            leave(0)
        with suppress(Exception):  # closed or replaced
            sys.stdout.flush()
            sys.stderr.flush()
        rest = memoryview(framed(answer))
        while rest:
            rest = rest[write(writing, rest) :]
    except BaseException:  # deeds answer with what went wrong; whoever gets here could not even do that
        leave(1)
    leave(0)


def _awaited(child: int, reading: int, seconds: float | None) -> tuple[str, bytes | None]:
    """The fault, '' where the end of the process tells it, and the answer."""
    deadline = float("inf") if seconds is None else time.monotonic() + seconds
    frames = Frames(_MOST_ANSWER)
    while (left := deadline - time.monotonic()) > 0:
        if select.select([reading], [], [], min(left, _LOOK_S))[0]:
            if not (piece := os.read(reading, _PIECE)):
                deadline = min(deadline, time.monotonic() + _EXIT_S)
                while time.monotonic() < deadline:
                    if _has_ended(child):
                        return "", None
                    time.sleep(_LOOK_S / 10)
                return "it closed its connection and went on", None
            try:
                if messages := frames.add(piece):
                    return "", messages[0]
            except Junk:
                return "it gave no answer", None
        elif _has_ended(child):
            return "", None
    return f"it took longer than the {seconds:g} s allowed", None


def _has_ended(child: int) -> bool:
    """True if it has ended; it can still be waited for."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _told_end(code: int) -> str:
    if code >= 0:
        return f"it ended its process with exit code {code}"
    # real-time signals but the first and the last have no name
    name = signal.Signals(-code).name if -code in set(signal.Signals) else -code
    return f"its process was ended by {name}"
