"""Download a card's files into the user's cache: resumed where a transfer broke off, checked before they count."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import Any

from mvarena.contracts.data_source import BytesSeen
from mvarena.errors import DataUnavailable
from mvarena.loaders.archives import read_members
from mvarena.loaders.cards import CardFile

_CHUNK = 1 << 16
_TIMEOUT_S = (10, 60)  # to connect, between two chunks


class ResumingDownloader:
    """A pooch downloader that keeps what arrived in `<name>.part` and asks for the rest the next time."""

    def __init__(self, part: Path, label: str, progress: BytesSeen | None) -> None:
        self.part = part
        self.label = label
        self.progress = progress

    def __call__(self, url: str, output_file: str, _pooch: Any) -> None:
        import requests

        self.part.parent.mkdir(parents=True, exist_ok=True)
        have = self.part.stat().st_size if self.part.exists() else 0
        headers = {"Range": f"bytes={have}-"} if have else {}
        with requests.get(url, stream=True, timeout=_TIMEOUT_S, headers=headers) as response:
            if response.status_code == requests.codes.requested_range_not_satisfiable:
                have = 0  # nothing is left to send: the part is whole already, or stale and its checksum will tell
            else:
                response.raise_for_status()
                self._receive(response, have if response.status_code == requests.codes.partial_content else 0)
        shutil.move(self.part, output_file)

    def _receive(self, response: Any, have: int) -> None:
        length = response.headers.get("Content-Length")
        total = have + int(length) if length and length.isdigit() else None
        with self.part.open("ab" if have else "wb") as stream:
            for chunk in response.iter_content(_CHUNK):
                stream.write(chunk)
                have += len(chunk)
                if self.progress:
                    self.progress(self.label, have, total)


def download_files(files: list[CardFile], folder: Path, progress: BytesSeen | None = None) -> None:
    """Fetch `files` (all downloadable) into `folder`; each appears there only once its sha256 is right.

    Raises DataUnavailable if a server cannot be reached or sends something else.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            if file.url:
                _retrieve(file.url, file.sha256, folder, file.name, progress)
        for archive in dict.fromkeys(file.archive for file in files if file.archive and not file.url):
            members = [file for file in files if file.archive == archive and not file.url]
            _from_archive(archive, members, folder, progress)
    except OSError as error:
        raise DataUnavailable(f"{folder} cannot be written: {error}. Set MVARENA_CACHE to another folder.") from error


def _from_archive(url: str, files: list[CardFile], folder: Path, progress: BytesSeen | None) -> None:
    name = f"archive-{url.rpartition('/')[2]}"
    path = _retrieve(url, None, folder, name, progress)
    limit = max(file.bytes or 0 for file in files)
    contents = read_members(path, [file.name for file in files], limit)
    for file in files:
        found = hashlib.sha256(contents[file.name]).hexdigest()
        if found != file.sha256:
            path.unlink()
            raise DataUnavailable(
                f"{file.name} in {url} has another sha256 than the card says: the publisher changed it."
            )
        fresh = folder / f"{file.name}.new"
        fresh.write_bytes(contents[file.name])
        os.replace(fresh, folder / file.name)
    path.unlink()


def _retrieve(url: str, sha256: str | None, folder: Path, name: str, progress: BytesSeen | None) -> Path:
    import pooch
    import requests

    pooch.get_logger().setLevel("WARNING")
    downloader = ResumingDownloader(folder / f"{name}.part", name, progress)
    known_hash = f"sha256:{sha256}" if sha256 else None
    try:
        return Path(pooch.retrieve(url, known_hash, fname=name, path=folder, downloader=downloader))
    except requests.RequestException as error:
        raise DataUnavailable(f"{url} could not be fetched ({type(error).__name__})") from error
    except ValueError as error:
        raise DataUnavailable(f"{url} sent something else than the card's file (its sha256 differs)") from error
