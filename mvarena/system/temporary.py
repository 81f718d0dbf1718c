"""Temporary folders of which nothing is left: those of processes that were killed go when the next one is made."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import socket
import tempfile
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_NAME = re.compile(r"mvarena-([0-9a-f]{12})-(\d+)-\w+")


def temporary_folder() -> TemporaryDirectory[str]:
    """A folder that goes when its `with` ends, or at the latest when another is made after this process has ended.

    Its name says whose it is: of which process, and where the number of a process means that one.
    """
    _sweep(Path(tempfile.gettempdir()))
    prefix = f"mvarena-{_space()}-{os.getpid()}-"
    return TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)


def is_alive(pid: int) -> bool:
    """True if a process of this machine lives; True where the system does not tell."""
    if os.name != "posix":
        return True  # elsewhere signal 0 is a real one
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _sweep(place: Path) -> None:
    """Remove what processes left in `place` that have gone; what cannot be removed is left to whoever owns it."""
    try:
        names = os.listdir(place)
    except OSError:  # it is said where the folder itself cannot be made
        return
    for name in names:
        match = _NAME.fullmatch(name)
        # of a link only the link would go, but nobody here makes one
        if match and match[1] == _space() and not is_alive(int(match[2])) and not (place / name).is_symlink():
            with suppress(RecursionError):
                shutil.rmtree(place / name, ignore_errors=True)


def _space() -> str:
    """Digest of the space in which a process number is unique: this machine since its start, within this container."""
    facts = [socket.gethostname()]
    with suppress(OSError):  # of Linux
        facts += [_BOOT.read_text().strip(), os.readlink("/proc/self/ns/pid")]
    return hashlib.sha256(" ".join(facts).encode()).hexdigest()[:12]
