"""Stored outcomes read back: whole, their labels alone, or as plain data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row, select

from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.errors import UnknownName
from mvarena.store.database import Database
from mvarena.store.encoding import MOST_LABELS, unpack_floats, unpack_labels
from mvarena.store.runs import runs_of_trial
from mvarena.store.schema import attempts, environments, names, scores, trials, truths
from mvarena.store.schema import labellings as stored
from mvarena.store.trials import IS_CURRENT

if TYPE_CHECKING:
    from mvarena.numerics.kmeans import Labelling

_MOST_LABELS_OF_A_TRIAL = 4 * MOST_LABELS  # of all its restarts: 1 GiB


def labellings(db: Database, key: str) -> list[Labelling]:
    """The labels of each restart of a trial's current outcome, in order; none where it is not done."""
    with db.read() as connection:
        return _labellings(connection, key)


def restarts_of(db: Database, key: str) -> list[int]:
    """The restarts whose labels are kept of a trial's current outcome, in order."""
    query = select(stored.c.restart).join(attempts).where(attempts.c.key == key, IS_CURRENT).order_by(stored.c.restart)
    with db.read() as connection:
        return list(connection.scalars(query))


def truth(db: Database, key: str) -> NDArray[np.int64] | None:
    """The classes of the data of a trial: (n,), -1 where unlabelled; None where there are none, or no outcome."""
    with db.read() as connection:
        return _truth(connection, key)


def achieved_by(db: Database, key: str) -> dict[str, Any]:
    """Record of what a trial's current attempt did to the data (`Outcome.achieved`); empty where there is none."""
    with db.read() as connection:
        text = connection.scalar(select(attempts.c.achieved).where(attempts.c.key == key, IS_CURRENT))
    return {} if text is None else dict(json.loads(text))


def outcome_of(db: Database, key: str) -> Outcome | None:
    """A trial's current outcome as it was recorded, with the scores added since; None if it has none."""
    with db.read() as connection:
        query = select(attempts, environments.c.json).join(environments).where(attempts.c.key == key, IS_CURRENT)
        row = connection.execute(query).first()
        return None if row is None else _outcome(connection, key, row)


def _outcome(connection: Connection, key: str, row: Row[tuple[object, ...]]) -> Outcome:
    value = row._mapping
    same = ("reason", "traceback", "stdout_tail", "stderr_tail", "signal", "started_at", "wall_s", "cpu_s", "fit_s")
    more = ("peak_rss_mb", "n_iter", "converged", "stopped_because", "source_hash")
    return Outcome(
        status=Status(value["status"]),
        **{name: value[name] for name in same + more},
        labellings=tuple(_labellings(connection, key)),
        scores=tuple(_scores(connection, value["id"])),
        truth=_truth(connection, key),
        objective=unpack_floats(value["objective"]),
        achieved=json.loads(value["achieved"]),
        environment=json.loads(value["json"]),
    )


def _labellings(connection: Connection, key: str) -> list[Labelling]:
    query = select(stored.c.labels, stored.c.inertia, truths.c.n_samples).select_from(
        stored.join(attempts).outerjoin(truths, truths.c.id == attempts.c.truth_id)
    )
    rows = connection.execute(query.where(attempts.c.key == key, IS_CURRENT).order_by(stored.c.restart))
    from mvarena.numerics.kmeans import Labelling  # which takes SciPy along

    result: list[Labelling] = []
    left = _MOST_LABELS_OF_A_TRIAL
    for row in rows:
        result.append(Labelling(unpack_labels(row.labels, min(left, row.n_samples or MOST_LABELS)), row.inertia))
        left -= result[-1].labels.size
    return result


def _truth(connection: Connection, key: str) -> NDArray[np.int64] | None:
    query = select(truths.c.labels, truths.c.n_samples).join(attempts).where(attempts.c.key == key, IS_CURRENT)
    row = connection.execute(query).first()
    return None if row is None else unpack_labels(row.labels, row.n_samples)


def _scores(connection: Connection, attempt_id: int) -> list[Score]:
    columns = (scores.c.restart, scores.c.metric, scores.c.metric_version, scores.c.value)
    query = select(*columns).where(scores.c.attempt_id == attempt_id).order_by(scores.c.restart, scores.c.metric)
    return [Score(*row) for row in connection.execute(query)]


# Everything that is stored of one trial, as plain data.


def details(db: Database, key: str) -> dict[str, Any]:
    """Details of a trial: identity, names, runs, every attempt in short, and the current one whole.

    Labels are shown as the sizes of their clusters. Raises UnknownName for a key that is not stored.
    """
    with db.read() as connection:
        trial = connection.execute(select(trials).where(trials.c.key == key)).mappings().first()
        if trial is None:
            raise UnknownName(
                f"There is no trial {key[:12]} in {db.where}; list the trials (mvarena results list --trials)."
            )
        called = connection.execute(select(names).where(names.c.key == key)).mappings().all()
        tried = connection.execute(select(attempts).where(attempts.c.key == key).order_by(attempts.c.number))
        history = [_in_short(row) for row in tried.mappings()]
    identity = json.loads(trial["identity"])
    return {
        "key": key,
        "names": [{"data": item["dataset"], "protocol": item["protocol"]} for item in called],
        "algorithm": " ".join(identity["algorithm"]),
        "parameters": identity["params"],
        "content": identity["content"],
        "corruption": f"{trial['corruption']} at rate {trial['rate']:g}" if identity["corruptions"] else "none",
        "preparation": trial["prepare"] or "none",
        "protocol": identity["protocol"],
        "seed": trial["seed"],
        "repeat": trial["repeat"],
        "picks_by_labels": next((item["picks_by_labels"] for item in called if item["picks_by_labels"]), None),
        "runs": [
            {"began": run.began.isoformat(), "ended": run.how.value, "command": run.command}
            for run in runs_of_trial(db, key)
        ],
        "attempts": history,
        **_current(db, key),
    }


def _in_short(row: Any) -> dict[str, Any]:
    names = ("number", "status", "reason", "wall_s", "source_hash")
    return {"started_at": row["started_at"].isoformat(), **{name: row[name] for name in names}}


def _current(db: Database, key: str) -> dict[str, Any]:
    outcome = outcome_of(db, key)
    if outcome is None:
        return {"status": "never tried"}
    scores: dict[str, list[float | None]] = {}
    for score in outcome.scores:
        scores.setdefault(score.metric, []).append(score.value)
    return {
        "status": outcome.status.value,
        "reason": outcome.reason,
        "seconds": {"wall": outcome.wall_s, "cpu": outcome.cpu_s, "algorithm": outcome.fit_s},
        "peak_memory_mb": outcome.peak_rss_mb,
        "iterations": outcome.n_iter,
        "converged": outcome.converged,
        "stopped_because": outcome.stopped_because,
        "objective": list(outcome.objective),
        "scores": scores,
        "inertias": [labelling.inertia for labelling in outcome.labellings],
        "clusters": [_sizes(labelling.labels) for labelling in outcome.labellings],
        "classes": None if outcome.truth is None else _sizes(outcome.truth),
        "achieved": dict(outcome.achieved),
        "code": outcome.source_hash,
        "environment": dict(outcome.environment),
        "signal": outcome.signal,
        "traceback": outcome.traceback,
        "stdout": outcome.stdout_tail,
        "stderr": outcome.stderr_tail,
    }


def _sizes(labels: Any) -> list[int]:
    """Number of samples of each label, the labels in order."""
    import numpy as np

    return [int(count) for count in np.unique(labels, return_counts=True)[1]]
