"""Values of stored rows: SQLite takes any value in any column, so a file from elsewhere may hold any."""

from __future__ import annotations

import json
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
