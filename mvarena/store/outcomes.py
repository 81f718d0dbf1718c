"""What is stored of one trial, read back: the whole outcome, or its labels alone."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row, select

from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.numerics.kmeans import Labelling
from mvarena.store.codec import unpack_floats, unpack_labels
from mvarena.store.database import Database
from mvarena.store.schema import attempts, environments, scores, truths
from mvarena.store.schema import labellings as stored
from mvarena.store.trials import IS_CURRENT


def labellings(db: Database, key: str) -> list[Labelling]:
    """The labels of each restart of a trial's current outcome, in order; none where it is not done."""
    with db.read() as connection:
        return _labellings(connection, key)


def truth(db: Database, key: str) -> NDArray[np.int64] | None:
    """The classes of the data of a trial: (n,), -1 where unlabelled; None where there are none, or no outcome."""
    with db.read() as connection:
        return _truth(connection, key)


def outcome_of(db: Database, key: str) -> Outcome | None:
    """A trial's current outcome as it was recorded, with the scores added since; None if it has none."""
    with db.read() as connection:
        query = select(attempts, environments.c.json).join(environments).where(attempts.c.key == key, IS_CURRENT)
        row = connection.execute(query).first()
        return None if row is None else _outcome(connection, key, row)


def _outcome(connection: Connection, key: str, row: Row[tuple[object, ...]]) -> Outcome:
    found = row._mapping
    same = ("reason", "traceback", "stdout_tail", "stderr_tail", "signal", "started_at", "wall_s", "cpu_s", "fit_s")
    more = ("peak_rss_mb", "n_iter", "converged", "stopped_because", "source_hash")
    return Outcome(
        status=Status(found["status"]),
        **{name: found[name] for name in same + more},
        labellings=tuple(_labellings(connection, key)),
        scores=tuple(_scores(connection, found["id"])),
        truth=_truth(connection, key),
        objective=unpack_floats(found["objective"]),
        achieved=json.loads(found["achieved"]),
        environment=json.loads(found["json"]),
    )


def _labellings(connection: Connection, key: str) -> list[Labelling]:
    query = select(stored.c.labels, stored.c.inertia).join(attempts)
    rows = connection.execute(query.where(attempts.c.key == key, IS_CURRENT).order_by(stored.c.restart))
    return [Labelling(unpack_labels(row.labels), row.inertia) for row in rows]


def _truth(connection: Connection, key: str) -> NDArray[np.int64] | None:
    blob = connection.scalar(select(truths.c.labels).join(attempts).where(attempts.c.key == key, IS_CURRENT))
    return None if blob is None else unpack_labels(blob)


def _scores(connection: Connection, attempt_id: int) -> list[Score]:
    columns = (scores.c.restart, scores.c.metric, scores.c.metric_version, scores.c.value)
    query = select(*columns).where(scores.c.attempt_id == attempt_id).order_by(scores.c.restart, scores.c.metric)
    return [Score(*row) for row in connection.execute(query)]
