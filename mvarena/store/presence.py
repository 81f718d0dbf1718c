"""Presence of a database: a run notices that its file was deleted, replaced or cut off."""

from __future__ import annotations

from collections import deque
from pathlib import Path

from mvarena.errors import StoreError
from mvarena.store.database import Database, open_database
from mvarena.store.trials import finished

_LATEST = 5000  # outcomes that are looked for, as many as one statement takes


class Presence:
    """Takes note of the database as it is now.

    An open file lives on when its name is gone, so writing goes well and nothing is on the disk afterwards.
    """

    def __init__(self, db: Database) -> None:
        self._db = db
        self._first = _identity(db)
        self._size = self._first[2]
        self._latest: deque[str] = deque(maxlen=_LATEST)

    def note(self, key: str) -> None:
        """The outcome of a trial has been recorded."""
        self._latest.append(key)

    def check(self) -> None:
        """Raises StoreError if the file is another by now, or was cut off. Cost: 5 µs, nothing on a server."""
        if not isinstance(self._db.address, Path):
            return
        result = _identity(self._db)
        if result[:2] != self._first[:2]:
            raise StoreError(self._lost("deleted or moved away" if result == _GONE else "replaced by another file"))
        shorter, self._size = result[2] < self._size, result[2]
        if shorter:  # as by VACUUM, which loses nothing
            self._check_latest()

    def check_kept(self) -> None:
        """Raises StoreError unless a fresh connection finds the outcomes that were recorded last.

        Cost: one connection and one statement.
        """
        self.check()
        self._check_latest()

    def _check_latest(self) -> None:
        if not self._latest or not isinstance(self._db.address, Path):
            return
        try:
            with open_database(self._db.address, create=False, readonly=True) as again:
                kept = finished(again, self._latest)
        except StoreError as error:
            raise StoreError(self._lost("cut off or damaged")) from error
        if missing := len(set(self._latest) - kept):
            raise StoreError(self._lost(f"changed ({missing} outcomes recorded last are not in it)"))

    def _lost(self, what: str) -> str:
        return (
            f"{self._db.where} was {what} by another program while this run wrote to it, and outcomes of this run are "
            "lost. Restore the file if you can, and run the same command again."
        )


_GONE = (0, 0, 0)


def _identity(db: Database) -> tuple[int, int, int]:
    """Device, number and size of the file; zeros where there is none."""
    if not isinstance(db.address, Path):
        return _GONE
    try:
        result = db.address.stat()
    except FileNotFoundError:
        return _GONE
    except OSError as error:
        raise StoreError(f"{db.where} cannot be found any more ({error.strerror}); see that it is mounted.") from error
    return result.st_dev, result.st_ino, result.st_size
