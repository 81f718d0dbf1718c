"""Old databases are brought to the current schema, all or nothing. Imported only when there is one."""

from __future__ import annotations

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
                    raise StoreError("the upgrade would leave rows without their trial; nothing was changed.")
        finally:
            if sqlite:
                _foreign_keys(connection.connection.dbapi_connection, "ON")


def _foreign_keys(connection: object, state: str) -> None:
    """Outside any transaction, where alone SQLite listens to it."""
    connection.execute(f"PRAGMA foreign_keys = {state}")  # type: ignore[attr-defined]
