"""A results database: opened, checked and brought up to date once, then read and written in short transactions."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import URL, Connection, Engine, inspect, select, text

from mvarena.errors import StoreError
from mvarena.store.connections import WRITES, describe, parse_address, postgres_engine, sqlite_engine
from mvarena.store.results_view import make_view
from mvarena.store.schema import REVISIONS, check_objects, metadata, version
from mvarena.store.troubles import ServerTrouble, translated


class OlderSchema(StoreError):
    """The database is of an older mvarena and was opened for reading only."""


class Database:
    """An open results database. Threads may share it; a forked process must open its own.

    address : the path of an SQLite file or a PostgreSQL URL. where : the same for messages, without a password.
    upgraded : a sentence where opening it has upgraded it, else empty.
    """

    def __init__(self, engine: Engine, address: Path | URL, *, readonly: bool) -> None:
        self.engine = engine
        self.address = address
        self._file: tuple[int, int] | None = None  # that is open; on a server none
        self.where = describe(address)
        self.readonly = readonly
        self.upgraded = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file or the server."""
        self.engine.dispose()

    def is_back(self, within_s: float) -> bool:
        """Wait until the server answers. False where it does not within so many seconds."""
        deadline = time.monotonic() + within_s
        while True:
            try:
                with self.read() as connection:
                    connection.execute(select(1))
                return True
            except ServerTrouble:
                if time.monotonic() > deadline:
                    return False
            time.sleep(_PAUSE_S)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection on which all statements see the same state. Raises StoreError."""
        with translated(self.where), self.engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection whose statements are stored all together when the block ends, or not at all.

        Raises StoreError, also where the database was opened for reading only.
        """
        if self.readonly:
            raise StoreError(f"{self.where} was opened for reading only; open it for writing.")
        self.check_file()
        with translated(self.where), self.engine.connect() as connection:
            connection.execution_options(**{WRITES: True})
            yield connection
            connection.commit()

    def check_file(self) -> None:
        """Raise StoreError where another file than the one that is open is at its path, or none.

        An open file lives on without a name: what is written to it is gone when it is closed. Cost: 5 µs.
        """
        if self._file is not None and _file_at(self.address) != self._file:
            raise StoreError(
                f"{self.where} was replaced, deleted or moved away by another program while this run wrote to it, and "
                "outcomes of this run are lost. Restore the file if you can, and run the same command again."
            )

    def maintain(self, *statements: str) -> None:
        """Execute statements that run in no transaction, such as VACUUM. Raises StoreError where they fail."""
        with translated(self.where):
            if self.engine.dialect.name == "sqlite":
                pooled = self.engine.raw_connection()
                try:
                    for statement in statements:
                        pooled.cursor().execute(statement)
                finally:
                    pooled.close()
            else:
                with self.engine.connect() as connection:
                    connection.execution_options(isolation_level="AUTOCOMMIT")
                    for statement in statements:
                        connection.exec_driver_sql(statement)


_PAUSE_S = 0.5
# endings of files that a results database would be mistaken for
_OF_OTHER_FILES = (".csv", ".tsv", ".txt", ".xlsx", ".toml", ".json", ".py", ".mat", ".npz", ".html", ".md")


def open_database(
    path_or_url: str | os.PathLike[str],
    *,
    create: bool = True,
    readonly: bool = False,
    keep_copy: bool = True,
) -> Database:
    """The results database at a path (SQLite) or a postgresql:// URL; use it in a `with`, or close it.

    create : make it where there is none. readonly : never write, not even to upgrade an old schema.
    keep_copy : of a file that is upgraded, keep the old one beside it; `Database.upgraded` says where.

    Raises StoreError if it cannot be opened, is not mvarena's, or is of a newer mvarena or one before 0.1. Such a file
    is left as it is.
    """
    address = parse_address(path_or_url)
    if isinstance(address, URL):
        engine = postgres_engine(address)
    else:
        if address.suffix.lower() in _OF_OTHER_FILES and not address.exists():
            raise StoreError(f"{address} would be a database under the name of another kind of file; name it .db.")
        engine = sqlite_engine(address, create=create, readonly=readonly)
    database = Database(engine, address, readonly=readonly)
    with ExitStack() as unless_opened:
        unless_opened.callback(database.close)
        _bring_up_to_date(database, create=create and not readonly, keep_copy=keep_copy)
        if isinstance(address, Path) and not readonly:
            with suppress(StoreError):  # another program has it open: whoever opens it next does this
                database.maintain("PRAGMA journal_mode = WAL")  # readers and one writer work at the same time
            database._file = _file_at(address)
        unless_opened.pop_all()
    return database


def _bring_up_to_date(database: Database, *, create: bool, keep_copy: bool) -> None:
    with database.read() as connection:
        result = _revision(connection, database.where)
    if result == REVISIONS[-1]:
        return
    if result is None and not create:
        raise StoreError(f"{database.where} holds no results yet; run a study first, or name another database.")
    if result is None:
        _create(database)
    elif database.readonly:
        raise OlderSchema(
            f"{database.where} was written by an older mvarena (schema {result}, now {REVISIONS[-1]}) and is opened "
            "for reading only; open it for writing once, which upgrades it."
        )
    else:
        _upgrade(database, result, keep_copy=keep_copy)


def _upgrade(database: Database, revision: str, *, keep_copy: bool) -> None:
    """Upgrade the database from an older revision; of a file, a copy is kept beside it."""
    from mvarena.store.upgrade import copy_beside, upgrade

    database.upgraded = f"{database.where} was upgraded from schema {revision} to {REVISIONS[-1]}."
    try:
        with translated(database.where):
            if keep_copy and isinstance(database.address, Path):
                kept = copy_beside(database.address, revision)
                database.upgraded += f" The file as it was is kept as {kept.name}."
            upgrade(database.engine)
    except StoreError:
        raise
    except Exception as error:  # of what somebody wrote into it
        first = str(error).partition("\n")[0]
        raise StoreError(
            f"{database.where} cannot be upgraded from schema {revision} ({type(error).__name__}: {first}); it was "
            "not changed. Restore it from a copy."
        ) from error


def _revision(connection: Connection, where: str) -> str | None:
    """The schema's revision, None where the database is empty. Raises StoreError if it is not ours, or one that this
    mvarena does not know."""
    tables = inspect(connection).get_table_names()
    if connection.dialect.name == "sqlite" and version.name in tables:
        check_objects(connection, where)
    if version.name not in tables:
        if tables:
            raise StoreError(
                f"{where} is another program's database (it holds the table '{sorted(tables)[0]}'); it was not "
                "changed. Name another database."
            )
        return None
    result = connection.scalar(select(version.c.version_num))
    if result is not None and result < REVISIONS[0]:
        raise StoreError(
            f"{where} was written by a development version of mvarena before 0.1 (schema {result}; this one upgrades "
            f"{REVISIONS[0]} and later); export its scores with the version that wrote it, or run the study again into "
            "another database."
        )
    if result not in REVISIONS:
        raise StoreError(
            f"{where} was written by a newer mvarena (schema {result}; this one knows {REVISIONS[-1]}); "
            "run: pip install --upgrade mvarena."
        )
    return result


def _create(database: Database) -> None:
    with database.write() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('mvarena'))"))
        if _revision(connection, database.where) is None:  # no other run made it in the meantime
            metadata.create_all(connection, checkfirst=False)
            version.create(connection, checkfirst=False)
            make_view(connection)
            connection.execute(version.insert().values(version_num=REVISIONS[-1]))


def _file_at(address: Path | URL) -> tuple[int, int] | None:
    """Device and number of the file at `address`; None where there is none, and on a server."""
    try:
        found = os.stat(address) if isinstance(address, Path) else None
    except OSError:
        return None
    return None if found is None else (found.st_dev, found.st_ino)
