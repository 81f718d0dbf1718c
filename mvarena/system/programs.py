"""A program run to its end: its output in bounds, nothing of it left behind, its memory measured."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mvarena.system.processes import LINUX, descendants, end_group, resident_bytes, status_bytes

_TAIL = 16_384  # bytes of each stream that are kept
_PIECE = 65_536
_MOST_PIECES = 64  # of what is left in a pipe after the program has ended
_LOOKS_S = (0.005, 0.1)  # after how long the program is looked at first, and how often in the end


@dataclass(frozen=True, slots=True)
class ProgramEnd:
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
            (stdout, stderr), seen = _watched(process.pid, process.stdout, process.stderr)
    except BaseException:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)  # `process.kill` might wait for it
        raise
    finally:
        if LINUX:
            end_group(process.pid)  # the number stands for this group until the program is waited for
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    # what the system counts on Linux includes this process, of which the program is a copy at first
    peak = seen / 2**20 if LINUX else usage.ru_maxrss / 2**20
    _Largest.mb = max(_Largest.mb, peak)
    return ProgramEnd(process.returncode, stdout, stderr, peak)


def _has_ended(pid: int) -> bool:
    """True if the program has ended; it can be waited for afterwards. False where the system does not tell."""
    if not hasattr(os, "waitid"):
        return False
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _watched(pid: int, *streams: IO[bytes]) -> tuple[list[str], int]:
    """The end of each stream, once the program has ended, and its peak memory in bytes (Linux)."""
    tails = {stream.fileno(): bytearray() for stream in streams}
    pause, peak, due, after = _LOOKS_S[0], 0, 0.0, 0
    with selectors.DefaultSelector() as selector:
        for number in tails:
            os.set_blocking(number, False)
            selector.register(number, selectors.EVENT_READ)
        while after < _MOST_PIECES:
            is_open = bool(selector.get_map())
            ready = selector.select(0 if after else pause if is_open else _LOOKS_S[0])
            if (after and not ready) or not (is_open or hasattr(os, "waitid")):
                break
            after += 1 if after or _has_ended(pid) else 0
            if time.monotonic() >= due:
                peak = max(peak, _held(pid))
                pause = min(2 * pause, _LOOKS_S[1])
                due = time.monotonic() + pause
            for key, _ in ready:
                piece = os.read(key.fd, _PIECE)
                if not piece:
                    selector.unregister(key.fd)
                tails[key.fd] += piece
                del tails[key.fd][:-_TAIL]
    return [tail.decode("utf-8", "replace") for tail in tails.values()], peak


def _held(pid: int) -> int:
    """Bytes that the program and what it started hold now, or that it alone held at its peak, if that is more."""
    if not LINUX:
        return 0
    return max(status_bytes(pid, "VmHWM") or 0, resident_bytes([pid, *descendants(pid)]))
