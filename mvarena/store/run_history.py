"""What was asked for, read back: runs, the trials of each, and the runs of a trial."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, func, inspect, select

from mvarena.store.asked_runs import Ended
from mvarena.store.database import Database
from mvarena.store.key_sets import unpack_keys
from mvarena.store.schema import key_sets, run_keys, runs, trials
from mvarena.store.trials import batches


@dataclass(frozen=True, slots=True)
class Run:
    """One run. study : TOML, empty where no study file was run. began, ended : UTC, by the database's clock; ended is
    None, and how UNKNOWN, where it goes on or was killed. n_trials : how many it asked for."""

    id: str
    command: str
    study: str
    mvarena: str
    environment_id: str
    began: datetime
    ended: datetime | None
    how: Ended
    n_trials: int

    @property
    def seconds(self) -> float | None:
        """From its beginning to its end."""
        return None if self.ended is None else (self.ended - self.began).total_seconds()


def has_runs(connection: Connection) -> bool:
    """Whether the database can hold runs: one of an older mvarena that is only read cannot."""
    return inspect(connection).has_table(runs.name)


def runs_of(db: Database) -> list[Run]:
    """All runs, the first first."""
    with db.read() as connection:
        return _found(connection)


def runs_of_trial(db: Database, key: str) -> list[Run]:
    """The runs that asked for the trial of that key, the first first. Cost: every set of keys is searched once."""
    packed = bytes.fromhex(key)
    with db.read() as connection:
        if connection.dialect.name == "postgresql":
            place: ColumnElement[int] = func.strpos(func.encode(key_sets.c.packed, "hex"), key)
        else:
            place = func.instr(key_sets.c.packed, packed)
        wanted = select(run_keys.c.run_id).join(key_sets).where(place > 0)
        return _found(connection, runs.c.id.in_(wanted))


def keys_of_runs(db: Database) -> Iterator[tuple[list[str], list[str]]]:
    """Runs (ids) and the keys of trials that all of these asked for; a run may come several times, with other keys.

    Cost: as many statements as there are different sets of keys, of which one is in memory at a time.
    """
    with db.read() as connection:
        if not has_runs(connection):
            return
        asking: dict[str, list[str]] = {}
        for row in connection.execute(select(run_keys.c.run_id, run_keys.c.set_id)):
            asking.setdefault(row.set_id, []).append(row.run_id)
        for set_id, ids in asking.items():
            yield ids, list(unpack_keys(_packed(connection, set_id)))


def without_trials(connection: Connection) -> list[str]:
    """The ids of runs none of whose trials is stored: what they asked for was deleted, or nothing could be run.

    A run that has just begun has no trials yet, and is not meant.
    """
    if not has_runs(connection):
        return []
    alive = set()
    links = connection.execute(select(run_keys.c.run_id, run_keys.c.set_id)).fetchall()
    for set_id in {row.set_id for row in links}:
        keys = unpack_keys(_packed(connection, set_id))
        one = select(trials.c.key).limit(1)
        if any(connection.scalar(one.where(trials.c.key.in_(some))) for some in batches(keys)):
            alive.add(set_id)
    kept = {row.run_id for row in links if row.set_id in alive}
    began = {row.run_id for row in links}
    rows = connection.execute(select(runs.c.id, runs.c.ended))
    return sorted(row.id for row in rows if row.id not in kept and (row.id in began or row.ended != Ended.UNKNOWN))


def _packed(connection: Connection, set_id: str) -> bytes:
    return bytes(connection.scalar(select(key_sets.c.packed).where(key_sets.c.id == set_id)) or b"")


def _found(connection: Connection, *where: ColumnElement[bool]) -> list[Run]:
    if not has_runs(connection):
        return []
    rows = connection.execute(runs.select().where(*where).order_by(runs.c.began_at, runs.c.id))
    return [
        Run(
            row.id, row.command, row.study, row.mvarena, row.environment_id, row.began_at, row.ended_at,
            Ended(row.ended), row.n_trials,
        ) for row in rows
    ]  # fmt: skip
