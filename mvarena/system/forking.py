"""A fork of this process that does one thing, answers in bytes, and is ended.

It begins with all that this process has imported and loaded, and what it does to them stays its own. The answer is
bytes that the caller does not trust.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from os import _exit as leave
from os import close, getpid, write  # as they are now: what a contestant puts in their place is not used here

from mvarena.system.framing import Frames, Junk, framed
from mvarena.system.processes import LINUX, die_with_parent, end_group, signal_name

_PIECE = 1 << 20
_MOST_ANSWER = 1 << 36  # bytes
_LOOK_S = 0.05  # how often it is asked whether a fork has ended whose pipe something else keeps open
_ORPHAN_POLL_S = 1.0
STALL_S = 60.0  # how long an answer may rest once it has begun
_EXIT_S = 5.0  # how much later than the end of its pipe a fork's own end may be

private: list[int] = []
"""File descriptors that this process has for itself: its forks close them."""


@dataclass(frozen=True, slots=True)
class ForkEnd:
    """End of a fork: its answer; or None and a sentence in `fault` on what it did instead.

    code : how its process ended where that was its fault (negative: the signal); None for any other fault.
    is_junk : that was to send what is no answer. is_late : that was to take longer than was allowed.
    """

    answer: bytes | None
    fault: str = ""
    code: int | None = None
    is_junk: bool = False
    is_late: bool = False


class Fork:
    """A fork of this process: `deed` runs in it at once, and gives its answer.

    process : its number. reading : the descriptor of its answer. Raises OSError where no process can be forked.
    Cost: 2 to 10 ms, by the memory and the libraries that this process has.
    """

    def __init__(self, deed: Callable[[], bytes]) -> None:
        self.reading, writing = os.pipe()
        parent = getpid()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):  # closed or replaced
                stream.flush()  # a fork would print it again
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads: the fork uses none of the caller's
            self.process = os.fork()
        if self.process == 0:
            _answer(deed, parent, self.reading, writing)
        close(writing)
        private.append(self.reading)
        self._frames = Frames(_MOST_ANSWER)
        self._answers: list[bytes] = []
        self._code: int | None = None
        self._status: int | None = None

    def heard(self, seconds: float | None = None) -> ForkEnd:
        """Its answer; of one that gives none, what it does instead. seconds : that it may take; None: any."""
        fault = self._listen(seconds)
        if self._answers:
            return ForkEnd(self._answers[0])
        if fault is not None:
            return fault
        self.end()
        code = self._code
        assert code is not None
        ended_itself = f"it exited with code {code}"
        return ForkEnd(None, ended_itself if code >= 0 else f"its process was ended by {signal_name(-code)}", code)

    def kill(self) -> None:
        """Have it and its process group killed, unless it has been waited for."""
        if self._code is None and self._status is None:
            if LINUX:
                end_group(self.process)  # its number is not given to another process before it is waited for
            with suppress(ProcessLookupError):
                os.kill(self.process, signal.SIGKILL)

    def end(self) -> None:
        """Kill it and wait for its end."""
        self.kill()
        if self._code is None:
            close(self.reading)
            private.remove(self.reading)
            status = os.waitpid(self.process, 0)[1] if self._status is None else self._status
            self._code = os.waitstatus_to_exitcode(status)

    def _listen(self, seconds: float | None) -> ForkEnd | None:
        """Until there is an answer, or a fault, which is returned; None as well where the process has ended."""
        deadline = float("inf") if seconds is None else time.monotonic() + seconds
        heard = time.monotonic()
        while not self._answers and (left := deadline - time.monotonic()) > 0:
            if select.select([self.reading], [], [], min(left, _LOOK_S))[0]:
                if not (piece := os.read(self.reading, _PIECE)):
                    return self._ended_soon(min(deadline, time.monotonic() + _EXIT_S))
                heard = time.monotonic()
                try:
                    self._answers += self._frames.add(piece)
                except Junk as error:
                    return ForkEnd(None, str(error), is_junk=True)
            elif self._has_ended():
                return None
            elif self._frames.pending and time.monotonic() - heard >= STALL_S:
                return ForkEnd(None, f"it began to send its answer and stopped for {STALL_S:g} s")
        return None if self._answers else ForkEnd(None, f"it took longer than the {seconds:g} s allowed", is_late=True)

    def _ended_soon(self, deadline: float) -> ForkEnd | None:
        """The fault of a fork whose pipe has ended; None where it has ended as well."""
        while time.monotonic() < deadline:
            if self._has_ended():
                return None
            time.sleep(_LOOK_S / 50)
        return ForkEnd(None, "it closed its connection and kept running")

    def _has_ended(self) -> bool:
        """True if it has ended; where the system has `waitid`, it can still be waited for."""
        if hasattr(os, "waitid"):
            return os.waitid(os.P_PID, self.process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        number, status = os.waitpid(self.process, os.WNOHANG) if self._status is None else (self.process, self._status)
        self._status = status if number else None
        return number != 0


def _answer(deed: Callable[[], bytes], parent: int, reading: int, writing: int) -> None:
    """Answer and leave, whatever happens."""
    me = getpid()
    try:
        if LINUX:  # elsewhere its parent's group is all that those know who are to end it
            os.setsid()
        if not die_with_parent(parent):
            threading.Thread(target=_exit_when_orphaned, args=(parent,), daemon=True).start()
        for number in (signal.SIGINT, signal.SIGTERM):  # the caller's handlers are for the caller's work
            signal.signal(number, signal.SIG_DFL)
        for descriptor in {reading, *private}:
            close(descriptor)
        private[:] = [writing]
        answer = deed()
        with suppress(BaseException):  # closed or replaced
            sys.stdout.flush()
            sys.stderr.flush()
        if getpid() != me:  # a process that the deed started, and that came out of it as its parent did
            leave(0)
        rest = memoryview(framed(answer))
        while rest:
            rest = rest[write(writing, rest) :]
    except BaseException:  # deeds answer with what went wrong; whoever gets here could not even do that
        leave(1)
    leave(0)


def _exit_when_orphaned(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_ORPHAN_POLL_S)
    leave(1)
