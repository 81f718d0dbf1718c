"""Read single members of archives without unpacking anything to a path that the archive chooses."""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import IO

from mvarena.errors import InvalidData

LARGEST_MEMBER = 1 << 30
_LARGEST_UNPACKED = 1 << 33  # what comes before a member is unpacked to get to it


def read_members(archive: Path, names: Iterable[str], limit: int = LARGEST_MEMBER) -> dict[str, bytes]:
    """The contents of the members whose last path component is in `names`, from a .zip or .tar.* file.

    Only regular files count; links, devices and the member's folder are ignored, so nothing is ever written
    where an archive wants it. Raises InvalidData, naming the archive, if it is damaged, lacks a member, holds
    two of that name, or a member is larger than `limit` bytes.
    """
    wanted = set(names)
    found: dict[str, bytes] = {}
    try:
        if zipfile.is_zipfile(archive):
            _from_zip(archive, wanted, limit, found)
        else:
            _from_tar(archive, wanted, limit, found)
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, OSError, zlib.error, NotImplementedError) as error:
        raise InvalidData(f"The archive {archive} cannot be read: {error}. Fetch it again.") from error
    missing = sorted(wanted - set(found))
    if missing:
        raise InvalidData(f"The archive {archive} lacks {', '.join(missing)}.")
    return found


def _from_zip(archive: Path, wanted: set[str], limit: int, found: dict[str, bytes]) -> None:
    with zipfile.ZipFile(archive) as opened:
        for entry in opened.infolist():
            name = PurePosixPath(entry.filename).name
            if not entry.is_dir() and name in wanted:
                with opened.open(entry) as stream:
                    _keep(archive, name, stream, limit, found)


def _from_tar(archive: Path, wanted: set[str], limit: int, found: dict[str, bytes]) -> None:
    with tarfile.open(archive) as opened:
        for entry in opened:
            name = PurePosixPath(entry.name).name
            if entry.offset_data + entry.size > _LARGEST_UNPACKED:
                raise InvalidData(f"The archive {archive} unpacks to more than {_LARGEST_UNPACKED >> 30} GiB.")
            if entry.isreg() and name in wanted:
                stream = opened.extractfile(entry)
                assert stream is not None  # regular members always have contents
                _keep(archive, name, stream, limit, found)


def _keep(archive: Path, name: str, stream: IO[bytes], limit: int, found: dict[str, bytes]) -> None:
    """Read at most `limit` bytes, whatever size the archive declares."""
    if name in found:
        raise InvalidData(f"The archive {archive} holds two files called {name}.")
    content = stream.read(limit + 1)
    if len(content) > limit:
        raise InvalidData(f"The archive {archive} holds {name} with more than the {limit} bytes expected.")
    found[name] = content
