"""Keeping what was asked for: each run with its command, when it began and ended, and the trials that it wanted.

The trials of a run are linked in parts, as they are registered, by sets of their keys (`mvarena.store.encoding`), which
runs of the same trials share. A million trials take 32 MB, and a second run of the same command some kB.
"""

from __future__ import annotations

import os
import shlex
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import tomli_w
from sqlalchemy import ColumnElement, Connection, func, select, update

from mvarena import __version__
from mvarena.errors import MvarenaError
from mvarena.store.connections import insert_for
from mvarena.store.database import Database
from mvarena.store.encoding import WIDTH, canonical_json, fingerprint, pack_keys, unpack_keys
from mvarena.store.numbering import Numbers
from mvarena.store.schema import environments, key_sets, run_keys, runs, trials
from mvarena.text import without_passwords


@dataclass(frozen=True, slots=True)
class Asked:
    """command : as it was typed (`typed_command`). study : the study file that was run, TOML; empty where none was."""

    command: str
    study: str = ""


BY_PYTHON = Asked("mvarena.run from Python")


class Ended(StrEnum):
    """End of a run. A trial that failed is no error of the run. UNKNOWN: it goes on, or was killed."""

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
            _add_key_set(connection, row)
            connection.execute(run_keys.insert(), {"run_id": self.id, "part": self._parts, "set_id": row["id"]})
            more = runs.c.n_trials + len(packed) // WIDTH
            connection.execute(update(runs).where(runs.c.id == self.id).values(n_trials=more))
        self._parts += 1

    def first_of(self, count: int) -> int:
        """Index of the first of `count` trials to run: 0, or one of this run's own where others are under way.

        Of runs that were killed nobody knows that they have ended.
        """
        others = select(func.count()).select_from(runs).where(runs.c.ended == Ended.UNKNOWN, runs.c.id != self.id)
        with self._db.read() as connection:
            return int(self.id, 16) % count if count and connection.scalar(others) else 0


@contextmanager
def asked_run(db: Database, asked: Asked, environment: Mapping[str, Any]) -> Iterator[AskedRun]:
    """Keep a run from the beginning of the block to its end.

    environment : of the process that conducts it (`mvarena.system.environment`).
    An exception ends it as an error, KeyboardInterrupt as interrupted; both go on.
    """
    under_way = AskedRun(db, uuid.uuid4().hex)
    row: dict[str, Any] = {"id": under_way.id, "command": asked.command, "study": asked.study, "mvarena": __version__}
    row |= {"ended": Ended.UNKNOWN.value, "began_at": datetime.now(UTC), "n_trials": 0}
    with db.write() as connection:
        number = Numbers(connection).of_environment(canonical_json(dict(environment)))
        connection.execute(runs.insert(), row | {"environment": number})
    try:
        yield under_way
    except BaseException as error:
        ended = Ended.INTERRUPTED if isinstance(error, KeyboardInterrupt) else Ended.ERROR
        with suppress(MvarenaError):  # what went wrong first is what users must know
            _end(db, under_way.id, ended)
        raise
    _end(db, under_way.id, under_way.how)


def _add_key_set(connection: Connection, row: dict[str, Any]) -> None:
    """Add a set of keys, should no other run have asked for the same."""
    connection.execute(insert_for(connection.dialect.name)(key_sets).on_conflict_do_nothing(), row)


def _end(db: Database, run_id: str, how: Ended) -> None:
    with db.write() as connection:
        values = {"ended": how.value, "ended_at": datetime.now(UTC)}
        connection.execute(update(runs).where(runs.c.id == run_id).values(**values))


# What was asked for, read back: runs, the trials of each, and the runs of a trial.


@dataclass(frozen=True, slots=True)
class Run:
    """One run. study : TOML, empty where no study file was run. began, ended : UTC; ended is None, and how UNKNOWN,
    where it goes on or was killed. n_trials : how many it asked for."""

    id: str
    command: str
    study: str
    mvarena: str
    environment_id: int
    began: datetime
    ended: datetime | None
    how: Ended
    n_trials: int

    @property
    def seconds(self) -> float | None:
        """From its beginning to its end."""
        return None if self.ended is None else (self.ended - self.began).total_seconds()


def runs_of(db: Database) -> list[Run]:
    """All runs, the first first."""
    with db.read() as connection:
        return _found(connection)


def runs_of_trial(db: Database, key: str) -> list[Run]:
    """The runs that asked for the trial of that key, the first first. Cost: every set of keys is searched once."""
    packed = pack_keys([key])
    with db.read() as connection:
        sets = [row.id for row in connection.execute(select(key_sets)) if packed in row.packed]
        wanted = select(run_keys.c.run_id).where(run_keys.c.set_id.in_(sets))
        return _found(connection, runs.c.id.in_(wanted))


def keys_of_runs(db: Database) -> Iterator[tuple[list[str], list[str]]]:
    """Runs (ids) and the keys of trials that all of these asked for; a run may come several times, with other keys.

    Of a trial that is not stored, the first 16 digits of its key. Cost: as many statements as there are different sets
    of keys, and one.
    """
    with db.read() as connection:
        known = _by_beginning(connection)
        asking: dict[str, list[str]] = {}
        for row in connection.execute(select(run_keys.c.run_id, run_keys.c.set_id)):
            asking.setdefault(row.set_id, []).append(row.run_id)
        for set_id, ids in asking.items():
            yield ids, [known.get(one, one) for one in unpack_keys(_packed(connection, set_id))]


def _by_beginning(connection: Connection) -> dict[str, str]:
    """Beginning of a key, as sets of keys hold it -> the stored key."""
    return {key[: 2 * WIDTH]: key for key in connection.scalars(select(trials.c.key))}


def without_trials(connection: Connection) -> list[str]:
    """The ids of runs none of whose trials is stored: what they asked for was deleted, or nothing could be run.

    A run that has just begun has no trials yet, and is not meant.
    """
    alive, known = set(), _by_beginning(connection)
    links = connection.execute(select(run_keys.c.run_id, run_keys.c.set_id)).fetchall()
    for set_id in {row.set_id for row in links}:
        if any(one in known for one in unpack_keys(_packed(connection, set_id))):
            alive.add(set_id)
    kept = {row.run_id for row in links if row.set_id in alive}
    began = {row.run_id for row in links}
    rows = connection.execute(select(runs.c.id, runs.c.ended))
    return sorted(row.id for row in rows if row.id not in kept and (row.id in began or row.ended != Ended.UNKNOWN))


def _packed(connection: Connection, set_id: str) -> bytes:
    return bytes(connection.scalar(select(key_sets.c.packed).where(key_sets.c.id == set_id)) or b"")


def _found(connection: Connection, *where: ColumnElement[bool]) -> list[Run]:
    rows = connection.execute(runs.select().where(*where).order_by(runs.c.began_at, runs.c.id))
    return [
        Run(
            row.id, row.command, row.study, row.mvarena, row.environment, row.began_at, row.ended_at,
            Ended(row.ended), row.n_trials,
        ) for row in rows
    ]  # fmt: skip


# Merging the runs of another database: those that are not here.


def merge_runs(db: Database, other: Database) -> int:
    """Add the runs of `other` that `db` has not, each in one transaction; how many there were."""
    with other.read() as source, db.read() as target:
        known = set(target.scalars(select(runs.c.id)))
        new = [row for row in source.execute(select(runs).order_by(runs.c.began_at)).fetchall() if row.id not in known]
    for row in new:
        with other.read() as source, db.write() as target:
            json = source.scalar(select(environments.c.json).where(environments.c.id == row.environment))
            number = Numbers(target).of_environment(str(json))
            target.execute(runs.insert(), dict(row._mapping) | {"environment": number})
            for link in source.execute(select(run_keys).where(run_keys.c.run_id == row.id)).fetchall():
                keys = source.execute(select(key_sets).where(key_sets.c.id == link.set_id)).one()
                _add_key_set(target, dict(keys._mapping))
                target.execute(run_keys.insert(), dict(link._mapping))
    return len(new)


# The request behind a run, as it is stored: the words as they were typed, without passwords.


def typed_command(words: Sequence[str]) -> str:
    """A command line to be kept, quoted for a shell: the words as they were typed, without passwords in addresses."""
    return shlex.join(["mvarena", *map(_kept, words)])


def kept_study(document: Mapping[str, Any]) -> str:
    """The TOML of a study file as it was parsed, by the same rule. Comments, which may hold anything, are left out."""
    return tomli_w.dumps(_kept(document))


def _kept(value: Any) -> Any:
    """Text without passwords, and below the working folder relative to it; tables and lists of such texts."""
    if isinstance(value, Mapping):
        return {_kept(name): _kept(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_kept(item) for item in value]
    return without_passwords(value).replace(f"{os.getcwd()}{os.sep}", "") if isinstance(value, str) else value
