"""A program run to its end: its output in bounds, nothing of it left behind, its memory measured."""

from __future__ import annotations

import os
import selectors
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mvarena.system.processes import LINUX, end_group

_TAIL = 16_384  # bytes of each stream that are kept
_PIECE = 65_536
_MOST_PIECES = 64  # of what is left in a pipe after the program has ended
_LOOK_S = 0.05  # how often an end is looked for while something else holds the pipes open


@dataclass(frozen=True, slots=True)
class Ended:
    """End of a program: the exit code (negative: the signal), the end of what it printed, its peak memory (MiB)."""

    code: int
    stdout: str
    stderr: str
    peak_mb: float


class _Largest:
    """The largest peak of the programs that ended since it was set to 0, in MiB."""

    mb = 0.0


def largest_program_mb() -> float:
    """Peak resident memory (MiB) of the largest program that `run_program` ran since `forget_programs`; 0: none ran."""
    return _Largest.mb


def forget_programs() -> None:
    """Begin to count anew."""
    _Largest.mb = 0.0


def run_program(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Ended:
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
            stdout, stderr = _read_to_the_end(process.pid, process.stdout, process.stderr)
    finally:
        _end(process)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    peak = usage.ru_maxrss / (1024 if LINUX else 1024**2)
    _Largest.mb = max(_Largest.mb, peak)
    return Ended(process.returncode, stdout, stderr, peak)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the program's group, or the program where it has none of its own, which is not waited for yet."""
    if LINUX:
        end_group(process.pid)  # the number stands for this group until the program is waited for
    elif not _has_ended(process.pid):
        process.kill()


def _has_ended(pid: int) -> bool:
    """True if the program has ended; it can be waited for afterwards. False where the system does not tell."""
    if not hasattr(os, "waitid"):
        return False
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _read_to_the_end(pid: int, *streams: IO[bytes]) -> list[str]:
    """The end of each stream, once the program has ended or closed both."""
    tails = {stream.fileno(): bytearray() for stream in streams}
    with selectors.DefaultSelector() as selector:
        for number in tails:
            os.set_blocking(number, False)
            selector.register(number, selectors.EVENT_READ)
        after = 0
        while selector.get_map() and after < _MOST_PIECES:
            if not after and _has_ended(pid):
                after = 1
            ready = selector.select(0 if after else _LOOK_S)
            if after and not ready:
                break
            after += 1 if after else 0
            for key, _ in ready:
                piece = os.read(key.fd, _PIECE)
                if not piece:
                    selector.unregister(key.fd)
                tails[key.fd] += piece
                del tails[key.fd][:-_TAIL]
    return [tail.decode("utf-8", "replace") for tail in tails.values()]
