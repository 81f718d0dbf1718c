"""Names of report files, and writing them whole or not at all."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal

from mvarena.errors import InvalidSetting

Format = Literal["png", "svg", "pdf"]  # of figures
FORMATS: tuple[Format, ...] = ("png", "svg", "pdf")


def file_stems(names: Iterable[str]) -> dict[str, str]:
    """Name -> the stem of a file's name: 'digits[fou,fac]' -> 'digits-fou-fac'.

    A stem has lower-case letters, digits, dots and hyphens only. Names that would share a stem each get six hex
    digits of their own hash behind it.
    """
    stems = {name: _stem(name) for name in dict.fromkeys(names)}
    counts = Counter(stems.values())
    return {
        name: stem if counts[stem] == 1 else f"{stem}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
        for name, stem in stems.items()
    }


def write_file(path: Path, content: str | bytes) -> Path:
    """Write `content` to `path` through a temporary file beside it, so that no reader ever sees half of it.

    Raises InvalidSetting if the folder cannot be made or written to.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        with suppress(FileNotFoundError):  # it is gone once it has replaced the file
            os.unlink(temporary)
    return path


def _stem(name: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.") or "unnamed"


def _umask() -> int:
    """The process's file mode mask, which can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _unwritable(path: Path, error: OSError) -> InvalidSetting:
    return InvalidSetting(
        f"{path} cannot be written ({error.strerror or error}); choose a folder that you may write to.",
        field="out",
        value=str(path.parent),
    )
