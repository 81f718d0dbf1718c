"""Names of this machine since its start, and of the space in which its process numbers are unique."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_PROCESS_SPACE = Path("/proc/self/ns/pid")


@cache
def machine() -> str:
    """This machine since it was started: another text after every start."""
    if _BOOT.is_file():
        return _BOOT.read_text().strip()
    if sys.platform == "darwin":
        requested = ["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"]
        return (
            subprocess.run(requested, capture_output=True, text=True, check=False).stdout.strip()
            or socket.gethostname()
        )
    return socket.gethostname()


@cache
def process_space() -> str:
    """Space in which a process number is unique: this machine since its start, within this container."""
    try:
        inside = os.readlink(_PROCESS_SPACE)
    except OSError:
        inside = ""
    return f"{socket.gethostname()} {machine()} {inside}".strip()
