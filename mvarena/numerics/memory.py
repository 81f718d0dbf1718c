"""How much memory this process may use, as far as the operating system tells."""

from __future__ import annotations

import os
import resource
from pathlib import Path

_CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def memory_limit() -> int:
    """Bytes that this process may use: the least of physical memory, the process's limits and its control group's."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        soft, _ = resource.getrlimit(kind)
        if soft != resource.RLIM_INFINITY:
            limits.append(soft)
    for name in _CGROUP_LIMITS:
        path = Path(name)
        if path.exists():
            text = path.read_text().strip()
            if text.isdigit():
                limits.append(int(text))
    return min(limits)
