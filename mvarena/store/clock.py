"""The database's clock, by which claims end: one for all who share a database, whatever their own clocks show.

PostgreSQL has its server's. An SQLite file is shared by processes of one machine, and its clock is the seconds since
that machine started (while it was awake), which nobody can set. Such a clock has a name, for after a restart of the
machine, or of a copy of the file elsewhere, it is another one, and what ended by the old one has ended.
"""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import ColumnElement, Connection, Double, bindparam, cast, extract, func, select

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
