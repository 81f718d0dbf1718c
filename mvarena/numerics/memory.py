"""How much memory this process may use, as far as the operating system tells."""

from __future__ import annotations

import os
import resource

from mvarena.numerics.control_groups import control_group_limit


def memory_limit() -> int:
    """Bytes that this process may use: the least of physical memory, the process's limits and its control groups'."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        soft, _ = resource.getrlimit(kind)
        if soft != resource.RLIM_INFINITY:
            limits.append(soft)
    of_groups = control_group_limit()
    return min([*limits, of_groups] if of_groups is not None else limits)
