"""Keeping what was asked for: each run with its command, when it began and ended, and the trials that it wanted.

The trials of a run are linked in parts, as they are registered, by sets of their keys (`mvarena.store.key_sets`), which
runs of the same trials share. A million trials take 32 MB, and a second run of the same command some kB.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, func, select, update

from mvarena import __version__
from mvarena.errors import MvarenaError
from mvarena.store.codec import canonical_json, fingerprint
from mvarena.store.database import Database
from mvarena.store.key_sets import WIDTH, pack_keys
from mvarena.store.recording import insert_missing
from mvarena.store.schema import environments, key_sets, run_keys, runs
from mvarena.study.request import Asked


class Ended(StrEnum):
    """How a run ended. A trial that failed is no error of the run. UNKNOWN: it goes on, or was killed."""

    DONE = "done"
    INTERRUPTED = "interrupted"
    ERROR = "error"
    UNKNOWN = ""


class AskedRun:
    """One run that is under way. how : how it will have ended, unless an exception says otherwise."""

    def __init__(self, db: Database, run_id: str) -> None:
        self._db = db
        self.id = run_id
        self.how = Ended.DONE
        self._parts = 0

    def wants(self, keys: Iterable[str]) -> None:
        """Note that the run asks for the trials of these keys, which are not noted yet.

        Call it with some thousand at a time. Cost: a transaction of three statements, less than a microsecond a key.
        """
        packed = pack_keys(keys)
        if not packed:
            return
        row = {"id": fingerprint(packed), "packed": packed}
        with self._db.write() as connection:
            insert_missing(connection, key_sets, row)
            connection.execute(run_keys.insert(), {"run_id": self.id, "part": self._parts, "set_id": row["id"]})
            more = runs.c.n_trials + len(packed) // WIDTH
            connection.execute(update(runs).where(runs.c.id == self.id).values(n_trials=more))
        self._parts += 1


@contextmanager
def asked_run(db: Database, asked: Asked, environment: Mapping[str, Any]) -> Iterator[AskedRun]:
    """Keep a run from the beginning of the block to its end, both by the database's clock.

    environment : of the process that conducts it (`mvarena.system.environment`).
    An exception ends it as an error, KeyboardInterrupt as interrupted; both go on.
    """
    under_way = AskedRun(db, uuid.uuid4().hex)
    text = canonical_json(dict(environment))
    row = {"id": under_way.id, "command": asked.command, "study": asked.study, "mvarena": __version__}
    row |= {"environment_id": fingerprint(text), "ended": Ended.UNKNOWN.value}
    with db.write() as connection:
        insert_missing(connection, environments, {"id": row["environment_id"], "json": text})
        connection.execute(runs.insert(), row | {"began_at": _moment(connection), "n_trials": 0})
    try:
        yield under_way
    except BaseException as error:
        ended = Ended.INTERRUPTED if isinstance(error, KeyboardInterrupt) else Ended.ERROR
        with suppress(MvarenaError):  # what went wrong first is what users must know
            _end(db, under_way.id, ended)
        raise
    _end(db, under_way.id, under_way.how)


def _end(db: Database, run_id: str, how: Ended) -> None:
    with db.write() as connection:
        values = {"ended": how.value, "ended_at": _moment(connection)}
        connection.execute(update(runs).where(runs.c.id == run_id).values(**values))


def _moment(connection: Connection) -> datetime:
    """The time by the database's clock: the server's, or this machine's for a file."""
    if connection.dialect.name == "postgresql":
        found = connection.scalar(select(func.clock_timestamp()))
        assert isinstance(found, datetime)
        return found
    return datetime.now(UTC)
