"""Engines: SQLite by path, PostgreSQL by URL, each set up so that several runs can share one database."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import QueuePool

from mvarena.errors import StoreError
from mvarena.text import without_passwords

WRITES = "mvarena_writes"  # the execution option of a connection that will write
IN_MEMORY = ":memory:"  # what sqlite3 calls a database that no file holds
_IN_FILE = "results are kept in a file; give its path, such as results.db."
_FORM = "write postgresql://user@host:port/name (a port is a number), or the path of a file."
_MAGIC = b"SQLite format 3\x00"

PATIENCE_S = 60.0  # how long to wait for other programs' writes to a file


def parse_address(address: str | os.PathLike[str]) -> Path | URL:
    """A path for SQLite, or a PostgreSQL URL. Raises StoreError for any other, without the password in it."""
    text = os.fspath(address)
    if text == IN_MEMORY:
        raise StoreError(_IN_FILE)
    if "://" not in text:
        if without_passwords(text) != text:
            raise StoreError(f"'{without_passwords(text)}' is neither a path nor a URL; {_FORM}")
        return _absolute(text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # its own words quote the address
        raise StoreError(f"'{without_passwords(text)}' is not a database URL; {_FORM}") from None
    # where a password holds @ and / as they are, the host is a part of it, and the database begins with the rest
    if "@" in (url.host or "") or (url.username and "@" in (url.database or "")):
        raise StoreError(f"'{without_passwords(text)}': write an @ in a user's name or password as %40.")
    if url.port is not None and not 0 < url.port < 1 << 16:
        raise StoreError(f"'{without_passwords(text)}': a port is a number from 1 to 65535, not {url.port}.")
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
        return create_engine(url, pool_pre_ping=True)  # a server that was started anew has closed the connections
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise StoreError(
            f"the driver of {url.drivername} is not installed; run: pip install 'mvarena[postgres]'."
        ) from error


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
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


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
    return without_passwords(address.set(drivername="postgresql").render_as_string(hide_password=False))


def insert_for(dialect: str) -> Any:
    """The dialect's own `insert`; both know on_conflict_do_nothing and on_conflict_do_update."""
    if dialect != "postgresql":
        return sqlite.insert
    from sqlalchemy.dialects import postgresql  # a fifth of SQLAlchemy's start-up

    return postgresql.insert
