"""Statements that claim trials, for SQLite and for PostgreSQL.

Statements are built once: building one anew takes longer than a database takes to run it.

Claims end by the database's clock: one for all who share a database, whatever their own clocks show. PostgreSQL has its
server's. An SQLite file is shared by processes of one machine, and its clock is the seconds since that machine started
(while it was awake), which nobody can set. Such a clock has a name, for after a restart of the machine, or of a copy of
the file elsewhere, it is another one, and what ended by the old one has ended.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Connection,
    Dialect,
    Double,
    Integer,
    String,
    and_,
    bindparam,
    cast,
    exists,
    extract,
    false,
    func,
    literal_column,
    or_,
    select,
    true,
)

from mvarena.contracts.outcome import Status
from mvarena.store.connections import insert_for
from mvarena.store.encoding import ARRAY_OF_KEYS, among, listed
from mvarena.store.schema import attempts, claims, trials
from mvarena.store.trials import finished_among
from mvarena.system.machine_identity import machine

SERVER = "server"

# asked once for each statement, and not as of the transaction's begin: a transaction may have waited for another
_SERVER_NOW = select(cast(extract("epoch", func.clock_timestamp()), Double)).scalar_subquery()


def now(dialect: str) -> ColumnElement[float]:
    """The seconds on the clock of a database of that dialect, as a term of a statement with `reading`'s parameters."""
    return _SERVER_NOW if dialect == "postgresql" else bindparam("now", type_=Double)


def reading(connection: Connection) -> dict[str, Any]:
    """The parameters of a statement that asks what time it is: the clock's name, and the time where it is not asked
    of a server."""
    if connection.dialect.name == "postgresql":
        return {"clock_name": SERVER}
    return {"clock_name": machine(), "now": time.monotonic()}


# the columns of a claim besides its key -> the parameters of the statements that take one
_COLUMNS = {"owner": "run", "host": "machine", "pid": "process", "clock": "clock_name"}
_MOST = bindparam("most", type_=Integer)
_AGAIN, _NUMBERS = bindparam("again", type_=ARRAY(String)), bindparam("numbers", type_=ARRAY(Integer))


def has_ended(dialect: str) -> ColumnElement[bool]:
    """The condition on `claims` for a lease that has run out, by the parameters of `reading`."""
    return or_(claims.c.expires_at <= now(dialect), claims.c.clock != bindparam("clock_name", type_=String))


def is_held(dialect: str) -> ColumnElement[bool]:
    """The condition on `claims` for one that another run than `owner` has and that lasts."""
    return and_(claims.c.owner != bindparam("run", type_=String), ~has_ended(dialect))


def take(
    connection: Connection, keys: Sequence[str], most: int, row: Mapping[str, Any], replacing: Mapping[str, int]
) -> list[str]:
    """Claim the first `most` of the registered trials `keys` that are free and need a run; fewer only where no more do.

    row : the parameters run, machine, process, lease_s and those of the clock. replacing : as `finished_among` has it.
    Returns the keys in any order. On PostgreSQL, where another run claims a trial, runs it and records its outcome all
    while this one statement is executed, the trial may be taken a second time.
    """
    if connection.dialect.name == "postgresql":
        again = [key for key in keys if key in replacing] if replacing else []
        numbers = [replacing[key] for key in again]
        given = {**row, **listed(connection, keys), "most": most, "again": again, "numbers": numbers}
        text, fixed = _compiled(connection.dialect)
        return [item[0] for item in connection.exec_driver_sql(text, {**fixed, **given})]
    held = set(connection.scalars(_held(), {**row, **listed(connection, keys)}))
    free = [key for key in keys if key not in held]
    wanted, size = list[str](), most
    while free and len(wanted) < most:
        some, free, size = free[:size], free[size:], len(free)  # the first are mostly enough
        ended = finished_among(connection, some, replacing)
        wanted += [key for key in some if key not in ended]
    return _add(connection, wanted[:most], row)


def _add(connection: Connection, keys: list[str], row: Mapping[str, Any]) -> list[str]:
    """Claim `keys`, which are free, on SQLite, where this transaction is the only one that writes."""
    if keys:
        connection.execute(_adding(), [{**row, "one": key} for key in keys])
    return keys


@cache
def _held() -> Any:
    return select(claims.c.key).where(among(claims.c.key, "sqlite"), is_held("sqlite"))


@cache
def _adding() -> Any:
    insert = insert_for("sqlite")(claims).values({"key": bindparam("one"), **_given("sqlite")})
    changed = {name: insert.excluded[name] for name in _given("sqlite")}
    return insert.on_conflict_do_update(index_elements=["key"], set_=changed)


@lru_cache(maxsize=8)
def _compiled(dialect: Dialect) -> tuple[str, dict[str, Any]]:
    """`_skipping_locked` as the driver takes it, and the parameters that are always the same: all of its types are the
    driver's own, and SQLAlchemy takes as long over each of them as the server over the whole."""
    compiled = _skipping_locked().compile(dialect=dialect)
    return compiled.string, {name: value for name, value in compiled.params.items() if value is not None}


@cache
def _skipping_locked() -> Any:
    """The insertion of claims on the first that are free; it returns those on which no other's lease lasts after all.

    FOR NO KEY UPDATE is the lock that outcomes which refer to a trial need not wait for.
    """
    wanted = func.unnest(ARRAY_OF_KEYS).table_valued("key", with_ordinality="place").render_derived("wanted")
    held = exists().where(and_(claims.c.key == trials.c.key, is_held("postgresql")))
    free = select(trials.c.key).join(wanted, wanted.c.key == trials.c.key).where(~held, ~_is_finished())
    free = free.order_by(wanted.c.place).limit(_MOST)
    keys = free.with_for_update(of=trials, skip_locked=True, key_share=True).cte("free")
    given = _given("postgresql")
    insert = insert_for("postgresql")(claims).from_select(["key", *given], select(keys.c.key, *given.values()))
    changed = {name: insert.excluded[name] for name in given}
    adding = insert.on_conflict_do_update(index_elements=["key"], set_=changed, where=~is_held("postgresql"))
    # not waiting for the disk: what a server forgets that breaks down here is who was to run a trial, and whoever runs
    # one twice stores one outcome; set for this transaction alone
    return adding.returning(claims.c.key, func.set_config("synchronous_commit", "off", true()))


def _is_finished() -> ColumnElement[bool]:
    """The condition on `trials` for one that needs no run, as `trials.is_finished` has it.

    A term of its own for each trial: joined, a server that does not know yet how many outcomes there are reads them
    all for each claim.
    """
    again = func.unnest(_AGAIN, _NUMBERS).table_valued("key", "number").render_derived("again")
    replaced = select(again.c.number).where(again.c.key == attempts.c.key).scalar_subquery()
    ended = attempts.c.status != literal_column(f"'{Status.INTERRUPTED.value}'")  # all others are settled or failures
    counts = and_(ended, attempts.c.number > func.coalesce(replaced, 0))
    latest = select(counts).where(attempts.c.key == trials.c.key).order_by(attempts.c.number.desc()).limit(1)
    return func.coalesce(latest.correlate(trials).scalar_subquery(), false())


def _given(dialect: str) -> dict[str, ColumnElement[Any]]:
    """Columns stored with a key, as terms."""
    given = {name: bindparam(parameter, type_=claims.c[name].type) for name, parameter in _COLUMNS.items()}
    return {**given, "expires_at": expiry(dialect)}


def expiry(dialect: str) -> ColumnElement[float]:
    """End of a lease of the parameter `lease_s` seconds that begins now."""
    return now(dialect) + bindparam("lease_s", type_=claims.c.expires_at.type)
