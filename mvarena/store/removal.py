"""Removing trials, and the room that they took. Only whoever asks for it by name removes anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, func, select, tuple_

from mvarena.store.database import Database
from mvarena.store.filters import matching_names
from mvarena.store.schema import attempts, claims, environments, labellings, names, scores, trials, truths
from mvarena.store.trials import batches

Name = tuple[str, str, str]  # key, data set, protocol


@dataclass(frozen=True, slots=True)
class Removal:
    """What is to go.

    names : the names under which trials are shown (key, data set, protocol). keys : the trials that have no other
    name, which go with everything that is stored of them. renamed : trials that stay under another name.
    """

    names: frozenset[Name]
    keys: tuple[str, ...] = ()
    renamed: tuple[str, ...] = field(default=())


def removal(db: Database, where: Sequence[ColumnElement[bool]], *, keep: bool = False) -> Removal:
    """What goes if the trials that meet the conditions are deleted; keep : if all others are.

    A trial that studies know by several names goes with the last of them. What was planned and never tried is left.
    """
    meant, every = matching_names(db, where), matching_names(db, ())
    gone = every - meant if keep else meant
    left = {key for key, _, _ in every - gone}
    keys = {key for key, _, _ in gone}
    return Removal(frozenset(gone), tuple(sorted(keys - left)), tuple(sorted(keys & left)))


def remove(db: Database, plan: Removal) -> None:
    """Delete what `plan` says, in one transaction: all of it, or nothing. Raises StoreError."""
    with db.write() as connection:
        for batch in _parts(sorted(plan.names)):
            connection.execute(delete(names).where(tuple_(names.c.key, names.c.dataset, names.c.protocol).in_(batch)))
        for keys in batches(plan.keys):
            _remove_trials(connection, keys)
        remove_orphans(connection)


def _parts(rows: Sequence[Name], size: int = 1000) -> Iterable[Sequence[Name]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _remove_trials(connection: Connection, keys: Sequence[str]) -> None:
    own = select(attempts.c.id).where(attempts.c.key.in_(keys))
    for table in (scores, labellings):
        connection.execute(delete(table).where(table.c.attempt_id.in_(own)))
    for table in (attempts, names, claims, trials):
        connection.execute(delete(table).where(table.c.key.in_(keys)))


def remove_orphans(connection: Connection) -> int:
    """Delete classes and environments that no attempt refers to; how many there were."""
    return sum(connection.execute(delete(table).where(_unused(table, used))).rowcount for table, used in _SHARED)


def orphans(connection: Connection) -> int:
    """How many classes and environments no attempt refers to."""
    counts = (select(func.count()).select_from(table).where(_unused(table, used)) for table, used in _SHARED)
    return sum(connection.scalar(count) or 0 for count in counts)


_SHARED: tuple[tuple[Table, ColumnElement[Any]], ...] = (
    (truths, attempts.c.truth_id),
    (environments, attempts.c.environment_id),
)


def _unused(table: Table, used: ColumnElement[Any]) -> ColumnElement[bool]:
    return table.c.id.not_in(select(used).where(used.is_not(None)))


def vacuum(db: Database) -> int:
    """Delete what nothing refers to and give freed room back to the disk; how many orphans there were.

    SQLite writes the file anew and needs as much free space for it; other programs wait meanwhile. Raises StoreError.
    """
    with db.write() as connection:
        count = remove_orphans(connection)
    log = ("PRAGMA wal_checkpoint(TRUNCATE)",) if db.engine.dialect.name == "sqlite" else ()
    db.maintain("VACUUM", *log)
    return count
