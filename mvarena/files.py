"""Writing files whole or not at all, and temporary folders."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write `content` to `path` through a temporary file beside it, so that no reader ever sees half of it.

    The folder is made where it is missing. Raises OSError where nothing can be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".new-{os.urandom(8).hex()}")
    with temporary.open("xb") as file:
        try:
            file.write(content.encode() if isinstance(content, str) else content)
            file.close()
            temporary.replace(path)
        except BaseException:
            temporary.unlink()
            raise


def temporary_folder() -> TemporaryDirectory[str]:
    """A folder that goes when its `with` ends; what cannot be removed is left to whoever owns it."""
    return TemporaryDirectory(prefix="mvarena-", ignore_cleanup_errors=True)
