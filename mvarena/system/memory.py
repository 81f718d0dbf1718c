"""Memory that this process may use, as far as the operating system tells."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

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
    of_groups = control_group_limit()
    return min([*limits, of_groups] if of_groups is not None else limits)


def allocated_bytes() -> int:
    """Bytes that this process has allocated, as RLIMIT_DATA counts them; 0 where the system does not tell."""
    try:
        with open("/proc/self/status", "rb") as file:
            return sum(int(line.split()[1]) * 1024 for line in file if line.startswith(b"VmData:"))
    except OSError:
        return 0


def physical_memory() -> int | None:
    """Bytes that the machine has; None where the system does not tell."""
    if not hasattr(os, "sysconf"):
        return None
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


# The memory that this process's control groups allow (Linux, versions 1 and 2, nested).
#
# Each group along the path from the process's own up to the root may set a limit, and the least of them binds.

_UNLIMITED = 1 << 60  # version 1 writes a number of this size where there is no limit
_LIMIT_FILES = {"cgroup2": "memory.max", "cgroup": "memory.limit_in_bytes"}
_ESCAPED = re.compile(r"\\([0-7]{3})")


def control_group_limit(proc: Path = Path("/proc/self")) -> int | None:
    """Bytes that the nearest limiting groups allow: the least along the path; None where no group limits memory.

    proc : the process's folder in /proc, in which `cgroup` and `mountinfo` say where its groups are.
    """
    limits = [limit for folder, name in _folders(proc) if (limit := _read(folder / name)) is not None]
    return min(limits, default=None)


def _folders(proc: Path) -> Iterator[tuple[Path, str]]:
    """Every folder between the process's own group and the root of its hierarchy, with the name of the limit's file."""
    groups = dict(_groups(proc))
    for kind, root, mount in _mounts(proc):
        path = groups.get(kind)
        if path is None:
            continue
        # what is mounted may be a part of the hierarchy only, as inside a container
        inside = path.removeprefix(root.rstrip("/")) if path.startswith(root.rstrip("/")) else ""
        folder = mount / inside.strip("/")
        while True:
            yield folder, _LIMIT_FILES[kind]
            if folder == mount or mount not in folder.parents:
                break
            folder = folder.parent


def _groups(proc: Path) -> Iterator[tuple[str, str]]:
    """('cgroup2' or 'cgroup', the process's group) of the hierarchies that may limit memory."""
    for line in _lines(proc / "cgroup"):
        parts = line.split(":", 2)
        if len(parts) == 3 and ".." not in parts[2].split("/"):
            if parts[1] == "":
                yield "cgroup2", parts[2]
            elif "memory" in parts[1].split(","):
                yield "cgroup", parts[2]


def _mounts(proc: Path) -> Iterator[tuple[str, str, Path]]:
    """(kind, the group that is mounted, where) of the mounts that show limits of memory."""
    for line in _lines(proc / "mountinfo"):
        before, dash, after = line.partition(" - ")
        fields, last = before.split(), after.split()
        if not dash or len(fields) < 5 or len(last) < 3 or last[0] not in _LIMIT_FILES:
            continue
        if last[0] == "cgroup2" or "memory" in last[2].split(","):
            yield last[0], _plain(fields[3]), Path(_plain(fields[4]))


def _plain(text: str) -> str:
    """A path of mountinfo, where blanks are written in octal."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 8)), text)


def _read(path: Path) -> int | None:
    text = "".join(_lines(path)).strip()
    value = int(text) if text.isdigit() else None  # 'max' is no limit
    return value if value is not None and value < _UNLIMITED else None


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:  # another system, or a group that has gone
        return []
