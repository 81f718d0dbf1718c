"""How much memory this process may use, as far as the operating system tells."""

from __future__ import annotations

import os
import sys
from types import ModuleType

from mvarena.numerics.control_groups import control_group_limit

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


def physical_memory() -> int | None:
    """Bytes that the machine has; None where the system does not tell."""
    if not hasattr(os, "sysconf"):
        return None
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
