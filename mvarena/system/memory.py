"""Memory that this process may use, as far as the operating system tells."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path, PurePosixPath
from types import ModuleType

from mvarena.system.processes import status_bytes

resource: ModuleType | None
try:
    import resource
except ImportError:  # no POSIX system
    resource = None


def memory_limit() -> int:
    """Bytes that this process may use: the least of physical memory, the process's limits and its control groups'.

    Where the system tells none of them, as many as there are addresses.
    """
    limits = [physical_memory() or sys.maxsize]
    if resource is not None:
        for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
            soft, _ = resource.getrlimit(kind)
            if soft != resource.RLIM_INFINITY:
                limits.append(soft)
    of_groups = _own_groups()
    return min([*limits, of_groups] if of_groups is not None else limits)


def allocated_bytes() -> int:
    """Bytes that this process has allocated, as RLIMIT_DATA counts them; 0 where the system does not tell."""
    return status_bytes("self", "VmData") or 0


def physical_memory() -> int | None:
    """Bytes that the machine has; None where the system does not tell."""
    if not hasattr(os, "sysconf"):
        return None
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


# The memory that this process's control groups allow (Linux, versions 1 and 2, nested).

_UNLIMITED = 1 << 60  # version 1 writes a number of this size where there is no limit


def control_group_limit(proc: Path = Path("/proc/self"), mounts: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Bytes that this process's control groups allow: the least along the path; None where no group limits memory.

    proc : the process's folder in /proc, whose file `cgroup` names its groups. mounts : where the hierarchies are. In a
    container the path may be that of the machine, of which the container sees the end alone: its own group is the root.
    """
    limits = []
    for line in _lines(proc / "cgroup"):
        _, kinds, group = [*line.split(":", 2), "", ""][:3]
        if kinds == "" or "memory" in kinds.split(","):
            root, name = (mounts, "memory.max") if kinds == "" else (mounts / "memory", "memory.limit_in_bytes")
            path = PurePosixPath(group.strip("/"))
            texts = ("".join(_lines(root / folder / name)).strip() for folder in (path, *path.parents))
            limits += [int(text) for text in texts if text.isdigit()]  # 'max' is no limit
    return min((limit for limit in limits if limit < _UNLIMITED), default=None)


@cache  # each check of a plan's trials asks, and a process stays in its groups
def _own_groups() -> int | None:
    return control_group_limit()


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8", "surrogateescape").splitlines()
    except (OSError, ValueError):  # another system, a group that has gone, or a name that no path has
        return []
