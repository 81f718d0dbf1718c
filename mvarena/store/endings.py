"""How stored trials ended, one row per trial: when, on what, after how many iterations, with which traceback."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pandas as pd
from sqlalchemy import select

from mvarena.store.codec import unpack_floats
from mvarena.store.database import Database
from mvarena.store.schema import attempts, environments
from mvarena.store.trials import IS_CURRENT, batches

ENDING_COLUMNS = (
    "key", "started_at", "cpu_s", "n_iter", "converged", "stopped_because", "traceback", "stderr_tail", "signal",
    "environment_id",
)  # fmt: skip


def endings_frame(db: Database, keys: Iterable[str] | None = None) -> pd.DataFrame:
    """One row per trial of `keys` (None: all) that has an outcome, columns ENDING_COLUMNS.

    Cost: one statement, or one for each 5000 keys.
    """
    query = select(*(attempts.c[name] for name in ENDING_COLUMNS)).where(IS_CURRENT)
    parts = [query] if keys is None else [query.where(attempts.c.key.in_(batch)) for batch in batches(keys)]
    with db.read() as connection:
        rows = [tuple(row) for part in parts for row in connection.execute(part).fetchall()]
    return pd.DataFrame(rows, columns=list(ENDING_COLUMNS))


def environments_by_id(db: Database) -> dict[str, dict[str, Any]]:
    """Every environment that is stored: versions, machine, threads."""
    with db.read() as connection:
        rows = connection.execute(select(environments.c.id, environments.c.json)).fetchall()
    return {str(row.id): json.loads(row.json) for row in rows}


def objectives(db: Database, keys: Iterable[str]) -> dict[str, tuple[float, ...]]:
    """Key -> the objective of each iteration, for the trials of `keys` that have one."""
    query = select(attempts.c.key, attempts.c.objective).where(IS_CURRENT)
    with db.read() as connection:
        rows = [row for batch in batches(keys) for row in connection.execute(query.where(attempts.c.key.in_(batch)))]
    return {str(row.key): unpack_floats(row.objective) for row in rows if row.objective}
