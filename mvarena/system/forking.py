"""A fork of this process that does one thing, answers in bytes, and is ended.

It begins with all that this process has imported and loaded, and what it does to them stays its own.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from os import _exit as leave
from os import close, getpid, write  # as they are now: what a contestant puts in their place is not used here

from mvarena.system.framing import Frames, send
from mvarena.system.processes import LINUX, die_with_parent, end_group

_PIECE = 1 << 20
_GO = b"!"
_LOOK_S = 0.05  # how often it is asked whether a fork has ended whose pipe something else keeps open
_MUTE_S = 3.0  # how long a fork may go on that has closed the pipe of its answer
_ORPHAN_POLL_S = 1.0

private: list[int] = []
"""File descriptors that this process has for itself: its forks close them."""


@dataclass(frozen=True, slots=True)
class ForkEnd:
    """End of a fork: its answer, or the exit code of its process (negative: the signal); neither: it goes on.

    is_mute : it goes on and has closed the pipe of its answer, some seconds ago.
    """

    answer: bytes | None = None
    code: int | None = None
    is_mute: bool = False


class Fork:
    """A fork of this process: `deed` runs in it, and gives its answer.

    waits : whether it runs only when `go` is called.
    process : its number. reading : the descriptor of its answer. Raises OSError where no process can be forked.
    Cost: 2 to 10 ms, by the memory and the libraries that this process has.
    """

    def __init__(self, deed: Callable[[], bytes], *, waits: bool = False) -> None:
        self.reading, writing = (one.detach() for one in socket.socketpair())
        parent = getpid()
        self.process = quiet_fork()
        if self.process == 0:
            _answer(deed, parent, self.reading, writing, waits)
        close(writing)
        private.append(self.reading)
        self._frames, self._is_open, self._closed_at = Frames(), True, float("inf")
        self._code: int | None = None
        self._status: int | None = None

    def go(self) -> bool:
        """Have it run what it waits for. False where it has ended."""
        if self._has_ended():
            self.end()
            return False
        write(self.reading, _GO)
        return True

    def heard(self, seconds: float | None = None) -> ForkEnd:
        """Its next message (`say`) or its answer, or how it has ended without one.

        seconds : after which it is heard no longer; None: any.
        """
        for message in self._frames.add(b""):  # which came with the last
            return ForkEnd(message)
        deadline = float("inf") if seconds is None else time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if self._is_open and select.select([self.reading], [], [], min(left, _LOOK_S))[0]:
                piece = b""
                with suppress(ConnectionResetError):  # it has ended before it was to go
                    piece = os.read(self.reading, _PIECE)
                self._is_open, self._closed_at = bool(piece), time.monotonic()
                for answer in self._frames.add(piece):
                    return ForkEnd(answer)
            elif self._has_ended():
                self.end()
                return ForkEnd(code=self._code)
            elif not self._is_open:  # it has closed its files, and goes on
                if time.monotonic() - self._closed_at > _MUTE_S:
                    return ForkEnd(is_mute=True)
                time.sleep(_LOOK_S / 5)
        return ForkEnd()

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

    def _has_ended(self) -> bool:
        """True if it has ended; where the system has `waitid`, it can still be waited for."""
        if hasattr(os, "waitid"):
            return os.waitid(os.P_PID, self.process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        number, status = os.waitpid(self.process, os.WNOHANG) if self._status is None else (self.process, self._status)
        self._status = status if number else None
        return number != 0


def quiet_fork() -> int:
    """Fork this process: 0 in the fork, which prints nothing again, and uses none of the caller's threads."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed or replaced
            stream.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads
        return os.fork()


def say(message: bytes) -> None:
    """Send a message from a fork to the process that made it."""
    send(private[0], message)


def _answer(deed: Callable[[], bytes], parent: int, reading: int, writing: int, waits: bool) -> None:
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
        if waits and not os.read(writing, 1):
            leave(0)
        answer = deed()
        with suppress(BaseException):  # closed or replaced
            sys.stdout.flush()
            sys.stderr.flush()
        if getpid() != me:  # a process that the deed started, and that came out of it as its parent did
            leave(0)
        send(writing, answer)
    except BaseException:  # deeds answer with what went wrong; whoever gets here could not even do that
        leave(1)
    leave(0)


def _exit_when_orphaned(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_ORPHAN_POLL_S)
    leave(1)
