"""Engines: SQLite by path, PostgreSQL by URL, each set up so that several runs can share one database."""

from __future__ import annotations

import math
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import Any, NoReturn

from sqlalchemy import URL, Connection, Dialect, Engine, create_engine, event, make_url
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    DisconnectionError,
    IntegrityError,
    InterfaceError,
    NoSuchModuleError,
    OperationalError,
    ProgrammingError,
    StatementError,
)
from sqlalchemy.pool import QueuePool

from mvarena.errors import MvarenaError, StoreError
from mvarena.text import shown_address, without_passwords

WRITES = "mvarena_writes"  # the execution option of a connection that will write
IN_MEMORY = ":memory:"  # what sqlite3 calls a database that no file holds
_IN_FILE = "results are kept in a file; give its path, such as results.db."
_FORM = "write postgresql://user@host:port/name (a port is a number), or the path of a file."
_MAGIC = b"SQLite format 3\x00"

PATIENCE_S = 30.0  # how long to wait for another program's write to a file
_CHANCE = SystemRandom()  # forked processes do not draw the same, and nobody else's random state is touched
_SHORTEST_S, _LONGEST_S = 0.0002, 0.01  # between two attempts to write


def parse_address(address: str | os.PathLike[str]) -> Path | URL:
    """A path for SQLite, or a PostgreSQL URL. Raises StoreError for any other, without the password in it."""
    text = os.fspath(address)
    if text == IN_MEMORY:
        raise StoreError(_IN_FILE)
    if "://" not in text:
        if shown_address(text) != text:
            raise StoreError(f"'{shown_address(text)}' is neither a path nor a URL; {_FORM}")
        return _absolute(text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # its own words quote the address
        raise StoreError(f"'{shown_address(text)}' is not a database URL; {_FORM}") from None
    if "@" in (url.host or ""):
        raise StoreError(f"'{shown_address(text)}': write an @ in a user's name or password as %40.")
    if url.port is not None and not 0 < url.port < 1 << 16:
        raise StoreError(f"'{shown_address(text)}': a port is a number from 1 to 65535, not {url.port}.")
    backend = url.drivername.partition("+")[0]
    if backend == "sqlite":
        if not url.database or url.database == IN_MEMORY:
            raise StoreError(_IN_FILE)
        return _absolute(url.database)
    if backend not in ("postgresql", "postgres"):
        raise StoreError(f"mvarena stores in SQLite and PostgreSQL, not in {backend}; give a path or postgresql://...")
    return url if "+" in url.drivername else url.set(drivername="postgresql+psycopg")


def _absolute(path: str) -> Path:
    try:
        return Path(path).expanduser().absolute()
    except RuntimeError as error:
        raise StoreError(f"{path} names the home folder of an unknown user; name another database.") from error


def sqlite_engine(path: Path, *, create: bool, readonly: bool) -> Engine:
    """An engine on an SQLite file: every write waits its turn (up to PATIENCE_S seconds) and none is torn.

    Raises StoreError, before anything is touched, if the file cannot be what is asked for.
    """
    _check_file(path, create=create and not readonly, readonly=readonly)
    uri = f"{path.as_uri()}?{_mode(path, create=create and not readonly, readonly=readonly)}"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False)
        try:  # some of these read the file
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA trusted_schema = OFF")  # the file may be anybody's
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA cache_size = -65536")  # KiB; the index of the keys is used in no order
            connection.execute(f"PRAGMA query_only = {readonly:d}")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool)
    event.listen(engine, "begin", _begin)
    return engine


def postgres_engine(url: URL) -> Engine:
    """An engine on a PostgreSQL database. Raises StoreError if the driver is not installed."""
    try:
        engine = create_engine(url)
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise StoreError(
            f"the driver of {url.drivername} is not installed; run: pip install 'mvarena[postgres]'."
        ) from error
    try_out_rested(engine)
    return engine


def _mode(path: Path, *, create: bool, readonly: bool) -> str:
    """Mode in which SQLite opens the file."""
    in_folder = os.access(path.parent, os.W_OK)
    if not readonly or (in_folder and os.access(path, os.W_OK)):
        # for reading as well: a connection that may not write leaves its lock files behind
        return "mode=rwc" if create else "mode=rw"
    if in_folder or Path(f"{path}-wal").exists():
        return "mode=ro"
    # lock files cannot be made here; as there are none, nobody has the database open
    return "mode=ro&immutable=1"


def _begin(connection: Connection) -> None:
    # A write that begins as a read fails at once, without waiting, if another write came in between.
    if not connection.get_execution_options().get(WRITES):
        connection.exec_driver_sql("BEGIN")
        return
    raw = connection.connection.dbapi_connection
    assert isinstance(raw, sqlite3.Connection)
    raw.execute("PRAGMA busy_timeout = 0")
    try:
        _begin_in_turn(raw)
    finally:
        raw.execute(f"PRAGMA busy_timeout = {round(1000 * PATIENCE_S)}")


def _begin_in_turn(raw: sqlite3.Connection) -> None:
    """Begin to write as soon as nobody else does.

    SQLite itself asks less and less often, so that whoever has waited longest is the last to get a turn, and may get
    none for minutes where several write all the time. Here it asks the more often.
    """
    began = time.monotonic()
    while True:
        try:
            raw.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            waited = time.monotonic() - began
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or waited > PATIENCE_S:
                raise
            time.sleep(_CHANCE.uniform(_SHORTEST_S, max(_LONGEST_S / (1 + waited / _LONGEST_S), 2 * _SHORTEST_S)))


def _check_file(path: Path, *, create: bool, readonly: bool) -> None:
    try:
        if path.is_dir():
            raise StoreError(f"{path} is a folder; give the path of a file in it, such as {path / 'results.db'}.")
        if path.exists():
            _check_content(path, readonly)
        elif not path.parent.is_dir():
            raise StoreError(f"the folder {path.parent} does not exist; create it, or name another database.")
        elif not create:
            raise StoreError(f"there is no results database at {path}; run a study first, or name another database.")
        elif not os.access(path.parent, os.W_OK | os.X_OK):
            raise StoreError(f"the folder {path.parent} cannot be written to; name another database.")
    except OSError as error:
        raise StoreError(f"{path} cannot be opened ({error.strerror}); name another database.") from error


def _check_content(path: Path, readonly: bool) -> None:
    with path.open("rb") as file:
        start = file.read(len(_MAGIC))
    if start and start != _MAGIC:  # an empty file is an empty database
        raise StoreError(f"{path} is not an SQLite database; name another database.")
    if not readonly and not os.access(path, os.W_OK):
        raise StoreError(f"{path} cannot be written to; give it write permission, or name another database.")


def describe(address: Path | URL) -> str:
    """The address for messages, without a password."""
    if not isinstance(address, URL):
        return str(address)
    return shown_address(address.set(drivername="postgresql").render_as_string(hide_password=True))


def insert_for(dialect: str) -> Any:
    """The dialect's own `insert`; both know on_conflict_do_nothing and on_conflict_do_update."""
    if dialect != "postgresql":
        return sqlite.insert
    from sqlalchemy.dialects import postgresql  # a fifth of SQLAlchemy's start-up

    return postgresql.insert


# Connections that have rested may have been closed by their server, as when it was started anew: they are tried out.
#
# SQLAlchemy's own `pool_pre_ping` asks the server each time that a connection is used, which is a round trip more for
# each claim and each outcome.

_RESTED_S = 1.0
_SINCE = "rests since"


def try_out_rested(engine: Engine) -> None:
    """Have the engine's pool replace a connection that has not been used for a second and is closed."""
    event.listen(engine, "checkin", _note)
    event.listen(engine, "checkout", partial(_try_out, engine.dialect))


def _note(_: Any, entry: Any) -> None:
    entry.info[_SINCE] = time.monotonic()


def _try_out(dialect: Dialect, connection: Any, entry: Any, _: Any) -> None:
    if time.monotonic() - entry.info.get(_SINCE, math.inf) < _RESTED_S:  # one that has just been made rests in future
        return
    try:
        dialect.do_ping(connection)
    except dialect.loaded_dbapi.Error as error:
        raise DisconnectionError("the server has closed the connection") from error


# What went wrong with a database, in one sentence that says what to do.

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
    sqlite3.SQLITE_TOOBIG: "{where} is damaged: it holds a value that is too large; restore it from a copy.",
    sqlite3.SQLITE_INTERRUPT: "reading {where} took too long and was ended.",
    sqlite3.SQLITE_IOERR: "the disk failed while {where} was read or written ({error}); see that there is space on "
    "it and that it is still mounted, and run this again.",
}
_POSTGRES = {  # by SQLSTATE
    "42501": "ask whoever runs the server to grant the user what mvarena needs: CONNECT on the database, USAGE and "
    "CREATE on its schema, SELECT, INSERT, UPDATE and DELETE on mvarena's tables (SELECT is enough for reading).",
    "25006": "it is read-only (a replica, or set so); name the server that accepts writes.",
    "53100": "the server's disk is full; free some space and run this again: all that was stored before is kept.",
    "53300": "it has no connection left; close others, or run this again later.",
}
_SQLITE[sqlite3.SQLITE_LOCKED] = _SQLITE[sqlite3.SQLITE_BUSY]


# classes of SQLSTATE: connection, state of the transaction (as where it was idle too long), rollback, resources,
# operator's intervention, system
_TROUBLES = {"08", "25", "40", "53", "55", "57", "58"}
_MISSING = {"3F000", "42P01", "42703"}  # schema, table, column
_NOT_SOON = {"42501"}  # by SQLSTATE: what no waiting mends


class ServerTrouble(StoreError):
    """The database's server does not answer or has ended the connection: it may be back in a moment.

    first : what it or the driver said.
    """

    def __init__(self, where: str, first: str, what_to_do: str) -> None:
        super().__init__(f"{where} cannot be used: {first}; {what_to_do}")
        self.first = first


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
            raise StoreError(sentence.format(where=where, patience=PATIENCE_S, error=original)) from error
        if isinstance(original, sqlite3.OperationalError):
            raise StoreError(
                f"{where} cannot be used: {original}; 'mvarena results check' says what is wrong."
            ) from error
    elif isinstance(error, DBAPIError) and not caused_by_values(error):
        first = without_passwords(str(original).strip().partition("\n")[0])
        state = getattr(original, "sqlstate", None) or ""
        if state in _NOT_SOON:
            raise StoreError(f"{where} cannot be used: {first}; {_POSTGRES[state]}") from error
        # of the driver, before the server said anything
        unreached = "see that the server runs and that address, user and password are right."
        if state in _POSTGRES or isinstance(error, OperationalError) or not state:
            raise ServerTrouble(where, first, _POSTGRES.get(state, unreached)) from error
        if state[:2] in _TROUBLES:
            raise ServerTrouble(where, first, "run this again.") from error
        if state in _MISSING:
            raise StoreError(f"{where} cannot be used: {first}; see that nobody has changed its tables.") from error
    raise error
