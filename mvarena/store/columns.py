"""Column types that give back what was put in, on every database: NaN, odd characters, time zones."""

# ruff: noqa: ARG002 - the signatures are SQLAlchemy's

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, DateTime, Dialect, Double, Text, type_coerce
from sqlalchemy.types import TypeDecorator

from mvarena.errors import StoreError


class Real(TypeDecorator[float]):
    """A float that may be NaN or infinite. NaN is NULL in the database: SQLite knows no other."""

    impl = Double
    cache_ok = True

    def process_bind_param(self, value: float | None, dialect: Dialect) -> float | None:
        return None if value is None or math.isnan(value) else float(value)

    def process_result_value(self, value: float | None, dialect: Dialect) -> float:
        return math.nan if value is None else value


def plainly(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """`column` for reading many rows at once: a Real's NaN comes as None, without a call for each number."""
    return type_coerce(column, Double()).label(column.key) if isinstance(column.type, Real) else column


class Prose(TypeDecorator[str]):
    """Any text that a program may print; NUL and lone surrogates, which databases refuse, are kept as escapes."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        return value.encode("utf-8", "backslashreplace").decode("utf-8").replace("\x00", "\\x00")


class Moment(TypeDecorator[datetime]):
    """A point in time, stored and given back in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise StoreError(f"the time {value} has no time zone; give one, as datetime.now(UTC) does.")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
