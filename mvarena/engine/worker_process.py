"""A worker as the conductor sees it: a keeper and its worker behind pipes, none of which is ever waited for blindly."""

from __future__ import annotations

import json
import os
import pickle
import select
import selectors
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.limits import MOST_MESSAGE, Limits
from mvarena.engine.messages import Answer, decoded
from mvarena.engine.supervisor import BEGINS, Report, Settings
from mvarena.system.environment import without_secrets
from mvarena.system.framing import Frames, Junk, framed
from mvarena.system.processes import end_all, end_group, started_with
from mvarena.system.temporary import temporary_folder
from mvarena.text import without_passwords

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
# the folders that the conductor finds modules in come last: a json.py in the working folder is not Python's
_PROGRAM = "import sys; sys.path += sys.argv[2:]; from mvarena.engine.supervisor import main; main()"
_FOLDER_VARIABLES = ("TMPDIR", "TEMP", "TMP")
_PIECE = 1 << 18
_LEAST_SECRET = 6  # characters; a shorter value would be found in any text
_MOST_PIECES = 64  # of one stream before the others have their turn
_SEND_S = 10.0  # how long a worker that waits for a job may take to read it
_END_S = 15.0  # how long a keeper may take to end everything
_END_UNSTARTED_S = 2.0  # the same, of one that has not said yet that it has a worker


class WorkerProcess:
    """One keeper with its worker. What comes from it is read by `select` on the selector that it is registered with.

    ready : it has started. answer : to the job that it has. labelled : its outcome so far, which counts where no
    answer comes, and since when (monotonic). junk : what it sent that is no answer. hung_up : since
    when (monotonic) the worker's end of the link is closed. gone : the keeper has ended, and with it everything else;
    its `report` may say how. Raises OSError where no process can be started.
    """

    def __init__(self, limits: Limits, selector: selectors.BaseSelector) -> None:
        self._selector = selector
        self.ready = False
        self.answer: Answer | None = None
        self.labelled: tuple[Outcome, float] | None = None
        self.junk = ""
        self.hung_up: float | None = None
        self.gone = False
        self.report: Report | None = None
        self.heard = time.monotonic()
        self.stdout, self.stderr = Tail(), Tail()
        self._frames = Frames(MOST_MESSAGE)
        self._said = b""
        self._leader: int | None = None
        self._secrets: dict[str, str] = {}
        self._number = 0
        self._open: list[Any] = []
        self._folder = temporary_folder()
        try:
            self._start(limits)
        except BaseException:
            self._close()
            raise

    @property
    def sends(self) -> bool:
        """True if a message has begun to come and is not whole."""
        return self._frames.pending > 0

    @property
    def is_fit(self) -> bool:
        """True if it lives, and has sent nothing that nobody asked for."""
        return not (self.gone or self.junk or self.hung_up is not None or self.answer or self.sends)

    def give(self, trial: Trial) -> bool:
        """Send a job. False where the worker does not take it."""
        self._number += 1
        self.labelled = None
        self.stdout.clear()
        self.stderr.clear()
        try:
            self._say_that_it_begins()
            return self._send(framed(pickle.dumps((self._number, trial), pickle.HIGHEST_PROTOCOL)))
        except OSError:
            return False

    def _say_that_it_begins(self) -> None:
        """To the keeper; the start of a worker is not its first trial's time."""
        with suppress(OSError):  # it has gone, which is seen elsewhere
            if self.ready:
                self._control.send(BEGINS)

    def is_answer(self) -> bool:
        """True if the answer is to the job that it has."""
        return self.answer is not None and self.answer.number == self._number

    def drain(self) -> None:
        """Take what has been printed by now."""
        for descriptor, tail in ((self._out, self.stdout), (self._err, self.stderr)):
            self._read_tail(descriptor, tail)

    def tails(self) -> dict[str, Any]:
        """The end of what was printed, as `Outcome` has it, with '***' for secrets of this process's environment."""
        result = {"stdout_tail": self.stdout.text(), "stderr_tail": self.stderr.text()}
        for name, text in result.items():
            for secret in self._secrets.values():
                text = text.replace(secret, "***") if len(secret) >= _LEAST_SECRET else text
            result[name] = without_passwords(text)
        return result

    def end(self) -> None:
        """End the worker and all that descends from it; what it printed last can be read afterwards."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
        self._await_report()
        self._keeper.kill()
        self._keeper.wait()
        if self._leader is not None and self.report is None:  # the keeper could not do it
            end_group(self._leader)
            end_all(started_with(f"{_FOLDER_VARIABLES[0]}={self._folder.name}"))
        self.drain()
        self._close()

    def _start(self, limits: Limits) -> None:
        self._link, theirs = self._pair()
        self._control, keepers = self._pair()
        self._out, out = self._pipe()
        self._err, err = self._pipe()
        settings = Settings(
            link=theirs.fileno(),
            control=keepers.fileno(),
            conductor=os.getpid(),
            threads=limits.threads,
            memory=limits.memory,
            memory_of_a_process=limits.memory_of_a_process,
            cpu_s=limits.cpu_s,
            frozen_s=limits.frozen_s,
        )
        # threads that wait for each other sleep: spinning ones starve each other where workers share cores
        given, self._secrets = without_secrets(os.environ, limits.pass_env)
        environment = {"OMP_WAIT_POLICY": "PASSIVE"} | given | dict.fromkeys(THREAD_VARIABLES, str(limits.threads))
        environment |= dict.fromkeys(_FOLDER_VARIABLES, self._folder.name)  # where nothing stays
        try:
            self._keeper = subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM, json.dumps(asdict(settings)), *map(os.path.abspath, sys.path)],
                pass_fds=[theirs.fileno(), keepers.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=environment,
                start_new_session=True,  # Ctrl-C reaches the foreground alone; the conductor decides what it means
            )
        finally:
            theirs.close()
            keepers.close()
            os.close(out)
            os.close(err)
        self._listen(self._link, self._read_link)
        self._listen(self._control, self._read_control)
        self._listen(self._out, lambda: self._read_tail(self._out, self.stdout))
        self._listen(self._err, lambda: self._read_tail(self._err, self.stderr))

    def _pair(self) -> tuple[socket.socket, socket.socket]:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        self._open.append(ours)
        return ours, theirs

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
        with suppress(OSError):  # what cannot be removed belongs to another user by now
            self._folder.cleanup()

    def _read_link(self) -> None:
        for _ in range(_MOST_PIECES):
            try:
                piece = self._link.recv(_PIECE)
            except BlockingIOError:
                return
            except OSError:
                piece = b""
            self.heard = time.monotonic()
            if not piece:
                self.hung_up = self.heard
                self._ignore(self._link)
                return
            if not self.junk:
                self._take(piece)

    def _take(self, piece: bytes) -> None:
        try:
            for message in self._frames.add(piece):
                answer = decoded(message)
                if answer is None and not self.ready:
                    self.ready = True
                    self._say_that_it_begins()
                elif answer is None or self.answer is not None:
                    raise Junk("the worker sent a message that nobody asked for")
                elif answer.is_last:
                    self.answer = answer
                elif answer.number == self._number and answer.outcome.status is Status.DONE:
                    self.labelled = answer.outcome, self.heard
        except Junk as error:
            self.junk = str(error)
            self._ignore(self._link)

    def _read_control(self) -> None:
        try:
            piece = self._control.recv(_PIECE)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            self.gone = True
            self._ignore(self._control)
            return
        *lines, self._said = (self._said + piece).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "worker" in message:
                self._leader = message["worker"]
            else:
                self.report = Report(**message)

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

    def _send(self, payload: bytes) -> bool:
        rest = memoryview(payload)
        deadline = time.monotonic() + _SEND_S
        while rest:
            try:
                rest = rest[self._link.send(rest) :]
            except BlockingIOError:
                select.select([], [self._link], [], 0.1)
                if time.monotonic() > deadline:
                    return False
        return True

    def _await_report(self) -> None:
        """Until the keeper has ended everything, or does not within its time; what is printed is read meanwhile."""
        deadline = time.monotonic() + (_END_S if self._leader is not None else _END_UNSTARTED_S)
        while not self.gone and time.monotonic() < deadline:
            select.select([self._control], [], [], 0.05)
            self._read_control()
            self.drain()


# The end of what a program prints, in bounded memory.

TAIL_BYTES = 16_000  # a segmentation fault lists every extension module after its traceback


class Tail:
    """Keeps the last bytes of a stream, and how many there were."""

    def __init__(self, size: int = TAIL_BYTES) -> None:
        self._size = size
        self._kept, self._seen = b"", 0

    def add(self, piece: bytes) -> None:
        """The stream goes on with `piece`."""
        self._seen += len(piece)
        self._kept = (self._kept + piece)[-self._size :] if len(piece) < self._size else piece[-self._size :]

    def clear(self) -> None:
        """Forget all of it."""
        self._kept, self._seen = b"", 0

    def text(self) -> str:
        """The end of the stream; where it is not all, a first line says how much is left out."""
        left_out = self._seen - len(self._kept)
        text = self._kept.decode("utf-8", "backslashreplace")
        return f"[{left_out} bytes before this are left out]\n{text}" if left_out else text
