"""Single members of archives, read without unpacking anything to a path that the archive chooses."""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
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
    result: dict[str, bytes] = {}
    try:
        for name, stream in _members(archive, wanted):
            if name in result:
                raise InvalidData(f"The archive {archive} holds two files called {name}.")
            content = stream.read(limit + 1)  # whatever size the archive declares
            if len(content) > limit:
                raise InvalidData(f"The archive {archive} holds {name} with more than the {limit} bytes expected.")
            result[name] = content
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, OSError, zlib.error, NotImplementedError) as error:
        raise InvalidData(f"The archive {archive} cannot be read: {error}. Fetch it again.") from error
    if missing := sorted(wanted - set(result)):
        raise InvalidData(f"The archive {archive} lacks {', '.join(missing)}.")
    return result


def unpack(archive: Path, names: Iterable[str], limit: int, folder: Path) -> None:
    """Write these members into a folder. Raises as `read_members` does."""
    for name, content in read_members(archive, names, limit).items():
        (folder / name).write_bytes(content)


def _members(archive: Path, wanted: set[str]) -> Iterator[tuple[str, IO[bytes]]]:
    with ExitStack() as stack:
        if zipfile.is_zipfile(archive):
            zipped = stack.enter_context(zipfile.ZipFile(archive))
            for entry in zipped.infolist():
                if not entry.is_dir() and (name := PurePosixPath(entry.filename).name) in wanted:
                    yield name, stack.enter_context(zipped.open(entry))
            return
        packed = stack.enter_context(tarfile.open(archive))
        for item in packed:
            if item.offset_data + item.size > _LARGEST_UNPACKED:
                raise InvalidData(f"The archive {archive} unpacks to more than {_LARGEST_UNPACKED >> 30} GiB.")
            stream = packed.extractfile(item) if item.isreg() else None
            if stream is not None and (name := PurePosixPath(item.name).name) in wanted:
                yield name, stream
