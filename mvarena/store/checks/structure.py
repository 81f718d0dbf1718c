"""Contents that an SQLite file may have to be read: mvarena's tables, plain indexes of them and the view `results`.

A file from elsewhere may hold code of its own: triggers, views, virtual tables, expressions in indexes and in
constraints. SQLite runs these while it reads or writes, so a file that has any is refused as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Table

from mvarena.errors import StoreError
from mvarena.store.results_view import DEFINITION
from mvarena.store.schema import REVISIONS, metadata, version

_OF_SQLITE = {"sqlite_sequence", "sqlite_stat1", "sqlite_stat4"}
_LATEST = {table.name for table in metadata.sorted_tables}
# every revision's tables are among today's
_TABLES = {version.name, *_LATEST}
_VIEW = "results"
# what none of mvarena's tables has, and what SQLite would run or obey when it reads or writes rows
_RUNS = re.compile(
    r"\b(CHECK|GENERATED|COLLATE|CASCADE|CONFLICT|RAISE)\b|\bAS\s*\(|\bDEFAULT\s*\((?!'[^']*'\))", re.IGNORECASE
)


def check_content(connection: Connection, where: str) -> None:
    """Raise StoreError if an SQLite database holds anything that runs by itself. Cost: microseconds."""
    for sentence in _what_runs(connection):
        raise StoreError(f"{where} {sentence}, which mvarena never creates; it was not changed. Name another database.")


def check_tables(connection: Connection, where: str, revision: str | None) -> None:
    """Raise StoreError if an SQLite database of that revision lacks a table of mvarena's, or holds another one."""
    there = {name for (name,) in connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if unknown := sorted(there - _TABLES - _OF_SQLITE):
        raise StoreError(f"{where} holds the table '{unknown[0]}', which is not mvarena's; name another database.")
    if revision != REVISIONS[-1]:  # an older one is checked after its upgrade
        return
    for table in metadata.sorted_tables:
        if sorted(_columns(connection, table.name)) != sorted(_wanted(table)):
            raise StoreError(
                f"{where}: the columns of its table '{table.name}' are not those of schema {revision}; restore it "
                "from a copy, or name another database."
            )


def _what_runs(connection: Connection) -> Iterator[str]:
    rows = connection.exec_driver_sql("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master").fetchall()
    for kind, name, table, page, sql in rows:
        text = " ".join(str(sql or "").split())
        if kind == "trigger" or (kind == "view" and name != _VIEW):
            yield f"holds the {kind} '{name}'"
        elif kind == "table" and (not page or text.upper().startswith("CREATE VIRTUAL")):
            yield f"holds the virtual table '{name}'"
        elif kind in ("table", "index") and _RUNS.search(text):
            yield f"holds expressions in the {kind} '{name}'"
        elif kind == "index" and sql is not None and _has_expressions(connection, str(name), text):
            yield f"holds expressions in the index '{name}' of '{table}'"


def check_view(connection: Connection, where: str) -> None:
    """Raise StoreError if the view `results` of a database of the last revision is not the one that mvarena makes."""
    sql = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE type = 'view'").scalar()
    if sql is not None and " ".join(str(sql).split()) != " ".join(DEFINITION.split()):
        raise StoreError(
            f"{where} holds a view 'results' that is not mvarena's; it was not changed. Name another database."
        )


def _has_expressions(connection: Connection, name: str, sql: str) -> bool:
    quoted = name.replace('"', '""')
    rows = connection.exec_driver_sql(f'PRAGMA index_xinfo("{quoted}")').fetchall()
    return any(row[1] == -2 for row in rows) or re.search(r"\bWHERE\b", sql, re.IGNORECASE) is not None


def _columns(connection: Connection, table: str) -> list[tuple[Any, ...]]:
    """Name, place in the primary key and NOT NULL of each column; generated ones are none of these."""
    rows = connection.exec_driver_sql(f'PRAGMA table_xinfo("{table}")').fetchall()
    return [(row[1], row[5], bool(row[3] or row[5]), row[6]) for row in rows]


def _wanted(table: Table) -> list[tuple[Any, ...]]:
    places = {column.name: place for place, column in enumerate(table.primary_key, 1)}
    return [(one.name, places.get(one.name, 0), not one.nullable, 0) for one in table.columns]
