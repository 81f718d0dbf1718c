"""Numbers of rows that others refer to: data sets, methods, conditions, protocols, environments, texts, truths."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table, UniqueConstraint, and_, bindparam, select

from mvarena.store.connections import insert_for
from mvarena.store.schema import environments, texts


class Numbers:
    """Numbers of rows within one transaction that writes; a row that is not there yet is added."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[Hashable, int] = {}

    def of(self, table: Table, **row: Any) -> int:
        """The number of the row of `table` with the same unique columns. Cost: some statements, the first time."""
        unique, present, add = _statements(self._connection.dialect.name, table)
        same = (table.name, *(row[name] for name in unique))
        if same not in self._known:
            wanted = {f"one_{name}": row[name] for name in unique}
            number = self._connection.scalar(present, wanted)
            if number is None:
                self._connection.execute(add, row)
                number = self._connection.scalar(present, wanted)
                assert number is not None
            self._known[same] = number
        return self._known[same]

    def of_text(self, text: str) -> int | None:
        """The number of a text; None for an empty one."""
        return self.of(texts, digest=_digest(text), text=text) if text else None

    def of_environment(self, json: str) -> int:
        """The number of an environment, as canonical JSON."""
        return self.of(environments, json=json)

    def read_texts(self, wanted: Iterable[str]) -> None:
        """Look for several texts with one statement, so that `of_text` needs none for those that are there."""
        query = select(texts.c.digest, texts.c.id).where(texts.c.digest.in_({_digest(text) for text in wanted if text}))
        self._known |= {("texts", digest): number for digest, number in self._connection.execute(query)}


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).digest()


@cache
def unique_columns(table: Table) -> tuple[str, ...]:
    """The columns that tell the rows of a numbered table apart."""
    single = [column.name for column in table.columns if column.unique]
    several = [one for one in table.constraints if isinstance(one, UniqueConstraint) and len(one.columns) > 1]
    return tuple(single) if single else tuple(column.name for column in several[0].columns)


@cache
def _statements(dialect: str, table: Table) -> tuple[tuple[str, ...], Any, Any]:
    """The unique columns, and the statements that look for a row by them and add it, should nobody else have."""
    unique = unique_columns(table)
    same = and_(*(table.c[name] == bindparam(f"one_{name}") for name in unique))
    return unique, select(table.c.id).where(same), insert_for(dialect)(table).on_conflict_do_nothing()
