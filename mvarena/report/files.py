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

_LONGEST_STEM = 80  # the file systems allow 255 bytes, of which a prefix, an ending and a temporary name take some
Format = Literal["png", "svg", "pdf"]  # of figures
FORMATS: tuple[Format, ...] = ("png", "svg", "pdf")


def file_stems(names: Iterable[str]) -> dict[str, str]:
    """Name -> the stem of a file's name: 'digits[fou,fac]' -> 'digits-fou-fac'.

    A stem has at most 80 lower-case letters, digits, dots and hyphens. Names that would share one, or need more, each
    get six hex digits of their own hash behind it.
    """
    stems = {name: _stem(name) for name in dict.fromkeys(names)}
    counts = Counter(stem[:_LONGEST_STEM] for stem in stems.values())
    return {
        name: stem if len(stem) <= _LONGEST_STEM and counts[stem] == 1 else _with_hash(stem, name)
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


def _with_hash(stem: str, name: str) -> str:
    own = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{stem[: _LONGEST_STEM - 7].rstrip('-.')}-{own}"


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
