"""One file from an address to a path: one process at a time, resumed where a transfer broke off, never more than asked.

What has arrived so far is in `<name>.part` beside the path; whoever works on it holds a lock on it.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from mvarena.contracts.data_source import BytesSeen
from mvarena.errors import DataUnavailable

_CHUNK = 1 << 16
_TIMEOUT_S = (10, 60)  # to connect, between two chunks
_PATIENCE_S = 300.0  # how long an attempt may take, however little comes,
_SLOWEST = 20_000  # and another second for each of so many bytes that have come


class Transfer:
    """What is fetched.

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
            raise DataUnavailable(f"{self.url} sent something else than the card's file (its sha256 differs)")

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
                    f"{self.url} sends less than {_SLOWEST // 1000} kB a second; {have} bytes of it are kept: try "
                    "again later, and the rest follows"
                )
            if self.progress:
                self.progress(self.label, have, self.size or announced)

    def _refuse(self, stream: IO[bytes], what: str) -> None:
        stream.seek(0)
        stream.truncate()
        expected = "the card says" if self.size is not None else "are expected at most"
        raise DataUnavailable(f"{self.url} sent something else than the card's file: it {what}, and {self.limit} bytes "
                              f"{expected}")  # fmt: skip


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
    """Whether the body begins after the `have` bytes; a server that knows no ranges sends everything."""
    partial: bool = response.status_code == 206
    begins = response.headers.get("Content-Range", f"bytes {have}-")
    return partial and begins.startswith(f"bytes {have}-")


def _sha256(stream: IO[bytes]) -> str:
    stream.flush()
    stream.seek(0)
    return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]  # it is a real file
