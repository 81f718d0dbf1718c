"""Why trials could not be claimed: they need no run any more, or processes have them, which may be gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Connection, Integer, String, bindparam, null, select
from sqlalchemy import cast as typed

from mvarena.contracts.outcome import Status
from mvarena.store.clock import process_space
from mvarena.store.key_lists import among, listed
from mvarena.store.schema import attempts, claims
from mvarena.store.trials import IS_CURRENT


class PassedOver(NamedTuple):
    """ended : those that need no run. holders : the numbers of this machine's processes that have others of them."""

    ended: set[str]
    holders: set[int]


def passed_over(connection: Connection, keys: Sequence[str], replacing: Mapping[str, int]) -> PassedOver:
    """What became of `keys`, no more than fit into one statement; `replacing` as `finished` has it. One statement."""
    asked = {**listed(connection, keys), "machine": process_space()}
    rows = connection.execute(_asking(connection.dialect.name), asked).all()
    return PassedOver(
        {row.key for row in rows if row.key is not None and row.number > replacing.get(row.key, 0)},
        {row.pid for row in rows if row.pid is not None},
    )


@cache
def _asking(dialect: str) -> Any:
    ended = select(attempts.c.key, attempts.c.number, typed(null(), BigInteger).label("pid")).where(
        among(attempts.c.key, dialect), IS_CURRENT, attempts.c.status != Status.INTERRUPTED.value
    )
    held = select(typed(null(), String).label("key"), typed(null(), Integer).label("number"), claims.c.pid).where(
        among(claims.c.key, dialect), claims.c.host == bindparam("machine")
    )
    return ended.union_all(held.distinct())
