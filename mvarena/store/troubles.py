"""Errors of databases, each as one sentence that says what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
    StatementError,
)

from mvarena.errors import MvarenaError, StoreError
from mvarena.text import without_passwords

_LOCKED = (
    "{where} is locked: another program has been writing to it all the time; wait until it has finished, or stop it, "
    "and run this again."
)
_SQLITE = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_FULL: "the disk that holds {where} is full; free some space and run this again: "
    "all that was stored before is kept.",
    sqlite3.SQLITE_READONLY: "{where} cannot be written to; give it and its folder write permission, or name another "
    "database.",
    sqlite3.SQLITE_PERM: "{where} may not be opened; give it read and write permission, or name another database.",
    sqlite3.SQLITE_CANTOPEN: "{where} cannot be opened; see that its folder exists and can be written to.",
    sqlite3.SQLITE_NOTADB: "{where} is not an SQLite database; name another database.",
    sqlite3.SQLITE_CORRUPT: "{where} is damaged; restore it from a copy, or save what is left with "
    "'sqlite3 FILE .recover'.",
    sqlite3.SQLITE_TOOBIG: "{where} is damaged: it holds a value that is too large; restore it from a copy.",
    sqlite3.SQLITE_IOERR: "the disk failed while {where} was read or written ({error}); see that there is space on "
    "it and that it is still mounted, and run this again.",
}

# of a server, by SQLSTATE: a right, schema, table or column that is missing; waiting mends none of these
_REFUSED = ("42501", "3F000", "42P01", "42703")
_GRANT = "see that nobody has changed its tables and that the user may use them."
_UNREACHED = (
    "see that the server runs and accepts writes, and that address, user and password are right, and run this again: "
    "all that was stored before is kept."
)


class ServerTrouble(StoreError):
    """The database's server does not answer, or has ended the connection: it may be back soon."""


def caused_by_values(error: Exception) -> bool:
    """True if what was to be stored is why it could not be, rather than the database."""
    if not isinstance(error, DBAPIError):
        return not isinstance(error, StoreError | sqlite3.Error)
    return isinstance(error, DataError | IntegrityError) or (
        isinstance(error, InterfaceError | ProgrammingError) and isinstance(error.orig, sqlite3.Error)
    )


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Raise StoreError for what users can mend; leave our own mistakes (a violated constraint) as they are.

    where : the database as users know it.
    """
    try:
        yield
    except (StatementError, sqlite3.Error) as error:
        _raise_translated(error, where)


def _raise_translated(error: StatementError | sqlite3.Error, where: str) -> NoReturn:
    original = error.orig if isinstance(error, StatementError) else error
    if isinstance(original, MvarenaError):
        raise original from None
    if isinstance(original, sqlite3.Error):
        # the low byte of an extended code is the plain one
        sentence = _SQLITE.get(getattr(original, "sqlite_errorcode", -1) & 0xFF)
        if sentence:
            raise StoreError(sentence.format(where=where, error=original)) from error
        if isinstance(original, sqlite3.OperationalError):
            raise StoreError(
                f"{where} cannot be used: {original}; 'mvarena results check' says what is wrong."
            ) from error
    elif isinstance(error, DBAPIError) and not caused_by_values(error):
        first = without_passwords(str(original).strip().partition("\n")[0])
        state = getattr(original, "sqlstate", None) or ""
        if isinstance(error, OperationalError | InternalError) or not state:
            raise ServerTrouble(f"{where} cannot be used: {first}; {_UNREACHED}") from error
        if state in _REFUSED:
            raise StoreError(f"{where} cannot be used: {first}; {_GRANT}") from error
    raise error
