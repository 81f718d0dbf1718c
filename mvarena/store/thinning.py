"""Making a database small: of each trial only what its protocol counts, and only some of the metrics."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, and_, delete, func, select, tuple_, update

from mvarena.contracts.outcome import Status
from mvarena.store.database import Database
from mvarena.store.removal import remove_orphans, remove_runs
from mvarena.store.schema import attempts, claims, labellings, scores, trials
from mvarena.store.trials import IS_CURRENT


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
        connection.execute(delete(claims))
        _shorten_tracebacks(connection)
        gone += remove_runs(connection) + remove_orphans(connection)
    _rewrite(db)
    return gone


def _drop_uncounted(connection: Connection) -> int:
    """The restarts of lowest inertia are found as `mvarena.analysis.picks` finds them: the first of equals."""
    of_lowest = (
        select(attempts.c.id)
        .select_from(attempts.join(trials))
        .where(IS_CURRENT, attempts.c.status == Status.DONE, trials.c.pick == "lowest-inertia")
    )
    lowest = (
        select(labellings.c.attempt_id, func.min(labellings.c.inertia).label("inertia"))
        .where(labellings.c.attempt_id.in_(of_lowest))
        .group_by(labellings.c.attempt_id)
        .subquery()
    )
    counted = (
        select(labellings.c.attempt_id, func.min(labellings.c.restart))
        .join(lowest, and_(lowest.c.attempt_id == labellings.c.attempt_id, lowest.c.inertia == labellings.c.inertia))
        .group_by(labellings.c.attempt_id)
    )
    # an attempt without any inertia keeps all of its restarts
    with_inertia = select(lowest.c.attempt_id).where(lowest.c.inertia.is_not(None))
    gone = 0
    for table in (scores, labellings):
        place = tuple_(table.c.attempt_id, table.c.restart)
        gone += connection.execute(
            delete(table).where(table.c.attempt_id.in_(with_inertia), place.not_in(counted))
        ).rowcount
    return gone


_FOLDERS = re.compile(r'(?<=File ")[^"\n]*?[/\\](?=[^/\\"]+(?:[/\\][^/\\"]+){0,2}")')


def _shorten_tracebacks(connection: Connection) -> None:
    """Of each file the last two folders stay, which say what it is and not where it lay."""
    query = select(attempts.c.id, attempts.c.traceback).where(attempts.c.traceback != "")
    for row in connection.execute(query).all():
        shorter = _FOLDERS.sub("", row.traceback)
        if shorter != row.traceback:
            connection.execute(update(attempts).where(attempts.c.id == row.id).values(traceback=shorter))


def _rewrite(db: Database) -> None:
    """An SQLite file without the room that went, and whole without files beside it."""
    if isinstance(db.address, Path):
        db.engine.dispose()
        with closing(sqlite3.connect(db.address, isolation_level=None)) as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA journal_mode = DELETE")
