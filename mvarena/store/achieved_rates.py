"""The rates that corruptions reached in stored trials: one row per mask and view."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import pandas as pd
from sqlalchemy import ColumnElement, select

from mvarena.contracts.outcome import Status
from mvarena.store.database import Database
from mvarena.store.schema import attempts, names, trials
from mvarena.store.trials import IS_CURRENT

COLUMNS = ("dataset", "corruption", "rate", "seed", "repeat", "view", "missing", "changed_rows", "snr", "incomplete")


def achieved_frame(
    db: Database, *, datasets: Iterable[str] | None = None, where: Sequence[ColumnElement[bool]] = ()
) -> pd.DataFrame:
    """One row per data set, corruption, rate, trial and view, columns COLUMNS: fractions, and a linear SNR.

    All algorithms see the same masks, so one finished trial stands for those of every algorithm.
    where : only of the trials that a filter stands for (`mvarena.store.filters.chosen`).
    """
    columns = (names.c.dataset, trials.c.corruption, trials.c.rate, trials.c.seed, trials.c.repeat, attempts.c.achieved)
    query = select(*columns).select_from(trials.join(names).join(attempts))
    query = query.where(IS_CURRENT, attempts.c.status == Status.DONE, *where)
    if datasets is not None:
        query = query.where(names.c.dataset.in_(list(datasets)))
    with db.read() as connection:
        found = {row[:5]: row.achieved for row in connection.execute(query).fetchall()}
    rows = []
    for point, text in sorted(found.items()):
        achieved = json.loads(text)
        for view, did in achieved.get("views", {}).items():
            rows.append((*point, view, did["missing"], did["changed_rows"], did["snr"], achieved["incomplete"]))
    return pd.DataFrame(rows, columns=list(COLUMNS))
