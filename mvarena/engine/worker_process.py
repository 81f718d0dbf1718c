"""The conductor's side of a worker: its start, its pipes, its end. None of them is ever waited for blindly."""

from __future__ import annotations

import itertools
import os
import pickle
import selectors
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from mvarena.contracts.outcome import Outcome
from mvarena.contracts.trial import Trial
from mvarena.engine.limits import Limits
from mvarena.engine.worker import BEGUN, END_OF_OUTPUT, READY, Start, become_worker
from mvarena.files import temporary_folder
from mvarena.system import openblas
from mvarena.system.forking import quiet_fork
from mvarena.system.framing import Frames, framed
from mvarena.system.processes import LINUX, end_below, end_group, end_marked, resident_bytes
from mvarena.system.sklearn_import import import_sklearn
from mvarena.text import without_passwords

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_FOLDER_VARIABLES = ("TMPDIR", "TEMP", "TMP")
_PIECE = 1 << 18
_MOST_PIECES = 64  # of one pipe before the others have their turn
_SEND_S = 10.0  # how long a worker that waits for a job may take to read it
_MOST_INHERITED = 500 * 2**20  # bytes of a process that workers are forked from
_numbers = itertools.count()


def can_be_forked(threads: int) -> bool:
    """True if a worker with so many threads can begin as a fork of this process; else it is a fresh interpreter.

    Not where the system's libraries do not survive a fork (macOS), where another thread may hold a lock, where OpenMP
    may have threads that a fork lacks, where OpenBLAS has been loaded with several threads, which each fork would start
    again, or is to use other routines than this process has loaded, and where this process holds so much that its
    copies would not be small.
    """
    return (
        LINUX
        and threads == 1
        and "1" in map(os.environ.get, ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"))
        and threading.active_count() == 1
        and not openblas.has_other_routines()
        and resident_bytes([os.getpid()]) < _MOST_INHERITED
    )


class WorkerProcess:
    """One worker. What comes from it is read by `select` on the selector that it is registered with.

    ready : it has started. begun : it has begun a trial that it has not answered. answers : outcomes that it sent.
    fault : why what it sent next is none.
    hung_up : since when (monotonic) its end of the link is closed. process : its number. Raises OSError where no
    process can be started.
    """

    def __init__(self, limits: Limits, selector: selectors.BaseSelector) -> None:
        self._selector = selector
        self.ready = False
        self.begun = False
        self.answers: deque[Outcome] = deque()
        self.fault = ""
        self.hung_up: float | None = None
        self.stdout, self.stderr = Tail(), Tail()
        self._frames = Frames()
        self._code: int | None = None
        self._open: list[Any] = []
        self._folder = temporary_folder()
        try:
            self._start(limits.threads)
        except BaseException:
            self._close()
            raise

    @property
    def is_fit(self) -> bool:
        """True if it lives, and has sent nothing that nobody asked for."""
        return not (self.fault or self.answers or self.hung_up is not None)

    def give(self, trial: Trial, limits: Limits) -> bool:
        """Send a trial. False where the worker does not take it."""
        try:
            self._link.sendall(framed(pickle.dumps((trial, limits), pickle.HIGHEST_PROTOCOL)))
        except OSError:  # it has ended, or does not read
            self.hung_up = self.hung_up or time.monotonic()
            return False
        return True

    def code(self) -> int | None:
        """The exit code of its process (negative: the signal); None while it runs."""
        if self._code is None:
            self._wait(os.WNOHANG)
        return self._code

    def drain(self) -> None:
        """Take what has been printed by now."""
        for descriptor, tail in ((self._out, self.stdout), (self._err, self.stderr)):
            self._read_tail(descriptor, tail)

    def tails(self) -> dict[str, Any]:
        """The end of what the next trial has printed, as `Outcome` has it, without passwords of addresses."""
        return {
            "stdout_tail": without_passwords(self.stdout.taken()),
            "stderr_tail": without_passwords(self.stderr.taken()),
        }

    def end(self) -> None:
        """End the worker and all that descends from it; what it printed last can be read afterwards."""
        had_ended = self.code() is not None
        if not had_ended:
            end_below(self.process) if LINUX else end_group(self.process)
            os.kill(self.process, signal.SIGKILL)
            self._wait(0)
        if had_ended and self._code:  # it could not end what its trial had started
            end_marked(self._name, f"{_FOLDER_VARIABLES[0]}={self._folder.name}")
        self.drain()
        self._close()

    def _start(self, threads: int) -> None:
        self._link, theirs = socket.socketpair()
        self._link.settimeout(_SEND_S)
        self._open.append(self._link)
        self._out, out = self._pipe()
        self._err, err = self._pipe()
        self._name = f"mva{os.getpid()}.{next(_numbers) % 1000}"
        # threads that wait for each other sleep: spinning ones starve each other where workers share cores
        variables = {"OMP_WAIT_POLICY": os.environ.get("OMP_WAIT_POLICY", "PASSIVE")}
        variables |= dict.fromkeys(_THREAD_VARIABLES, str(threads))
        variables |= dict.fromkeys(_FOLDER_VARIABLES, self._folder.name)  # where nothing stays
        is_main = threading.current_thread() is threading.main_thread()
        start = Start(parent=os.getpid(), is_bound=is_main, name=self._name, threads=threads)
        fresh = not can_be_forked(threads)
        if not fresh:
            import_sklearn("sklearn.cluster")
            import_module("mvarena.engine.trial_process")  # with all that workers need
        try:
            self.process = quiet_fork()  # where there are threads, it executes a fresh interpreter
            if self.process == 0:
                become_worker(start, theirs.fileno(), out, err, variables, fresh=fresh)
        finally:
            theirs.close()
            os.close(out)
            os.close(err)
        self._listen(self._link, self._read_link)
        self._listen(self._out, lambda: self._read_tail(self._out, self.stdout))
        self._listen(self._err, lambda: self._read_tail(self._err, self.stderr))

    def _pipe(self) -> tuple[int, int]:
        ours, theirs = os.pipe()
        os.set_blocking(ours, False)
        self._open.append(ours)
        return ours, theirs

    def _listen(self, source: Any, read: Callable[[], None]) -> None:
        self._selector.register(source, selectors.EVENT_READ, read)

    def _ignore(self, source: Any) -> None:
        with suppress(KeyError, ValueError):
            self._selector.unregister(source)

    def _close(self) -> None:
        for item in self._open:
            self._ignore(item)
            if isinstance(item, socket.socket):
                item.close()
            else:
                os.close(item)
        self._open.clear()
        with suppress(OSError, RecursionError):  # what cannot be removed belongs to another user, or is too deep
            self._folder.cleanup()

    def _wait(self, how: int) -> None:
        try:
            ended, status = os.waitpid(self.process, how)
        except ChildProcessError:  # a program that waits for any child was first
            self._code = 0
        else:
            self._code = os.waitstatus_to_exitcode(status) if ended else None

    def _read_link(self) -> None:
        try:
            piece = self._link.recv(_PIECE)
        except OSError:
            piece = b""
        if not piece:
            self.hung_up = time.monotonic()
            self._ignore(self._link)
        self._take(piece)

    def _take(self, piece: bytes) -> None:
        try:
            for message in self._frames.add(piece):
                if message == READY:
                    self.ready = True
                elif message == BEGUN:
                    self.begun = True
                elif isinstance(answer := pickle.loads(message), Outcome) and not self.fault:
                    self.answers.append(answer)
                    self.begun = False
                else:
                    self.fault = f"it is a {type(answer).__name__}"
        except Exception as error:  # of unpickling: what comes in place of an outcome may raise anything
            self.fault = f"it cannot be read ({type(error).__name__})"

    def _read_tail(self, descriptor: int, tail: Tail) -> None:
        for _ in range(_MOST_PIECES):
            try:
                piece = os.read(descriptor, _PIECE)
            except BlockingIOError:
                return
            except OSError:
                piece = b""
            if not piece:
                self._ignore(descriptor)
                return
            tail.add(piece)


# The end of what a program prints, in bounded memory.

TAIL_BYTES = 16_000  # a segmentation fault lists every extension module after its traceback


class Tail:
    """Keeps the last bytes of what comes on a stream, trial by trial, and how many there were before them."""

    def __init__(self, size: int = TAIL_BYTES) -> None:
        self._size = size
        self._kept, self._left_out = b"", 0
        self._ended: deque[str] = deque()

    def add(self, piece: bytes) -> None:
        """The stream goes on with `piece`."""
        *ended, rest = (self._kept + piece).split(END_OF_OUTPUT)
        for whole in ended:
            self._keep(whole)
            self._ended.append(self._text())
        self._keep(rest)

    def taken(self) -> str:
        """The end of what has come of the first trial, which is forgotten; a first line says how much is left out."""
        return self._ended.popleft() if self._ended else self._text()

    def _keep(self, whole: bytes) -> None:
        self._left_out += max(0, len(whole) - self._size)
        self._kept = whole[-self._size :]

    def _text(self) -> str:
        text, left_out = self._kept.decode("utf-8", "backslashreplace"), self._left_out
        self._kept, self._left_out = b"", 0
        return f"[{left_out} bytes before this are left out]\n{text}" if left_out else text
