"""Removing trials, and the room that they took. Only whoever asks for it by name removes anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, func, select, tuple_

from mvarena.store.database import Database
from mvarena.store.filters import matching_names
from mvarena.store.run_history import has_runs, without_trials
from mvarena.store.schema import (
    attempts,
    claims,
    environments,
    key_sets,
    labellings,
    names,
    run_keys,
    runs,
    scores,
    trials,
    truths,
)
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
    """Delete what `plan` says, in one transaction: all of it, or nothing; and runs whose trials are all gone.

    Raises StoreError.
    """
    with db.write() as connection:
        for batch in _parts(sorted(plan.names)):
            connection.execute(delete(names).where(tuple_(names.c.key, names.c.dataset, names.c.protocol).in_(batch)))
        for keys in batches(plan.keys):
            _remove_trials(connection, keys)
        remove_runs(connection)
        remove_orphans(connection)


def _parts(rows: Sequence[Name], size: int = 1000) -> Iterable[Sequence[Name]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _remove_trials(connection: Connection, keys: Sequence[str]) -> None:
    own = select(attempts.c.id).where(attempts.c.key.in_(keys))
    for table in (scores, labellings):
        connection.execute(delete(table).where(table.c.attempt_id.in_(own)))
    for table in (attempts, names, claims, trials):
        connection.execute(delete(table).where(table.c.key.in_(keys)))


def remove_runs(connection: Connection) -> int:
    """Delete the runs none of whose trials is stored any more (`mvarena.store.run_history`); how many there were."""
    gone = without_trials(connection)
    for table, of_run in ((run_keys, run_keys.c.run_id), (runs, runs.c.id)):
        for batch in batches(gone):
            connection.execute(delete(table).where(of_run.in_(batch)))
    return len(gone)


def remove_orphans(connection: Connection) -> int:
    """Delete classes, environments and sets of keys that nothing refers to; how many there were."""
    return sum(connection.execute(delete(table).where(_unused(table, used))).rowcount for table, *used in _SHARED)


def orphans(connection: Connection) -> int:
    """How many classes, environments and sets of keys nothing refers to."""
    known = _SHARED if has_runs(connection) else _BEFORE_RUNS
    counts = (select(func.count()).select_from(table).where(_unused(table, used)) for table, *used in known)
    return sum(connection.scalar(count) or 0 for count in counts)


_BEFORE_RUNS: tuple[tuple[Any, ...], ...] = (
    (truths, attempts.c.truth_id),
    (environments, attempts.c.environment_id),
)
_SHARED: tuple[tuple[Any, ...], ...] = (
    (truths, attempts.c.truth_id),
    (environments, attempts.c.environment_id, runs.c.environment_id),
    (key_sets, run_keys.c.set_id),
)


def _unused(table: Table, used: Sequence[ColumnElement[Any]]) -> ColumnElement[bool]:
    return and_(*(table.c.id.not_in(select(column).where(column.is_not(None))) for column in used))


def vacuum(db: Database) -> int:
    """Delete what nothing refers to, and runs without trials, and give freed room back to the disk; how many rows went.

    SQLite writes the file anew and needs as much free space for it; other programs wait meanwhile. Raises StoreError.
    """
    with db.write() as connection:
        count = remove_runs(connection) + remove_orphans(connection)
    log = ("PRAGMA wal_checkpoint(TRUNCATE)",) if db.engine.dialect.name == "sqlite" else ()
    db.maintain("VACUUM", *log)
    return count
