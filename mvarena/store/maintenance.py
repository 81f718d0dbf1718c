"""Removing trials, and the room that they took. Only whoever asks for it by name removes anything."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, func, select, tuple_, update

from mvarena.contracts.outcome import Status
from mvarena.store.database import Database
from mvarena.store.filters import matching_names
from mvarena.store.runs import without_trials
from mvarena.store.schema import (
    attempts,
    environments,
    key_sets,
    labellings,
    names,
    run_keys,
    runs,
    sample_ids,
    scores,
    trials,
    truths,
)
from mvarena.store.trials import IS_CURRENT, batches

Name = tuple[str, str, str]  # key, data set, protocol


@dataclass(frozen=True, slots=True)
class Removal:
    """Trials to delete.

    names : the names under which trials are shown (key, data set, protocol). keys : the trials that have no other
    name, which go with everything that is stored of them. renamed : trials that stay under another name.
    """

    names: frozenset[Name]
    keys: tuple[str, ...] = ()
    renamed: tuple[str, ...] = field(default=())


def removal(db: Database, where: Sequence[ColumnElement[bool]], *, keep: bool = False) -> Removal:
    """Trials deleted if those that meet the conditions go; keep : if all others go.

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
    for table in (attempts, names, trials):
        connection.execute(delete(table).where(table.c.key.in_(keys)))


def remove_runs(connection: Connection) -> int:
    """Delete the runs none of whose trials is stored any more (`mvarena.store.runs`); how many there were."""
    gone = without_trials(connection)
    forget_runs(connection, gone)
    return len(gone)


def forget_runs(connection: Connection, ids: Iterable[str]) -> None:
    """Delete runs, but none of their trials."""
    for batch in batches(ids):
        for table, of_run in ((run_keys, run_keys.c.run_id), (runs, runs.c.id)):
            connection.execute(delete(table).where(of_run.in_(batch)))


def remove_orphans(connection: Connection) -> int:
    """Delete classes, environments, sets of keys and ids of samples that nothing refers to; how many there were."""
    return sum(connection.execute(delete(table).where(_unused(table, used))).rowcount for table, *used in _SHARED)


def orphans(connection: Connection) -> int:
    """Number of classes, environments, sets of keys and ids of samples that nothing refers to."""
    counts = (select(func.count()).select_from(table).where(_unused(table, used)) for table, *used in _SHARED)
    return sum(connection.scalar(count) or 0 for count in counts)


_SHARED: tuple[tuple[Any, ...], ...] = (
    (truths, attempts.c.truth_id),
    (environments, attempts.c.environment_id, runs.c.environment_id),
    (key_sets, run_keys.c.set_id),
    (sample_ids, trials.c.content),
)


def _unused(table: Table, used: Sequence[ColumnElement[Any]]) -> ColumnElement[bool]:
    (own,) = table.primary_key
    return and_(*(own.not_in(select(column).where(column.is_not(None))) for column in used))


def vacuum(db: Database) -> int:
    """Delete what nothing refers to, and runs without trials, and give freed room back to the disk; how many rows went.

    SQLite writes the file anew and needs as much free space for it; other programs wait meanwhile. Raises StoreError.
    """
    with db.write() as connection:
        count = remove_runs(connection) + remove_orphans(connection)
    log = ("PRAGMA wal_checkpoint(TRUNCATE)",) if db.engine.dialect.name == "sqlite" else ()
    db.maintain("VACUUM", *log)
    return count


# Making a database small: of each trial only what its protocol counts, and only some of the metrics.


def thin(db: Database, metrics: Collection[str]) -> int:
    """Drop what counts for nothing, and the folders of this machine from tracebacks, and say how many rows went.

    Of a trial whose protocol counts the restart of lowest inertia only that restart stays; of scores only those by
    `metrics`; of runs those that asked for trials that are here. What stays is enough for every table, figure and
    metric of those restarts, and nothing is run again.
    Cost: a few statements, and for SQLite a rewriting of the file.
    """
    with db.write() as connection:
        gone = _drop_uncounted(connection)
        gone += connection.execute(delete(scores).where(scores.c.metric.not_in(list(metrics)))).rowcount
        _shorten_tracebacks(connection)
        gone += remove_runs(connection) + remove_orphans(connection)
    if isinstance(db.address, Path):  # without the room that went, and whole without files beside it
        db.engine.dispose()
        db.maintain("VACUUM", "PRAGMA journal_mode = DELETE")
    return gone


def _drop_uncounted(connection: Connection) -> int:
    """The restarts of lowest inertia are found as `analysis.counted_restarts` finds them: the first of equals."""
    of_lowest = (
        select(attempts.c.id)
        .select_from(attempts.join(trials))
        .where(IS_CURRENT, attempts.c.status == Status.DONE, trials.c.pick == "lowest-inertia")
    )
    gone = 0
    for table in (scores, labellings):
        restarts = labellings.alias()
        # none where an attempt has no inertia, which keeps all of its restarts
        counted = (
            select(restarts.c.restart)
            .where(restarts.c.attempt_id == table.c.attempt_id, restarts.c.inertia.is_not(None))
            .order_by(restarts.c.inertia, restarts.c.restart)
            .limit(1)
            .correlate(table)
            .scalar_subquery()
        )
        uncounted = delete(table).where(table.c.attempt_id.in_(of_lowest), table.c.restart != counted)
        gone += connection.execute(uncounted).rowcount
    return gone


_FOLDERS = re.compile(r'(?<=File ")[^"\n]*?[/\\](?=[^/\\"]+(?:[/\\][^/\\"]+){0,2}")')


def _shorten_tracebacks(connection: Connection) -> None:
    """Of each file the last two folders stay, which say what it is and not where it lay."""
    query = select(attempts.c.id, attempts.c.traceback).where(attempts.c.traceback != "")
    for row in connection.execute(query).all():
        shorter = _FOLDERS.sub("", row.traceback)
        if shorter != row.traceback:
            connection.execute(update(attempts).where(attempts.c.id == row.id).values(traceback=shorter))
