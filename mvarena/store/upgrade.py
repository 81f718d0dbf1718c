"""Old databases are brought to the current schema, all or nothing. Imported only when there is one."""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

from mvarena.errors import StoreError
from mvarena.store.connections import WRITES

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


def copy_beside(path: Path, revision: str) -> Path:
    """Copy the SQLite file of that revision to `NAME.schema-REVISION`, or with a number where that is there already."""
    first = path.with_name(f"{path.name}.schema-{revision}")
    names = (first.with_name(f"{first.name}-{number}") for number in itertools.count(2))
    kept = next(one for one in itertools.chain([first], names) if not one.exists())
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)) as old, closing(sqlite3.connect(kept)) as new:
        old.backup(new)
    return kept


def _foreign_keys(connection: object, state: str) -> None:
    """Outside any transaction, where alone SQLite listens to it."""
    connection.execute(f"PRAGMA foreign_keys = {state}")  # type: ignore[attr-defined]
