"""The user's cache: its location, notes as JSON, and checksums of files."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import platformdirs

from mvarena.files import write_atomically


def cache_root() -> Path:
    """The environment variable MVARENA_CACHE, or the platform's usual folder."""
    chosen = os.environ.get("MVARENA_CACHE")
    return Path(chosen).expanduser() if chosen else Path(platformdirs.user_cache_dir("mvarena"))


def noted(kind: str, key: str) -> Any:
    """Value that `note` wrote under `key`, as JSON gives it back; None where there is none that can be read."""
    try:
        return json.loads(_note(kind, key).read_text("utf-8"))
    except (OSError, ValueError):  # never written, or damaged
        return None


def note(kind: str, key: str, value: Any) -> None:
    """Write a JSON value into the cache, under a kind of notes and any key.

    Nothing happens where it cannot be written: that costs time, never correctness.
    """
    with suppress(OSError):
        write_atomically(_note(kind, key), json.dumps(value))


def _note(kind: str, key: str) -> Path:
    digest = hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()
    return cache_root() / kind / f"{digest[:32]}.json"


def file_sha256(path: Path) -> str:
    """The sha256 of a file, from the cache if neither its size nor its time of change has moved."""
    stat, place = path.stat(), str(path.resolve())
    known = noted("checksums", place)
    state = {"bytes": stat.st_size, "mtime_ns": stat.st_mtime_ns}
    if isinstance(known, dict) and isinstance(known.get("sha256"), str) and known == known | state:
        return str(known["sha256"])
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    note("checksums", place, state | {"sha256": digest})
    return digest


@cache
def files_digest(files: tuple[Path, ...]) -> str:
    """A digest of what these files hold, read once for each process."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()
