"""The rates that corruptions reached in stored trials: one row per mask and view."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pandas as pd
from sqlalchemy import select

from mvarena.contracts.outcome import Status
from mvarena.store.database import Database
from mvarena.store.schema import attempts, names, trials
from mvarena.store.trials import IS_CURRENT, batches

COLUMNS = (
    "dataset", "content", "corruption", "rate", "seed", "repeat", "view", "missing", "changed_rows", "snr",
    "incomplete",
)  # fmt: skip
_OF_TRIAL = ("content", "corruption", "rate", "seed", "repeat")


def achieved_frame(db: Database, *, keys: Iterable[str] | None = None) -> pd.DataFrame:
    """One row per data set, content, corruption, rate, repeat and view, columns COLUMNS: fractions, and a linear SNR.

    keys : only of these trials (None: all). All algorithms see the same masks, so one finished trial stands for those
    of every algorithm. content : the fingerprint of the data, which two data sets of one name do not share.
    """
    columns = (names.c.dataset, *(trials.c[name] for name in _OF_TRIAL), attempts.c.achieved)
    query = select(*columns).select_from(trials.join(names).join(attempts))
    query = query.where(IS_CURRENT, attempts.c.status == Status.DONE)
    parts = [query] if keys is None else [query.where(trials.c.key.in_(batch)) for batch in batches(keys)]
    with db.read() as connection:
        found = {row[:-1]: row.achieved for part in parts for row in connection.execute(part).fetchall()}
    rows = []
    for point, text in sorted(found.items()):
        achieved = json.loads(text)
        for view, did in achieved.get("views", {}).items():
            rows.append((*point, view, did["missing"], did["changed_rows"], did["snr"], achieved["incomplete"]))
    return pd.DataFrame(rows, columns=list(COLUMNS))
