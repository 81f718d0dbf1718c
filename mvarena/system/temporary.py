"""Temporary folders of which nothing is left: those of processes that were killed go when the next one is made."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import tempfile
import uuid
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from mvarena.system.machine_identity import process_space

_NAME = re.compile(r"mvarena-([0-9a-f]{12})-(\d+)-\w+")


def temporary_folder() -> TemporaryDirectory[str]:
    """A folder that goes when its `with` ends, or at the latest when another is made after this process has ended.

    Its name says whose it is: of which process, and where the number of a process means that one.
    """
    _sweep(Path(tempfile.gettempdir()))
    return _Folder(prefix=f"mvarena-{_space()}-{os.getpid()}-")


class _Folder(TemporaryDirectory[str]):
    def cleanup(self) -> None:
        remove_tree(Path(self.name))
        super().cleanup()


def remove_tree(folder: Path) -> None:
    """Remove `folder` with all that is in it, however deep; what cannot be removed is left.

    Each folder inside is moved up before it is emptied, so nothing recurses, and no path gets too long for the system.
    """
    waiting, names = [folder], (folder / f"{uuid.uuid4().hex}-{number}" for number in itertools.count())
    emptied = []
    while waiting:
        path = waiting.pop()
        with suppress(OSError):
            path.chmod(0o700)
            for entry in list(os.scandir(path)):
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        os.chmod(entry.path, 0o700)
                        os.rename(entry.path, higher := next(names))
                        waiting.append(higher)
                    else:
                        os.unlink(entry.path)
        emptied.append(path)
    for path in reversed(emptied):
        with suppress(OSError):
            path.rmdir()


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
            remove_tree(place / name)


def _space() -> str:
    return hashlib.sha256(process_space().encode()).hexdigest()[:12]
