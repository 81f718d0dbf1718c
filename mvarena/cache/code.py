"""Digest of the code that made a cached entry."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path


@cache
def code_digest(target: str) -> str:
    """A digest of the code behind "package.module:attribute": every module of its package, or the lone module.

    Empty where the code cannot be found as files. Cost: reading those files, once for each process.
    """
    spec = find_spec(target.partition(":")[0])
    if spec is None or spec.origin is None or not Path(spec.origin).is_file():
        return ""
    origin = Path(spec.origin)
    alone = not spec.parent  # a module in a folder of strangers
    return files_digest((origin,) if alone else tuple(sorted(origin.parent.rglob("*.py"))))


@cache
def files_digest(files: tuple[Path, ...]) -> str:
    """A digest of what these files hold, read once for each process."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()
