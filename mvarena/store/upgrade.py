"""Old databases are brought to the current schema, all or nothing. Imported only when there is one."""

from __future__ import annotations

import itertools
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

from mvarena.errors import StoreError
from mvarena.store.connections import WRITES
from mvarena.store.schema import VERSION_TABLE

MIGRATIONS = Path(__file__).parent / "migrations"


def alembic_config() -> Config:
    """Configuration of alembic with the folder of migrations; needs no ini file."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def upgrade(engine: Engine) -> None:
    """Bring the database to the last revision in one transaction; whatever fails leaves it as it was."""
    config = alembic_config()
    with engine.connect() as connection:
        sqlite = connection.dialect.name == "sqlite"
        if sqlite:
            # SQLite changes a table by copying and dropping it, which would take the rows that refer to it along
            _foreign_keys(connection.connection.dbapi_connection, "OFF")
        try:
            connection.execution_options(**{WRITES: True})
            config.attributes["connection"] = connection
            with connection.begin():
                command.upgrade(config, "head")
                if sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                    raise StoreError("the upgrade would leave rows without a trial; nothing was changed.")
        finally:
            if sqlite:
                _foreign_keys(connection.connection.dbapi_connection, "ON")


def copy_beside(path: Path, revision: str) -> Path | None:
    """Copy the SQLite file of that revision to `NAME.schema-REVISION`; None where another run upgraded it just now.

    A copy that is there already stays as it is, and the new one gets a number.
    """
    kept = next(one for one in _names_beside(path, revision) if not one.exists())
    part = kept.with_name(f".{kept.name}.{os.getpid()}")
    try:
        with (
            closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)) as old,
            closing(sqlite3.connect(part)) as new,
        ):
            old.backup(new)
            (found,) = new.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()
        if found != revision:
            return None
        os.replace(part, kept)
    finally:
        part.unlink(missing_ok=True)
    return kept


def _names_beside(path: Path, revision: str) -> Iterator[Path]:
    first = path.with_name(f"{path.name}.schema-{revision}")
    yield first
    yield from (first.with_name(f"{first.name}-{number}") for number in itertools.count(2))


def _foreign_keys(connection: object, state: str) -> None:
    """Outside any transaction, where alone SQLite listens to it."""
    connection.execute(f"PRAGMA foreign_keys = {state}")  # type: ignore[attr-defined]
