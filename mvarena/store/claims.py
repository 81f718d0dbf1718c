"""Claims: two runs on one database share the work and never run a trial twice at the same time.

A claim is a lease. A run renews its own while it lives; when its process on this machine is gone, or its lease has
run out, another run takes the trial over.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, or_, select, update

from mvarena.errors import InvalidSetting
from mvarena.store.columns import Moment
from mvarena.store.connect import insert_for
from mvarena.store.database import Database
from mvarena.store.schema import claims
from mvarena.store.trials import batches, finished_among

_LEASE_S = 60.0

_HERE = claims.c.host == bindparam("machine")
_THAT = and_(_HERE, claims.c.pid == bindparam("process"))
_SOME = claims.c.key.in_(bindparam("keys", expanding=True))
_PIDS = select(claims.c.pid).where(_SOME, _HERE).distinct()
_DROP = delete(claims).where(claims.c.key == bindparam("one"), _THAT)
_DROP_ALL = delete(claims).where(_SOME, _THAT)


def claim(
    db: Database,
    keys: str | Iterable[str],
    owner: str,
    lease_s: float = _LEASE_S,
    *,
    replacing: Mapping[str, int] = MappingProxyType({}),
) -> bool:
    """Take a trial (or all of several, or none) for the run `owner`, for `lease_s` seconds.

    False if another run has it, or if it needs no run any more (ask `finished` which, with the same
    `replacing`). True again for one's own.
    """
    wanted = [keys] if isinstance(keys, str) else sorted(set(keys))
    with db.write() as connection:
        for batch in batches(wanted):
            if finished_among(connection, batch, replacing) or not _take(connection, batch, owner, lease_s):
                connection.rollback()
                return False
    return True


def renew(db: Database, owner: str, lease_s: float = _LEASE_S) -> int:
    """Extend all claims of the run `owner` to `lease_s` seconds from now; returns how many it still has."""
    with db.write() as connection:
        changed = update(claims).where(claims.c.owner == owner).values(expires_at=_expiry(lease_s))
        return connection.execute(changed).rowcount


def release(db: Database, owner: str, keys: str | Iterable[str] | None = None) -> int:
    """Give up the run's claims on `keys`, or all that it has; returns how many there were."""
    with db.write() as connection:
        if keys is None:
            return connection.execute(delete(claims).where(claims.c.owner == owner)).rowcount
        given = [keys] if isinstance(keys, str) else keys
        return sum(
            connection.execute(delete(claims).where(claims.c.owner == owner, claims.c.key.in_(batch))).rowcount
            for batch in batches(given)
        )


def drop_own_claim(connection: Connection, key: str) -> None:
    """Give up the claim that this process has on a trial, if it has one."""
    connection.execute(_DROP, {"one": key, "machine": _host(), "process": os.getpid()})


def _take(connection: Connection, keys: Sequence[str], owner: str, lease_s: float) -> bool:
    for pid in connection.scalars(_PIDS, {"keys": keys, "machine": _host()}).all():
        if not _is_alive(pid):
            connection.execute(_DROP_ALL, {"keys": keys, "machine": _host(), "process": pid})
    row = {
        "owner": owner,
        "host": _host(),
        "pid": os.getpid(),
        "expires_at": _expiry(lease_s),
        "now": datetime.now(UTC),
    }
    statement = _taking(connection.dialect.name)
    # one by one, because only the count of a single row says whether that row was free
    return all(connection.execute(statement, {"key": key, **row}).rowcount == 1 for key in keys)


@cache
def _taking(dialect: str) -> Any:
    """The statement that takes a trial unless another run's lease on it lasts; it counts 1 row or none."""
    given = {column.name: bindparam(column.name, type_=column.type) for column in claims.c}
    insert = insert_for(dialect)(claims).values(given)
    changed = {name: insert.excluded[name] for name in ("owner", "host", "pid", "expires_at")}
    free = or_(claims.c.owner == insert.excluded.owner, claims.c.expires_at <= bindparam("now", type_=Moment))
    taking = insert.on_conflict_do_update(index_elements=["key"], set_=changed, where=free)
    return taking.execution_options(preserve_rowcount=True)


def _is_alive(pid: int) -> bool:
    if os.name != "posix":
        return True  # elsewhere signal 0 is a real one; the lease runs out by itself
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _expiry(lease_s: float) -> datetime:
    if not lease_s > 0:
        raise InvalidSetting(f"a lease must last longer than 0 s, not {lease_s:g} s.")
    return datetime.now(UTC) + timedelta(seconds=lease_s)


def _host() -> str:
    return socket.gethostname()
