"""Refusal of files that hold anything but mvarena's tables."""

from __future__ import annotations

from sqlalchemy import Connection, inspect

from mvarena.errors import StoreError
from mvarena.store.schema import REVISIONS, metadata, version

_OURS = {
    ("table", version.name),
    *(("table", table.name) for table in metadata.sorted_tables),
    *(("table", name) for name in ("claims", "contents", "sample_ids")),  # of earlier revisions
    ("view", "results"),
}


def check_objects(connection: Connection, where: str) -> None:
    """Raise StoreError if an SQLite database holds a trigger, or a table or view that is not mvarena's.

    A file from elsewhere may hold any; SQLite runs triggers when rows are written.
    """
    query = "SELECT type, name FROM sqlite_master WHERE type != 'index' AND name NOT LIKE 'sqlite_%'"
    for kind, name in connection.exec_driver_sql(query):
        if (kind, name) not in _OURS:
            raise StoreError(
                f"{where} holds the {kind} '{name}', which is not mvarena's; it was not changed. Name another database."
            )


def check_columns(connection: Connection, where: str) -> None:
    """Raise StoreError if a database of the last revision lacks a table or a column."""
    there = inspect(connection)
    for table in metadata.sorted_tables:
        found = {column["name"] for column in there.get_columns(table.name)} if there.has_table(table.name) else set()
        if lacking := sorted(set(table.columns.keys()) - found):
            raise StoreError(
                f"{where} lacks {table.name}.{lacking[0]}, which schema {REVISIONS[-1]} has; restore it "
                "from a copy, or name another database."
            )
