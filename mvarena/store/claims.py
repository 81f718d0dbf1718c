"""Claims: several runs on one database share the work and never run a trial twice at the same time.

A claim is a lease by the database's clock. A run renews its own while it lives; when its process on this machine is
gone, or its lease has run out, another run takes the trial over.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from sqlalchemy import BigInteger, Connection, Integer, String, and_, bindparam, delete, null, select, update
from sqlalchemy import cast as typed

from mvarena.contracts.outcome import Status
from mvarena.store.claim_sql import expiry, is_held, reading, take
from mvarena.store.database import Database
from mvarena.store.encoding import among, listed
from mvarena.store.schema import attempts, claims
from mvarena.store.trials import IS_CURRENT
from mvarena.system.machine_identity import process_space
from mvarena.system.temporary import is_alive

LEASE_S = 60.0
_NOTHING: Mapping[str, int] = MappingProxyType({})

_THAT = and_(claims.c.host == bindparam("machine"), claims.c.pid == bindparam("process"))
_DROP = delete(claims).where(claims.c.key == bindparam("one"), _THAT)
_DROP_ALL = delete(claims).where(_THAT)
_OWN = claims.c.owner == bindparam("run")
_RELEASE = delete(claims).where(_OWN)


@dataclass(frozen=True, slots=True)
class Claimed:
    """Claimed trials of those that a run asked for, in order.

    finished : where these are fewer than it asked for, those that need no run any more. All others that were asked for
    before the last that was taken are another run's for now, or need no run.
    """

    taken: list[str]
    finished: set[str]


def claim_some(
    db: Database,
    keys: Sequence[str],
    owner: str,
    most: int,
    lease_s: float = LEASE_S,
    *,
    replacing: Mapping[str, int] = _NOTHING,
) -> Claimed:
    """Take up to `most` of the registered trials `keys` for the run `owner`: the first that nobody has.

    keys : each once, in the order of preference, no more than fit into one statement (a few hundred).
    It waits for no other run: on PostgreSQL, what another is just taking is passed over. Cost: one statement on
    PostgreSQL and three on SQLite, whatever `most` is, and one more where fewer than `most` are free.
    """
    if not keys:
        return Claimed([], set())
    # a claim that is stored and then given up, or that outlives its run, keeps others waiting and does no other harm
    with db.write_each() as connection:
        row = _row(connection, owner, lease_s)
        taken, ended = set(take(connection, keys, most, row, replacing)), set[str]()
        if len(taken) < most and (left := [key for key in keys if key not in taken]):
            ended, holders = _passed_over(connection, left, replacing)
            if _drop(connection, holders):
                taken.update(take(connection, left, most - len(taken), row, replacing))
    return Claimed([key for key in keys if key in taken], ended)


def renew(db: Database, owner: str, lease_s: float = LEASE_S) -> int:
    """Extend all claims of the run `owner` to `lease_s` seconds from now; returns how many it still has."""
    with db.write() as connection:
        dialect = connection.dialect.name
        changed = update(claims).where(_OWN).values(clock=bindparam("clock_name"), expires_at=expiry(dialect))
        return connection.execute(changed, _row(connection, owner, lease_s)).rowcount


def release(db: Database, owner: str) -> int:
    """Give up all claims of the run `owner`; returns how many there were."""
    with db.write() as connection:
        return connection.execute(_RELEASE, {"run": owner}).rowcount


def others(db: Database, owner: str) -> int:
    """Number of other runs with valid claims, as far as this machine can tell."""
    with db.read() as connection:
        query = select(claims.c.owner, claims.c.host, claims.c.pid).where(is_held(connection.dialect.name)).distinct()
        rows = connection.execute(query, {"run": owner, **reading(connection)}).all()
    here = process_space()
    return len({item for item, host, pid in rows if host != here or is_alive(pid)})


def drop_own_claim(connection: Connection, key: str) -> None:
    """Give up the claim that this process has on a trial, if it has one."""
    connection.execute(_DROP, {"one": key, "machine": process_space(), "process": os.getpid()})


def _drop(connection: Connection, processes: Iterable[int]) -> bool:
    """Give up what those of this machine's processes had claimed that are gone; whether there were any."""
    dead = [pid for pid in processes if not is_alive(pid)]
    for pid in dead:
        connection.execute(_DROP_ALL, {"machine": process_space(), "process": pid})
    return bool(dead)


def _row(connection: Connection, owner: str, lease_s: float) -> dict[str, Any]:
    """Columns of a claim that begins now besides its key, and the clock's parameters."""
    return {"run": owner, "machine": process_space(), "process": os.getpid(), "lease_s": lease_s} | reading(connection)


# Why trials could not be claimed: they need no run any more, or processes have them, which may be gone.


def _passed_over(
    connection: Connection, keys: Sequence[str], replacing: Mapping[str, int]
) -> tuple[set[str], set[int]]:
    """Subset of `keys` that needs no run, and the numbers of this machine's processes that have others of them.

    keys : no more than fit into one statement. replacing : as in `finished_among`. One statement.
    """
    requested = {**listed(connection, keys), "machine": process_space()}
    rows = connection.execute(_asking(connection.dialect.name), requested).all()
    ended = {row.key for row in rows if row.key is not None and row.number > replacing.get(row.key, 0)}
    return ended, {row.pid for row in rows if row.pid is not None}


@cache
def _asking(dialect: str) -> Any:
    ended = select(attempts.c.key, attempts.c.number, typed(null(), BigInteger).label("pid")).where(
        among(attempts.c.key, dialect), IS_CURRENT, attempts.c.status != Status.INTERRUPTED.value
    )
    held = select(typed(null(), String).label("key"), typed(null(), Integer).label("number"), claims.c.pid).where(
        among(claims.c.key, dialect), claims.c.host == bindparam("machine")
    )
    return ended.union_all(held.distinct())
