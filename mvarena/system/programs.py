"""A program run to its end: its output in bounds, nothing of it left behind."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mvarena.system.processes import LINUX, end_group

_TAIL = 16_384  # bytes of each stream that are kept
_PIECE = 65_536
_MOST_PIECES = 64  # of what is left in a pipe after the program has ended
_LOOK_S = 0.1  # how often it is asked whether the program has ended whose pipe something else keeps open
_SOON_S = 0.005  # the same, where it has closed its streams


@dataclass(frozen=True, slots=True)
class ProgramEnd:
    """End of a program: the exit code (negative: the signal), and the end of what it printed."""

    code: int
    stdout: str
    stderr: str


def run_program(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> ProgramEnd:
    """Run `command` in `folder` until it ends; what it started in its process group is killed then, and on an error.

    On Linux it has a process group of its own; elsewhere it stays in that of this process, which those know who are to
    end it. Raises OSError where it cannot be started.
    """
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        process_group=0 if LINUX else None,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        with process.stdout, process.stderr:
            stdout, stderr = _ends_of(process.pid, process.stdout, process.stderr)
    except BaseException:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)  # `process.kill` might wait for it
        raise
    finally:
        if LINUX:
            end_group(process.pid)  # the number stands for this group until the program is waited for
        code = process.wait()
    return ProgramEnd(code, stdout, stderr)


def _has_ended(pid: int) -> bool:
    """True if the program has ended; it can be waited for afterwards. False where the system does not tell."""
    if not hasattr(os, "waitid"):
        return False
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _ends_of(pid: int, *streams: IO[bytes]) -> list[str]:
    """The end of each stream, once the program has ended."""
    tails = {stream.fileno(): bytearray() for stream in streams}
    after = 0
    with selectors.DefaultSelector() as selector:
        for number in tails:
            os.set_blocking(number, False)
            selector.register(number, selectors.EVENT_READ)
        while after < _MOST_PIECES:
            is_open = bool(selector.get_map())
            ready = selector.select(0 if after else _LOOK_S if is_open else _SOON_S)
            if (after and not ready) or not (is_open or hasattr(os, "waitid")):
                break
            after += 1 if after or _has_ended(pid) else 0
            for key, _ in ready:
                piece = os.read(key.fd, _PIECE)
                if not piece:
                    selector.unregister(key.fd)
                tails[key.fd] += piece
                del tails[key.fd][:-_TAIL]
    return [tail.decode("utf-8", "replace") for tail in tails.values()]
