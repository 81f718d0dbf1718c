"""Download a card's files into the user's cache: each appears there only once it is what the card says."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from mvarena.contracts.data_source import BytesSeen
from mvarena.errors import DataUnavailable
from mvarena.loaders.archives import LARGEST_MEMBER, read_members
from mvarena.loaders.cards import CardFile
from mvarena.loaders.transfer import Transfer, locked_part

_BESIDE_MEMBERS = 1 << 26  # bytes that an archive may have beside four times those of the members wanted


def download_files(files: list[CardFile], folder: Path, progress: BytesSeen | None = None) -> None:
    """Fetch `files` (all downloadable) into `folder`; each appears there only once its sha256 is right.

    Two processes that want one file wait for each other, and the second takes what the first has fetched.
    Raises DataUnavailable if a server cannot be reached or sends something else, or more of it than the card says.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            if file.url:
                _fetch(file, file.url, folder / file.name, progress)
        for archive in dict.fromkeys(file.archive for file in files if file.archive and not file.url):
            members = [file for file in files if file.archive == archive and not file.url]
            _from_archive(archive, members, folder, progress)
    except OSError as error:
        raise DataUnavailable(f"{folder} cannot be written: {error}. Set MVARENA_CACHE to another folder.") from error


def _fetch(file: CardFile, url: str, target: Path, progress: BytesSeen | None) -> None:
    with locked_part(target) as stream:
        if not target.is_file():  # no other process was faster
            Transfer(url, file.name, file.bytes, LARGEST_MEMBER, progress).checked(stream, _digests(file))
            os.replace(stream.name, target)


def _from_archive(url: str, files: list[CardFile], folder: Path, progress: BytesSeen | None) -> None:
    """Members are checked all together before the first is put in place; nothing else stays of the archive."""
    name = f"archive-{hashlib.sha256(url.encode()).hexdigest()[:12]}"
    limit = 4 * sum(file.bytes or LARGEST_MEMBER for file in files) + _BESIDE_MEMBERS
    with locked_part(folder / name) as stream:
        try:
            if all((folder / file.name).is_file() for file in files):
                return
            stream.truncate(0)  # no checksum would tell whether what is there is of the same archive
            Transfer(url, url.rpartition("/")[2], None, limit, progress).resume(stream)
            largest = max(file.bytes or LARGEST_MEMBER for file in files)
            contents = read_members(Path(stream.name), [file.name for file in files], largest)
            for file in files:
                if hashlib.sha256(contents[file.name]).hexdigest() not in _digests(file):
                    raise DataUnavailable(
                        f"{file.name} in {url} has another sha256 than the card says: the publisher changed it."
                    )
            for file in files:
                _place(contents[file.name], folder / file.name)
        finally:
            stream.truncate(0)


def _place(content: bytes, target: Path) -> None:
    with locked_part(target) as stream:
        stream.truncate(0)
        try:
            stream.write(content)
            stream.flush()
            os.replace(stream.name, target)
        except BaseException:
            stream.truncate(0)
            raise


def _digests(file: CardFile) -> tuple[str, ...]:
    return tuple(digest for digest in (file.sha256, *file.also_sha256) if digest)
