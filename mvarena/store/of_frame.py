"""The trials of a frame as a database in memory, so that one filter language serves both."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from mvarena.store.database import Database
from mvarena.store.schema import attempts, metadata, names, trials

_MOMENT = datetime(1970, 1, 1, tzinfo=UTC)


def database_of_frame(frame: pd.DataFrame) -> Database:
    """Database with the columns of the long form that filters use: trials, names and current attempts.

    A frame does not say when a trial began. Cost: O(trials).
    """
    engine = create_engine("sqlite://", poolclass=StaticPool)
    metadata.create_all(engine)
    rows: list[dict[str, Any]] = frame.drop_duplicates(["key", "dataset", "protocol"]).to_dict("records")
    unique = {row["key"]: row for row in rows}
    named = {(row["key"], row["dataset"], row["protocol"]): row for row in rows}
    with engine.begin() as connection:
        for table, result in ((trials, unique), (names, named), (attempts, unique)):
            if result:
                connection.execute(table.insert(), [_row(table, row) for row in result.values()])
    return Database(engine, Path(":memory:"), readonly=True, patience=0.0)


def _row(table: Any, row: dict[str, Any]) -> dict[str, Any]:
    """The columns of the table that the frame has, and something for the rest that may not be empty."""
    known = row | {"number": row["attempt"], "started_at": _MOMENT, "source": None, "picks_by_labels": None}
    values = {column.name: known.get(column.name) for column in table.c if column.name != "id"}
    return {
        name: _EMPTY.get(name, "") if value is None and not table.c[name].nullable else value
        for name, value in values.items()
    }


_EMPTY: dict[str, Any] = {"objective": b"", "n_iter": 0, "converged": False}
