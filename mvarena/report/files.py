"""Names of report files, and writing them."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from mvarena.errors import InvalidSetting
from mvarena.files import write_atomically

_LONGEST_STEM = 80  # the file systems allow 255 bytes, of which a prefix, an ending and a temporary name take some
Format = Literal["png", "svg", "pdf"]  # of figures
FORMATS: tuple[Format, ...] = ("png", "svg", "pdf")


def file_stems(names: Iterable[str]) -> dict[str, str]:
    """Name -> the stem of a file's name: 'digits[fou,fac]' -> 'digits-fou-fac'.

    A stem has at most 80 lower-case letters, digits and hyphens; a dot would be an ending to LaTeX. Names that would
    share one, or need more, each get six hex digits of their own hash behind it.
    """
    stems = {name: _stem(name) for name in dict.fromkeys(names)}
    counts = Counter(stem[:_LONGEST_STEM] for stem in stems.values())
    return {
        name: stem if len(stem) <= _LONGEST_STEM and counts[stem] == 1 else _with_hash(stem, name)
        for name, stem in stems.items()
    }


def write_file(path: Path, content: str | bytes) -> Path:
    """Write `content` to `path`, whole or not at all, and return the path.

    Raises InvalidSetting if the folder cannot be made or written to.
    """
    try:
        write_atomically(path, content)
    except OSError as error:
        raise InvalidSetting(
            f"{path} cannot be written ({error.strerror or error}); choose a folder with write permission.",
            field="out",
            value=str(path.parent),
        ) from error
    return path


def _stem(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "unnamed"


def _with_hash(stem: str, name: str) -> str:
    own = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{stem[: _LONGEST_STEM - 7].rstrip('-')}-{own}"
