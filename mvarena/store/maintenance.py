"""Removing trials, and the room that they took. Only whoever asks for it by name removes anything."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, select, true, update

from mvarena.store.database import Database
from mvarena.store.filters import matching_keys
from mvarena.store.numbering import Numbers
from mvarena.store.runs import without_trials
from mvarena.store.schema import (
    TEXTS,
    attempts,
    conditions,
    datasets,
    environments,
    key_sets,
    labellings,
    methods,
    metrics,
    names,
    protocols,
    run_keys,
    runs,
    scores,
    sources,
    texts,
    trials,
    truths,
)
from mvarena.store.trials import batches


def removal(db: Database, where: Sequence[ColumnElement[bool]], *, keep: bool = False) -> list[str]:
    """Keys of the trials that meet the conditions, under whichever of their names; keep : of all others.

    What was planned and never tried is left.
    """
    meant = matching_keys(db, where)
    return sorted(set(matching_keys(db, ())) - set(meant)) if keep else meant


def remove(db: Database, keys: Iterable[str]) -> None:
    """Delete trials, in one transaction: all of them, or nothing; and runs whose trials are all gone.

    Raises StoreError.
    """
    with db.write() as connection:
        for batch in batches(keys):
            _remove_trials(connection, batch)
        remove_runs(connection)
        remove_orphans(connection)


def _remove_trials(connection: Connection, keys: Sequence[str]) -> None:
    gone = select(trials.c.id).where(trials.c.key.in_(keys))
    own = select(attempts.c.id).where(attempts.c.trial.in_(gone))
    for table in (scores, labellings):
        connection.execute(delete(table).where(table.c.attempt.in_(own)))
    for table in (attempts, names):
        connection.execute(delete(table).where(table.c.trial.in_(gone)))
    connection.execute(delete(trials).where(trials.c.key.in_(keys)))


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
    """Delete what nothing refers to (data sets, texts, environments, ...); how many rows there were."""
    return sum(connection.execute(delete(table).where(_unused(table, used))).rowcount for table, *used in _SHARED)


# in an order in which what is deleted first may have been all that referred to what comes later
_SHARED: tuple[tuple[Any, ...], ...] = (
    (key_sets, run_keys.c.set_id),
    (datasets, trials.c.dataset),
    (methods, trials.c.method),
    (conditions, trials.c.condition),
    (sources, names.c.source),
    (protocols, trials.c.protocol, names.c.protocol),
    (environments, attempts.c.environment, runs.c.environment),
    (metrics, scores.c.metric),
    (truths, attempts.c.truth, datasets.c.truth),
    (texts, *(attempts.c[name] for name in TEXTS)),
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


# Making a database small: trials and the values that count, without labels.

_SMALL_PAGE = 2048  # bytes: a card has about as many, so that pages of 4096 would be half empty


def thin(db: Database, kept: Collection[str] | None = None, *, labels: bool = False) -> int:
    """Drop all labels, other metrics than `kept` (None: keep all), and the folders of this machine from tracebacks.

    labels : keep those of the restarts that count.
    What stays is enough for every table and figure of scores, and nothing is run again; what is computed from labels
    has to be computed before. Returns how many rows went. Cost: a few statements, and a rewriting of an SQLite file.
    """
    with db.write() as connection:
        counted = select(attempts.c.restart).where(attempts.c.id == labellings.c.attempt).scalar_subquery()
        others = labellings.c.restart != counted if labels else true()
        gone = connection.execute(delete(labellings).where(others)).rowcount
        if kept is not None:
            uncalled = select(metrics.c.id).where(metrics.c.name.not_in(list(kept)))
            gone += connection.execute(delete(scores).where(scores.c.metric.in_(uncalled))).rowcount
        _shorten_tracebacks(connection)
        gone += remove_runs(connection) + remove_orphans(connection)
    if isinstance(db.address, Path):  # without the room that went, and whole without files beside it
        db.engine.dispose()
        db.maintain("PRAGMA journal_mode = DELETE", f"PRAGMA page_size = {_SMALL_PAGE}", "VACUUM")
    return gone


# the beginning of an absolute path; what is shorter already stays
_FOLDERS = re.compile(r'(?<=File ")(?:[A-Za-z]:)?[/\\](?:[^"\n]*?[/\\])??(?=[^/\\"]+(?:[/\\][^/\\"]+){0,2}")')


def _shorten_tracebacks(connection: Connection) -> None:
    """Of each file the last two folders stay, which say what it is and not where it lay."""
    numbers = Numbers(connection)
    query = select(texts.c.id, texts.c.text).where(texts.c.id.in_(select(attempts.c.traceback).distinct()))
    for row in connection.execute(query).fetchall():
        shorter = _FOLDERS.sub("", row.text)
        if shorter != row.text:
            changed = update(attempts).where(attempts.c.traceback == row.id)
            connection.execute(changed.values(traceback=numbers.of_text(shorter)))
