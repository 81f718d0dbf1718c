"""The database's clock, by which claims end: one for all who share a database, whatever their own clocks show.

PostgreSQL has its server's. An SQLite file is shared by processes of one machine, and its clock is the seconds since
that machine started (while it was awake), which nobody can set. Such a clock has a name, for after a restart of the
machine, or of a copy of the file elsewhere, it is another one, and what ended by the old one has ended.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Double, bindparam, cast, extract, func, select

SERVER = "server"
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_PROCESS_SPACE = Path("/proc/self/ns/pid")

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


@cache
def machine() -> str:
    """This machine since it was started: another text after every start."""
    if _BOOT.is_file():
        return _BOOT.read_text().strip()
    if sys.platform == "darwin":
        asked = ["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"]
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() or socket.gethostname()
    return socket.gethostname()


@cache
def process_space() -> str:
    """Where the number of a process means one process: on this machine since its start, within this container."""
    try:
        inside = os.readlink(_PROCESS_SPACE)
    except OSError:
        inside = ""
    return f"{socket.gethostname()} {machine()} {inside}".strip()
