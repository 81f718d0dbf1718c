"""Download a card's files into the user's cache, each put there only after its check."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from mvarena.contracts.data_source import BytesSeen
from mvarena.errors import DataUnavailable
from mvarena.loaders.archives import LARGEST_MEMBER, unpack
from mvarena.loaders.cards import CardFile

_BESIDE_MEMBERS = 1 << 26  # bytes that an archive may have beside four times those of the members wanted
_TIMEOUT_S = 60  # to connect, between two chunks


def download_files(files: list[CardFile], folder: Path, progress: BytesSeen | None = None) -> None:
    """Fetch `files` (all downloadable) into `folder`; each appears there only once its sha256 is right.

    Raises DataUnavailable if a server cannot be reached or sends something else, or more of it than the card says.
    """
    addresses: dict[str, list[CardFile]] = {}
    for file in files:
        addresses.setdefault(str(file.url or file.archive), []).append(file)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".download-", dir=folder) as fresh:
            for url, members in addresses.items():
                _arrived(url, members, Path(fresh), progress)
                for file in members:
                    os.replace(Path(fresh) / file.name, folder / file.name)
    except OSError as error:
        raise DataUnavailable(f"{folder} cannot be written: {error}. Set MVARENA_CACHE to another folder.") from error


def _arrived(url: str, files: list[CardFile], fresh: Path, progress: BytesSeen | None) -> None:
    """Put into the folder `fresh` the files that are at an address: one, or members of an archive; all are checked."""
    sizes = [file.bytes or LARGEST_MEMBER for file in files]
    if files[0].url:
        _fetch(url, fresh / files[0].name, sizes[0], progress)
    else:
        archive = fresh / f"archive-{url.rpartition('/')[2]}"
        _fetch(url, archive, 4 * sum(sizes) + _BESIDE_MEMBERS, progress)
        unpack(archive, [file.name for file in files], max(sizes), fresh)
    for file in files:
        with (fresh / file.name).open("rb") as stream:
            if not file.has(hashlib.file_digest(stream, "sha256").hexdigest()):
                raise DataUnavailable(
                    f"{file.name} from {url} is a different file from the one that the card describes (its sha256 "
                    "differs): the publisher has changed it"
                )


def _fetch(url: str, path: Path, limit: int, progress: BytesSeen | None) -> None:
    """Write the file at the address to `path`, at most `limit` bytes of it."""
    import pooch

    shown = _DownloadProgress(url, path, limit, progress)
    get = pooch.HTTPDownloader(progressbar=shown, timeout=_TIMEOUT_S, headers={"Accept-Encoding": "identity"})
    try:
        get(url, str(path), None)
    except OSError as error:  # what the network raises is one, of a request
        if not hasattr(error, "request"):
            raise
        raise DataUnavailable(f"{url} could not be fetched ({type(error).__name__})") from error
    shown.update(0)


class _DownloadProgress:
    """Progress of a download as pooch reports it; raises for a file that is larger than expected.

    total : bytes that the server announces, 0 if it does not.
    """

    def __init__(self, url: str, path: Path, limit: int, progress: BytesSeen | None) -> None:
        self.total = 0
        self._url = url
        self._path = path
        self._limit = limit
        self._progress = progress

    def update(self, _: int) -> None:
        """Report the size of the file: pooch counts whole chunks, also of the last one."""
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
