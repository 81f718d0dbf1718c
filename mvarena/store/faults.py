"""What went wrong with a database, in one sentence that says what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, StatementError

from mvarena.errors import MvarenaError, StoreError
from mvarena.text import without_passwords

_SQLITE = {
    sqlite3.SQLITE_BUSY: "{where} is locked: another program has been writing to it for {patience:g} s; "
    "wait until it has finished, or stop it, and run this again.",
    sqlite3.SQLITE_FULL: "the disk that holds {where} is full; free some space and run this again: "
    "all that was stored before is kept.",
    sqlite3.SQLITE_READONLY: "{where} cannot be written to; give it and its folder write permission, or name another "
    "database.",
    sqlite3.SQLITE_PERM: "{where} may not be opened; give it read and write permission, or name another database.",
    sqlite3.SQLITE_CANTOPEN: "{where} cannot be opened; see that its folder exists and can be written to.",
    sqlite3.SQLITE_NOTADB: "{where} is not an SQLite database; name another database.",
    sqlite3.SQLITE_CORRUPT: "{where} is damaged; restore it from a copy, or save what is left with "
    "'sqlite3 FILE .recover'.",
    sqlite3.SQLITE_IOERR: "the disk failed while {where} was read or written ({error}); see that there is space on "
    "it and that it is still mounted, and run this again.",
}
_POSTGRES = {  # by SQLSTATE
    "42501": "ask whoever runs the server to grant the user what mvarena needs: CONNECT on the database, USAGE and "
    "CREATE on its schema, SELECT, INSERT, UPDATE and DELETE on mvarena's tables (SELECT is enough for reading).",
    "25006": "it takes no writes (a replica, or set to read only); name the one that does.",
    "53100": "the server's disk is full; free some space and run this again: all that was stored before is kept.",
    "53300": "it has no connection left; close others, or run this again later.",
}
_SQLITE[sqlite3.SQLITE_LOCKED] = _SQLITE[sqlite3.SQLITE_BUSY]


@contextmanager
def translated(where: str, patience: float) -> Iterator[None]:
    """Raise StoreError for what users can mend; leave our own mistakes (a violated constraint) as they are.

    where : the database as users know it. patience : seconds that were waited for a lock.
    """
    try:
        yield
    except (StatementError, sqlite3.Error) as error:
        _raise_translated(error, where, patience)


def _raise_translated(error: StatementError | sqlite3.Error, where: str, patience: float) -> NoReturn:
    original = error.orig if isinstance(error, StatementError) else error
    if isinstance(original, MvarenaError):
        raise original from None
    if isinstance(original, sqlite3.Error):
        # the low byte of an extended code is the plain one
        sentence = _SQLITE.get(getattr(original, "sqlite_errorcode", -1) & 0xFF)
        if sentence:
            raise StoreError(sentence.format(where=where, patience=patience, error=original)) from error
    elif isinstance(error, DBAPIError) and not isinstance(error, IntegrityError):
        first = without_passwords(str(original).strip().partition("\n")[0])
        state = getattr(original, "sqlstate", None)
        what_to_do = _POSTGRES.get(state or "")
        if what_to_do:
            raise StoreError(f"{where} cannot be used: {first}; {what_to_do}") from error
        if isinstance(error, OperationalError) or state is None:  # of the driver, before the server said anything
            raise StoreError(
                f"{where} cannot be used: {first}; see that the server runs and that address, user and password are "
                "right."
            ) from error
    raise error
