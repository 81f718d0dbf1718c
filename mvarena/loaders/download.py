"""Download a card's files into the user's cache: each appears there only once it is what the card says."""

from __future__ import annotations

import hashlib
import os
import tarfile
import time
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import IO, Any

from mvarena.contracts.data_source import BytesSeen
from mvarena.errors import DataUnavailable, InvalidData
from mvarena.loaders.cards import CardFile

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
                        f"{file.name} in {url} has a different sha256 from the card: the publisher has changed it."
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


# One file from an address to a path: one process at a time, resumed where a transfer broke off, never more than asked.
#
# What has arrived so far is in `<name>.part` beside the path; whoever works on it holds a lock on it.

_CHUNK = 1 << 16
_TIMEOUT_S = (10, 60)  # to connect, between two chunks
_PATIENCE_S = 300.0  # how long an attempt may take, however little comes,
_SLOWEST = 20_000  # and another second for each of so many bytes that have come


class Transfer:
    """File to fetch, its destination and limits.

    url : the address. label : what `progress` calls it. size : how many bytes it has; None where nobody says.
    limit : how many bytes it may have at most.

    An attempt ends with DataUnavailable where the server sends less than 20 kB a second, counted from its fifth minute
    on: a file of 100 MB takes 85 minutes at most. What came is kept, and the next attempt goes on from there.
    """

    def __init__(self, url: str, label: str, size: int | None, limit: int, progress: BytesSeen | None) -> None:
        self.url = url
        self.label = label
        self.size = size
        self.limit = limit if size is None else size
        self.progress = progress

    def checked(self, stream: IO[bytes], digests: Collection[str]) -> None:
        """Fetch what `stream` lacks of the file with one of these sha256.

        A start that turns out to be of another file is thrown away once and everything fetched. Raises
        DataUnavailable if the server cannot be reached or sends something else.
        """
        begun = stream.seek(0, os.SEEK_END)
        if begun > self.limit:
            begun = stream.truncate(0)
        if begun < self.limit or not begun:
            self.resume(stream)
        if begun and _sha256(stream) not in digests:
            stream.truncate(0)
            self.resume(stream)
        if _sha256(stream) not in digests:
            stream.truncate(0)
            raise DataUnavailable(
                f"{self.url} sent a different file from the one that the card describes (its sha256 differs)"
            )

    def resume(self, stream: IO[bytes]) -> None:
        """Fetch what follows on what `stream` has. Raises DataUnavailable, and keeps what came, if that fails."""
        import requests
        from urllib3.exceptions import HTTPError

        have = stream.seek(0, os.SEEK_END)
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
        try:
            with requests.get(self.url, stream=True, timeout=_TIMEOUT_S, headers=headers) as response:
                if response.status_code == requests.codes.requested_range_not_satisfiable:
                    return  # nothing is left to send: it is whole, or of another file, as its checksum will tell
                response.raise_for_status()
                if not _continues(response, have):
                    have = stream.seek(0)
                    stream.truncate()
                self._receive(response, stream, have)
        except (requests.RequestException, HTTPError) as error:
            raise DataUnavailable(f"{self.url} could not be fetched ({type(error).__name__})") from error
        finally:
            stream.flush()

    def _receive(self, response: Any, stream: IO[bytes], have: int) -> None:
        length = response.headers.get("Content-Length", "")
        announced = have + int(length) if length.isdigit() else None
        if announced is not None and announced > self.limit:
            self._refuse(stream, f"announces {announced} bytes")
        began, before = time.monotonic(), have
        # what has come so far: to wait for a whole chunk of a server that drips is to wait for ever
        while chunk := response.raw.read1(_CHUNK):
            have += len(chunk)
            if have > self.limit:
                self._refuse(stream, "goes on")
            stream.write(chunk)
            if time.monotonic() - began > _PATIENCE_S + (have - before) / _SLOWEST:
                raise DataUnavailable(
                    f"{self.url} sends less than {_SLOWEST // 1000} kB per second; {have} bytes are kept: try again "
                    "later to download the rest"
                )
            if self.progress:
                self.progress(self.label, have, self.size or announced)

    def _refuse(self, stream: IO[bytes], what: str) -> None:
        stream.seek(0)
        stream.truncate()
        expected = "the card says" if self.size is not None else "are expected at most"
        raise DataUnavailable(f"{self.url} sent a different file from the one that the card describes: it {what}, and "
                              f"{self.limit} bytes {expected}")  # fmt: skip


@contextmanager
def locked_part(target: Path) -> Iterator[IO[bytes]]:
    """The file `<name>.part`, which no other process works on meanwhile; waits for one that does.

    It is gone afterwards if it was moved to its place, is empty, or the block says so by emptying it.
    """
    part = target.with_name(f"{target.name}.part")
    stream = _opened(part)
    try:
        yield stream
    finally:
        if _is_at(stream, part) and os.fstat(stream.fileno()).st_size == 0:
            part.unlink()
        stream.close()  # which lets go of the lock


def _opened(part: Path) -> IO[bytes]:
    """The part, locked; opened again where another process moved it away in the meantime."""
    while True:
        stream = part.open("a+b")
        try:
            _lock(stream)
            if _is_at(stream, part):
                return stream
        except BaseException:
            stream.close()
            raise
        stream.close()


def _lock(stream: IO[bytes]) -> None:
    """Wait until no other process holds it. Where there are no locks, one process at a time is up to the user."""
    with suppress(OSError, ImportError):  # a file system without them, or a system
        import fcntl

        fcntl.flock(stream, fcntl.LOCK_EX)


def _is_at(stream: IO[bytes], part: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(stream.fileno()), part.stat())
    except FileNotFoundError:
        return False


def _continues(response: Any, have: int) -> bool:
    """True if the body begins after the `have` bytes; a server that knows no ranges sends everything."""
    partial: bool = response.status_code == 206
    begins = response.headers.get("Content-Range", f"bytes {have}-")
    return partial and begins.startswith(f"bytes {have}-")


def _sha256(stream: IO[bytes]) -> str:
    stream.flush()
    stream.seek(0)
    return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]  # it is a real file


# Read single members of archives without unpacking anything to a path that the archive chooses.

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
        if zipfile.is_zipfile(archive):
            _from_zip(archive, wanted, limit, result)
        else:
            _from_tar(archive, wanted, limit, result)
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, OSError, zlib.error, NotImplementedError) as error:
        raise InvalidData(f"The archive {archive} cannot be read: {error}. Fetch it again.") from error
    missing = sorted(wanted - set(result))
    if missing:
        raise InvalidData(f"The archive {archive} lacks {', '.join(missing)}.")
    return result


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
