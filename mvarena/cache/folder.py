"""Location of the user's cache, and checksums of files in it."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from functools import cache
from pathlib import Path

import platformdirs

from mvarena.files import write_atomically


def cache_root() -> Path:
    """The environment variable MVARENA_CACHE, or the platform's usual folder."""
    chosen = os.environ.get("MVARENA_CACHE")
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_cache_dir("mvarena"))


# The sha256 of files, remembered by path, size and time of change.


def file_sha256(path: Path) -> str:
    """The sha256 of a file, from memory if neither its size nor its time of change has moved."""
    stat = path.stat()
    state = {"path": str(path.resolve()), "bytes": stat.st_size, "mtime_ns": stat.st_mtime_ns}
    memory = _memory_of(path)
    known = _recall(memory)
    if {key: known.get(key) for key in state} == state:
        return str(known["sha256"])
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    _remember(memory, {**state, "sha256": digest})
    return digest


def _memory_of(path: Path) -> Path:
    key = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:24]
    return cache_root() / "checksums" / f"{key}.json"


def _recall(memory: Path) -> dict[str, object]:
    try:
        known = json.loads(memory.read_text("utf-8"))
    except (OSError, ValueError):  # never written, or cut off: the file is then hashed again
        return {}
    return known if isinstance(known, dict) and isinstance(known.get("sha256"), str) else {}


def _remember(memory: Path, state: dict[str, object]) -> None:
    with suppress(OSError):  # a cache that cannot be written costs time, never correctness
        write_atomically(memory, json.dumps(state))


@cache
def files_digest(files: tuple[Path, ...]) -> str:
    """A digest of what these files hold, read once for each process."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()
