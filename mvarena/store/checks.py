"""Checks of a database from elsewhere: SQLite takes any value in any column, and any trigger or view in a file."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import Boolean, Column, Connection, DateTime, Float, Integer, LargeBinary, String, Table, select
from sqlalchemy.types import TypeDecorator

from mvarena.contracts.outcome import MEMORY_AT_START, UNSCORED
from mvarena.errors import StoreError
from mvarena.store.results_view import DEFINITION
from mvarena.store.schema import REVISIONS, metadata, version

_AT_ONCE = 500
_OPS = 1000  # of SQLite's machine between two looks at the clock: less than a millisecond
_FIRST_YEAR, _LAST_YEAR = 1700, 2200  # what counts nanoseconds in 64 bits can hold


@contextmanager
def leniently(connection: Connection, deadline: float) -> Iterator[None]:
    """Have texts that are none come with surrogates, and statements end at the deadline."""
    raw = connection.connection.dbapi_connection
    if not isinstance(raw, sqlite3.Connection):
        yield
        return
    raw.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
    raw.set_progress_handler(lambda: time.monotonic() > deadline, _OPS)
    try:
        yield
    finally:
        raw.text_factory = str
        raw.set_progress_handler(None, 0)


def rows_of(connection: Connection, table: Table) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Each row, unconverted where it comes of a file, and what is wrong with the types of its values."""
    if connection.dialect.name != "sqlite":
        for typed in connection.execute(select(table)).mappings().yield_per(_AT_ONCE):
            yield {str(name): value for name, value in typed.items()}, []
        return
    columns = list(table.columns)
    names_of = ", ".join(f'"{column.name}"' for column in columns)
    for row in connection.exec_driver_sql(f'SELECT {names_of} FROM "{table.name}"').yield_per(_AT_ONCE):
        wrong = [
            f"its {column.name} {why}"
            for column, value in zip(columns, row, strict=True)
            if (why := _not_of(column, value))
        ]
        yield dict(zip((column.name for column in columns), row, strict=True)), wrong


def _not_of(column: Column[Any], value: Any) -> str:
    """Fault of a value of a column, '' for nothing."""
    if value is None:
        return "" if column.nullable else "is missing"
    kind = column.type.impl if isinstance(column.type, TypeDecorator) else column.type
    if isinstance(kind, DateTime):
        return "" if _is_moment(value) else "is not a time"
    if isinstance(kind, Boolean):
        return "" if value in (0, 1) and isinstance(value, int) else "is neither true nor false"
    for type_, python, word in _STORED_AS:
        if isinstance(kind, type_):
            return "" if isinstance(value, python) and not _is_no_text(value) else f"is not a {word}"
    return ""


_STORED_AS: tuple[tuple[type, Any, str], ...] = (
    (Integer, int, "whole number"),
    (Float, (int, float), "number"),
    (LargeBinary, bytes, "packed array"),
    (String, str, "text"),
)


def _is_no_text(value: Any) -> bool:
    try:
        return isinstance(value, str) and not value.isascii() and not value.encode()
    except UnicodeEncodeError:
        return True


def _is_moment(value: Any) -> bool:
    try:
        return _FIRST_YEAR <= datetime.fromisoformat(value).year <= _LAST_YEAR
    except (TypeError, ValueError):
        return False


def json_of(value: Any, kind: type) -> Any:
    """The value of a JSON text. Raises ValueError for another kind of value, and for depths that cannot be read."""
    try:
        result = json.loads(value)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(result, kind):
        raise ValueError(f"it is not a {'list' if kind is list else 'mapping'}")
    return result


def check_identity(identity: dict[str, Any]) -> None:
    """Raise ValueError where a description lacks what tables are made of."""
    kinds = {"algorithm": list, "params": dict, "content": str, "corruptions": list, "protocol": dict, "seed": list}
    for name, kind in kinds.items():
        if not isinstance(identity.get(name), kind):
            raise ValueError(f"there is no {name} in it")
    steps = [step for value in identity.values() if isinstance(value, list) for step in value if isinstance(step, list)]
    if any(len(step) < 2 for step in steps):
        raise ValueError("a step has no version")


def check_achieved(achieved: dict[str, Any]) -> None:
    """Raise ValueError where what a trial notes of its data is not what tables are made of."""
    views = achieved.get("views", {})
    rates = [] if not views else [achieved.get("incomplete")]
    if not isinstance(views, dict) or not all(isinstance(view, dict) for view in views.values()):
        raise ValueError("its views are not mappings")
    rates += [view.get(name) for view in views.values() for name in ("missing", "changed_rows")]
    counted = achieved.get("samples_by_missing_views", [])
    if not isinstance(counted, list) or not all(isinstance(value, int | float) for value in [*rates, *counted]):
        raise ValueError("a rate or a count is not a number")
    if not isinstance(achieved.get(MEMORY_AT_START, 0.0), int | float):
        raise ValueError("its memory is not a number")
    unscored = achieved.get(UNSCORED, {})
    if not isinstance(unscored, dict) or not all(isinstance(reason, str) for reason in unscored.values()):
        raise ValueError("its metrics without scores are not a mapping to reasons")


# Contents that an SQLite file may have to be read: mvarena's tables, plain indexes of them and the view `results`.
# A file from elsewhere may hold code of its own: triggers, views, virtual tables, expressions in indexes and in
# constraints. SQLite runs these while it reads or writes, so a file that has any is refused as a whole.

_OF_SQLITE = {"sqlite_sequence", "sqlite_stat1", "sqlite_stat4"}
_LATEST = {table.name for table in metadata.sorted_tables}
# every revision's tables are among today's
_TABLES = {version.name, *_LATEST, "claims"}  # the last was used until revision 0009, and is left where it is
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
