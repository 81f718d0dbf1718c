"""Lists of keys as one parameter of a statement: drivers take longer for a thousand than databases take to find them.

They are texts without commas and quotes (hex digits).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Connection, String, bindparam, column, func, select, type_coerce

KEYS = "keys"  # the parameter's name


def listed(connection: Connection, keys: Iterable[str]) -> dict[str, str]:
    """The parameter of a statement that has `among` or `ARRAY_OF_KEYS` in it."""
    return {KEYS: ",".join(keys) if connection.dialect.name == "postgresql" else json.dumps(list(keys))}


def among(column_of_keys: ColumnElement[str], dialect: str) -> ColumnElement[bool]:
    """The condition that a key is one of those that are listed."""
    if dialect == "postgresql":
        return column_of_keys == func.any(ARRAY_OF_KEYS)
    return column_of_keys.in_(select(column("value")).select_from(func.json_each(bindparam(KEYS))))


ARRAY_OF_KEYS: Any = type_coerce(func.string_to_array(bindparam(KEYS, type_=String), ","), ARRAY(String))
"""On PostgreSQL, the list as an array; that of none is empty."""
