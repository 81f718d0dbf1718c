"""Download a card's files into the user's cache: each appears there only once it is what the card says."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from mvarena.contracts.data_source import BytesSeen
from mvarena.errors import DataUnavailable
from mvarena.loaders.archives import LARGEST_MEMBER, read_members
from mvarena.loaders.cards import CardFile

_BESIDE_MEMBERS = 1 << 26  # bytes that an archive may have beside four times those of the members wanted
_TIMEOUT_S = 60  # to connect, between two chunks


def download_files(files: list[CardFile], folder: Path, progress: BytesSeen | None = None) -> None:
    """Fetch `files` (all downloadable) into `folder`; each appears there only once its sha256 is right.

    Raises DataUnavailable if a server cannot be reached or sends something else, or more of it than the card says.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".download-", dir=folder) as name:
            fresh = Path(name)
            for file in (file for file in files if file.url):
                _place(_fetched(file.url or "", file.name, file.bytes or LARGEST_MEMBER, fresh, progress), file, folder)
            for archive in dict.fromkeys(file.archive for file in files if file.archive and not file.url):
                members = [file for file in files if file.archive == archive and not file.url]
                _from_archive(archive, members, fresh, progress)
                for file in members:
                    _place(fresh / file.name, file, folder)
    except OSError as error:
        raise DataUnavailable(f"{folder} cannot be written: {error}. Set MVARENA_CACHE to another folder.") from error


def _from_archive(url: str, files: list[CardFile], fresh: Path, progress: BytesSeen | None) -> None:
    limit = 4 * sum(file.bytes or LARGEST_MEMBER for file in files) + _BESIDE_MEMBERS
    archive = _fetched(url, f"archive-{url.rpartition('/')[2]}", limit, fresh, progress)
    largest = max(file.bytes or LARGEST_MEMBER for file in files)
    for name, content in read_members(archive, [file.name for file in files], largest).items():
        (fresh / name).write_bytes(content)
    for file in files:  # all of them, before the first is put in place
        _check(fresh / file.name, file, f"{file.name} in {url}")


def _place(path: Path, file: CardFile, folder: Path) -> None:
    _check(path, file, str(file.url or file.archive))
    os.replace(path, folder / file.name)


def _check(path: Path, file: CardFile, source: str) -> None:
    with path.open("rb") as stream:
        if hashlib.file_digest(stream, "sha256").hexdigest() not in (file.sha256, *file.also_sha256):
            raise DataUnavailable(
                f"{source} is a different file from the one that the card describes (its sha256 differs): "
                "the publisher has changed it"
            )


def _fetched(url: str, name: str, limit: int, folder: Path, progress: BytesSeen | None) -> Path:
    """The file at an address, in `folder`, at most `limit` bytes of it."""
    import pooch

    path = folder / name
    arriving = _Arriving(url, path, limit, progress)
    try:
        pooch.HTTPDownloader(progressbar=arriving, timeout=_TIMEOUT_S, headers={"Accept-Encoding": "identity"})(
            url, str(path), None
        )
    except OSError as error:  # what the network raises is one
        if error.filename is not None:
            raise
        raise DataUnavailable(f"{url} could not be fetched ({type(error).__name__})") from error
    arriving.update(0)
    return path


class _Arriving:
    """Progress of a file that arrives, as pooch tells it; it ends one that is larger than it may be.

    total : bytes that the server announces, 0 if it does not.
    """

    def __init__(self, url: str, path: Path, limit: int, progress: BytesSeen | None) -> None:
        self.total = 0
        self._url = url
        self._path = path
        self._limit = limit
        self._progress = progress

    def update(self, _: int) -> None:
        """Look how large the file is: pooch counts whole chunks, also of the last one."""
        size = self._path.stat().st_size
        if max(size, self.total) > self._limit:
            raise DataUnavailable(
                f"{self._url} sends {max(size, self.total)} bytes or more, and {self._limit} are expected: it is a "
                "different file from the one that the card describes"
            )
        if self._progress:
            self._progress(self._path.name, size, self.total or None)

    def reset(self) -> None:
        """Nothing: the size is looked up."""

    def close(self) -> None:
        """Nothing is open."""
