"""How stored trials were fitted, one row per trial: iterations, the objective's course, sizes, scaling decisions."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pandas as pd
from sqlalchemy import select

from mvarena.contracts.outcome import Status
from mvarena.store.codec import unpack_floats
from mvarena.store.database import Database
from mvarena.store.schema import attempts
from mvarena.store.trials import IS_CURRENT, batches
from mvarena.system.garbage_collection import uncollected

FIT_COLUMNS = ("key", "n_samples", "n_iter", "converged", "stopped_because", "objective", "decided")


@uncollected()
def fits_frame(db: Database, keys: Iterable[str]) -> pd.DataFrame:
    """One row per finished trial of `keys`, columns FIT_COLUMNS.

    n_samples : <NA> where the outcome does not say. objective : a tuple, empty for a method that has none.
    decided : transform -> view -> what it took the view for and did; empty where the outcome does not say.
    Cost: one statement for each 5000 keys.
    """
    columns = [attempts.c[name] for name in ("key", "n_iter", "converged", "stopped_because", "objective", "achieved")]
    query = select(*columns).where(IS_CURRENT, attempts.c.status == Status.DONE)
    rows = []
    with db.read() as connection:
        for batch in batches(keys):
            rows += [_row(*row) for row in connection.execute(query.where(attempts.c.key.in_(batch)))]
    frame = pd.DataFrame(rows, columns=list(FIT_COLUMNS))
    return frame.astype({"n_samples": "Int64", "n_iter": "int64", "converged": bool})


def _row(key: str, n_iter: int, converged: bool, why: str, objective: bytes, achieved: str) -> tuple[Any, ...]:
    said = json.loads(achieved)
    counts, decided = said.get("samples_by_missing_views"), said.get("decided")
    n_samples = sum(counts) if isinstance(counts, list) else None
    return (
        key,
        n_samples,
        n_iter,
        converged,
        why,
        unpack_floats(objective),
        decided if isinstance(decided, dict) else {},
    )
