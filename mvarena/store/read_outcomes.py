"""What is stored of one trial, read back: the whole outcome, or its labels alone."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row, select

from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.errors import UnknownName
from mvarena.numerics.kmeans import Labelling
from mvarena.store.database import Database
from mvarena.store.encoding import unpack_floats, unpack_labels
from mvarena.store.runs import runs_of_trial
from mvarena.store.schema import attempts, environments, names, scores, trials, truths
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


# Everything that is stored of one trial, as plain data.


def details(db: Database, key: str) -> dict[str, Any]:
    """What identifies a trial, what it is called, who asked for it, every attempt in short, and the current one whole.

    Labels are shown as the sizes of their clusters. Raises UnknownName for a key that is not stored.
    """
    with db.read() as connection:
        trial = connection.execute(select(trials).where(trials.c.key == key)).mappings().first()
        if trial is None:
            raise UnknownName(f"There is no trial {key[:12]} in {db.where}; list the trials.")
        called = connection.execute(select(names).where(names.c.key == key)).mappings().all()
        tried = connection.execute(select(attempts).where(attempts.c.key == key).order_by(attempts.c.number))
        history = [_in_short(row) for row in tried.mappings()]
    identity = json.loads(trial["identity"])
    return {
        "key": key,
        "names": [{"data": one["dataset"], "protocol": one["protocol"]} for one in called],
        "algorithm": " ".join(identity["algorithm"]),
        "parameters": identity["params"],
        "content": identity["content"],
        "corruption": f"{trial['corruption']} at rate {trial['rate']:g}" if identity["corruptions"] else "none",
        "preparation": trial["prepare"] or "none",
        "protocol": identity["protocol"],
        "seed": trial["seed"],
        "repeat": trial["repeat"],
        "picks_by_labels": next((one["picks_by_labels"] for one in called if one["picks_by_labels"]), None),
        "runs": [
            {"began": one.began.isoformat(), "ended": one.how.value, "command": one.command}
            for one in runs_of_trial(db, key)
        ],
        "attempts": history,
        **_current(db, key),
    }


def _in_short(row: Any) -> dict[str, Any]:
    names = ("number", "status", "reason", "wall_s", "source_hash")
    return {"started_at": row["started_at"].isoformat(), **{name: row[name] for name in names}}


def _current(db: Database, key: str) -> dict[str, Any]:
    found = outcome_of(db, key)
    if found is None:
        return {"status": "never tried"}
    scores: dict[str, list[float | None]] = {}
    for one in found.scores:
        scores.setdefault(one.metric, []).append(one.value)
    return {
        "status": found.status.value,
        "reason": found.reason,
        "seconds": {"wall": found.wall_s, "cpu": found.cpu_s, "algorithm": found.fit_s},
        "peak_memory_mb": found.peak_rss_mb,
        "iterations": found.n_iter,
        "converged": found.converged,
        "stopped_because": found.stopped_because,
        "objective": list(found.objective),
        "scores": scores,
        "inertias": [one.inertia for one in found.labellings],
        "clusters": [_sizes(one.labels) for one in found.labellings],
        "classes": None if found.truth is None else _sizes(found.truth),
        "achieved": dict(found.achieved),
        "code": found.source_hash,
        "environment": dict(found.environment),
        "signal": found.signal,
        "traceback": found.traceback,
        "stdout": found.stdout_tail,
        "stderr": found.stderr_tail,
    }


def _sizes(labels: Any) -> list[int]:
    """How many samples each label has, the labels in order."""
    import numpy as np

    return [int(count) for count in np.unique(labels, return_counts=True)[1]]
