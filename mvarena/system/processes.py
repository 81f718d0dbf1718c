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
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache

LINUX = sys.platform == "linux"
_SET_PDEATHSIG, _SET_CHILD_SUBREAPER = 1, 36  # of prctl(2)
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


def outlive_parent() -> None:
    """Undo `die_with_parent`."""
    _prctl(_SET_PDEATHSIG, 0)


def take_name(name: str) -> None:
    """Call this process so (15 bytes at most; Linux). What it forks inherits the name, what it executes does not."""
    if LINUX:
        with open("/proc/self/comm", "w") as file:
            file.write(name)


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


def marked_processes(name: str, entry: str) -> list[int]:
    """The processes of that name (`take_name`), and those started with `entry` ('NAME=value') in their environment.

    So those are found that nothing else leads to (Linux). Cost: two files for each process of the machine.
    """
    sought, result = entry.encode(), []
    for number in filter(str.isdigit, os.listdir("/proc") if LINUX else ()):
        with suppress(OSError):  # ended, or another user's
            with open(f"/proc/{number}/comm") as file:
                found = file.read().strip() == name
            if not found:
                with open(f"/proc/{number}/environ", "rb") as variables:
                    found = sought in variables.read().split(b"\0")
            result += [int(number)] if found else []
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


def is_zombie(process: int) -> bool:
    """True if the process has ended and nobody has asked for it yet."""
    return (fields := _stat(process)) is not None and fields[0] == b"Z"


def signal_name(number: int) -> str:
    """'SIGKILL'; the number of a real-time signal, of which but the first and the last have no name."""
    return signal.Signals(number).name if number in set(signal.Signals) else str(number)


def told_crash(code: int) -> str:
    """Sentence on a worker's process that ended so: with that exit code (negative: the signal)."""
    if code >= 0:
        return f"The worker process ended with exit code {code}."
    hint = " Often the system has run out of memory." if code == -signal.SIGKILL else ""
    return f"The worker process was ended by {signal_name(-code)}.{hint}"


def children(process: int) -> list[int]:
    """The children of a process of this user, as far as the system tells. Cost: one file, on most systems."""
    try:
        with open(f"/proc/{process}/task/{process}/children", "rb") as file:
            return [int(name) for name in file.read().split()]
    except OSError:  # not kept, or it has gone
        return [one for one in descendants(process) if (fields := _stat(one)) and int(fields[1]) == process]


def end_children() -> bool:
    """Kill all that descends from this process, which adopts it (`become_subreaper`; Linux). False where something
    still lives after some seconds.
    """
    done = _killed(lambda: descendants(os.getpid()))
    for one in children(os.getpid()):
        with suppress(ChildProcessError):
            os.waitpid(one, os.WNOHANG)
    return done


def end_below(root: int) -> None:
    """Stop the process `root`, which adopts what descends from it, and kill all of that (Linux)."""
    end_all([], stopped=[root])
    _killed(lambda: descendants(root))


def end_marked(name: str, entry: str) -> None:
    """Kill the processes that `marked_processes` finds (Linux)."""
    _killed(lambda: marked_processes(name, entry))


def _killed(found: Callable[[], Iterable[int]]) -> bool:
    """Kill processes until none is found that lives. False where one still lives after some seconds."""
    deadline = time.monotonic() + _GIVE_UP_S
    while living := [one for one in found() if not is_zombie(one)]:
        if time.monotonic() > deadline:
            return False
        end_all(living)
        time.sleep(0.001)
    return True


def end_all(processes: Iterable[int], *, stopped: Iterable[int] = ()) -> None:
    """Kill these processes; first stop each, and those that are only to be `stopped`, so that none starts another."""
    known = list(processes)
    for number, group in ((signal.SIGSTOP, [*stopped, *known]), (signal.SIGKILL, known)):
        for process in group:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, number)


def end_group(leader: int) -> None:
    """Kill the process group of `leader`."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def status_bytes(process: int | str, field: str) -> int | None:
    """A number of bytes in /proc/PID/status, such as VmHWM; None where the system does not tell."""
    try:
        with open(f"/proc/{process}/status", "rb") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith(f"{field}:".encode()))
    except (OSError, StopIteration):
        return None


def _stat(process: int) -> list[bytes] | None:
    """The fields of /proc/PID/stat from the state on (its parent is the next); None where it has gone."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return None
