"""Connections that have rested may have been closed by their server, as when it was started anew: they are tried out.

SQLAlchemy's own `pool_pre_ping` asks the server each time that a connection is used, which is a round trip more for
each claim and each outcome.
"""

from __future__ import annotations

import math
import time
from functools import partial
from typing import Any

from sqlalchemy import Dialect, Engine, event
from sqlalchemy.exc import DisconnectionError

_RESTED_S = 1.0
_SINCE = "rests since"


def try_out_rested(engine: Engine) -> None:
    """Have the engine's pool replace a connection that has not been used for a second and is closed."""
    event.listen(engine, "checkin", _note)
    event.listen(engine, "checkout", partial(_try_out, engine.dialect))


def _note(_: Any, entry: Any) -> None:
    entry.info[_SINCE] = time.monotonic()


def _try_out(dialect: Dialect, connection: Any, entry: Any, _: Any) -> None:
    if time.monotonic() - entry.info.get(_SINCE, math.inf) < _RESTED_S:  # one that has just been made rests in future
        return
    try:
        dialect.do_ping(connection)
    except dialect.loaded_dbapi.Error as error:
        raise DisconnectionError("the server has closed the connection") from error
