"""Processes as the system shows them: who descends from whom, what they hold, and how to end all of them.

Linux tells everything here; elsewhere a process group stands in for the descendants.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import NoReturn

LINUX = sys.platform == "linux"
_SET_PDEATHSIG, _GET_DUMPABLE, _SET_DUMPABLE, _SET_CHILD_SUBREAPER = 1, 3, 4, 36  # of prctl(2)
_TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_GIVE_UP_S = 10.0  # how long processes may take to die
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def become_subreaper() -> bool:
    """Have every descendant whose parent ends become a child of this process. False where the system cannot."""
    return _prctl(_SET_CHILD_SUBREAPER, 1)


def die_with_parent(parent: int) -> bool:
    """Have the system kill this process when its parent, process `parent`, ends. False where it cannot."""
    done = _prctl(_SET_PDEATHSIG, signal.SIGKILL)
    if done and os.getppid() != parent:  # it ended before the call
        os._exit(1)
    return done


def hide_memory(hidden: bool = True) -> bool:
    """Have the system refuse other processes of this user to read the memory and the environment of this one, or to
    trace it; or no longer. False where it cannot. It does not keep root from that."""
    return _prctl(_SET_DUMPABLE, int(not hidden))


@contextmanager
def hidden_memory() -> Iterator[None]:
    """Meanwhile `hide_memory`."""
    was_hidden = _prctl(_GET_DUMPABLE, 0)
    hide_memory()
    try:
        yield
    finally:
        hide_memory(was_hidden)


@cache
def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, value: int) -> bool:
    if not LINUX:
        return False
    try:
        return bool(_c_library().prctl(option, value, 0, 0, 0) == 0)
    except (OSError, AttributeError):  # a C library without it
        return False


def descendants(root: int) -> list[int]:
    """The processes below `root`, itself left out. Cost: one file for each process of the machine."""
    children = defaultdict(list)
    for name in os.listdir("/proc") if LINUX else ():
        if name.isdigit() and (fields := _stat(int(name))):
            children[int(fields[1])].append(int(name))
    result: list[int] = []
    waiting = [root]
    while waiting:
        below = children.pop(waiting.pop(), [])
        result += below
        waiting += below
    return result


def started_with(entry: str) -> list[int]:
    """The processes that were started with `entry` ('NAME=value') in their environment, and what they forked (Linux).

    So those are found that nothing else leads to. Cost: one file for each process of the machine.
    """
    sought, result = entry.encode(), []
    for name in os.listdir("/proc") if LINUX else ():
        with suppress(OSError):  # ended, or another user's
            if name.isdigit():
                with open(f"/proc/{name}/environ", "rb") as file:
                    result += [int(name)] if sought in file.read().split(b"\0") else []
    return result


def resident_bytes(processes: Iterable[int]) -> int:
    """Bytes of memory that these processes hold together, at most: what several share is counted for each."""
    result = 0
    for process in processes:
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{process}/statm", "rb") as file:
            result += int(file.read().split()[1]) * _PAGE
    return result


def shared_out_bytes(processes: Iterable[int]) -> int:
    """The same, of which each counts its share of what it shares (as after a fork). Cost: 1 ms or more a process."""
    result = 0
    for process in processes:
        try:
            with open(f"/proc/{process}/smaps_rollup", "rb") as file:
                result += sum(int(line.split()[1]) * 1024 for line in file if line.startswith(b"Pss:"))
        except OSError:  # ended, another user's, or hidden: of such a fork of a process, what that does not hold
            parent = [int(fields[1])] if (fields := _stat(process)) else []
            result += max(0, resident_bytes([process]) - resident_bytes(parent))
    return result


def cpu_seconds(processes: Iterable[int]) -> float:
    """CPU seconds of these processes, and of those of their children that have ended."""
    values = (fields for process in processes if (fields := _stat(process)))
    return sum(int(value) for fields in values for value in fields[11:15]) / _TICK


def is_stopped(processes: Iterable[int]) -> bool:
    """True if one of these processes is stopped (SIGSTOP), as far as the system tells."""
    return any(fields[0] == b"T" for process in processes if (fields := _stat(process)))


def signal_name(number: int) -> str:
    """'SIGKILL'; the number of a real-time signal, of which but the first and the last have no name."""
    return signal.Signals(number).name if number in set(signal.Signals) else str(number)


def told_crash(code: int) -> str:
    """Sentence on a worker's process that ended so: with that exit code (negative: the signal)."""
    if code >= 0:
        return "The worker process ended."
    hint = " Often the system has run out of memory." if code == -signal.SIGKILL else ""
    return f"The worker process was ended by {signal_name(-code)}.{hint}"


def end_likewise(code: int | None) -> NoReturn:
    """End this process as another one ended, with that code (negative: the signal; None: not known)."""
    if code is not None and code < 0:
        if -code not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code or 1)


def children(process: int) -> list[int]:
    """The children of a process of this user, as far as the system tells. Cost: one file, on most systems."""
    try:
        with open(f"/proc/{process}/task/{process}/children", "rb") as file:
            return [int(name) for name in file.read().split()]
    except OSError:  # not kept, or it has gone
        return [one for one in descendants(process) if (fields := _stat(one)) and int(fields[1]) == process]


def end_children(but: Container[int]) -> bool:
    """Kill all that descends from this process, which adopts it (`become_subreaper`; Linux), its children `but` left
    out; these have none of their own. False where something still lives after some seconds.
    """
    deadline = time.monotonic() + _GIVE_UP_S
    while time.monotonic() < deadline:
        others = [one for one in children(os.getpid()) if one not in but]
        if not others:
            return True
        end_all(one for one in [*others, *descendants(os.getpid())] if one not in but)
        for one in others:
            with suppress(ChildProcessError):
                os.waitpid(one, os.WNOHANG)
        time.sleep(0.001)
    return False


def end_all(processes: Iterable[int]) -> None:
    """Kill these processes; first stop each, so that none starts another meanwhile."""
    known = list(processes)
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for process in known:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, number)


def end_group(leader: int) -> None:
    """Kill the process group of `leader`."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _stat(process: int) -> list[bytes] | None:
    """The fields of /proc/PID/stat from the state on (its parent is the next); None where it has gone."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return None
