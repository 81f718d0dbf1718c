"""Stored outcomes read back: whole, their labels alone, or as plain data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Row, select

from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.errors import UnknownName
from mvarena.store.database import Database
from mvarena.store.descriptions import described_trials
from mvarena.store.encoding import unpack_floats, unpack_labels
from mvarena.store.runs import runs_of_trial
from mvarena.store.schema import (
    TEXTS,
    attempts,
    environments,
    methods,
    metrics,
    names,
    protocols,
    scores,
    sources,
    texts,
    trials,
    truths,
)
from mvarena.store.schema import labellings as stored
from mvarena.store.trials import IS_CURRENT

if TYPE_CHECKING:
    from mvarena.numerics.kmeans import Labelling


def labellings(db: Database, key: str) -> list[Labelling]:
    """The labels that are kept of a trial's current outcome, in the order of the restarts: of the one that counts, of
    all where the run kept them, or none."""
    with db.read() as connection:
        return _labellings(connection, key)


def counted_labelling(db: Database, key: str) -> Labelling | None:
    """The labels of the restart that counts of a trial's current outcome; None where none are kept."""
    with db.read() as connection:
        return next(iter(_labellings(connection, key, stored.c.restart == attempts.c.restart)), None)


def keys_with_labels(db: Database) -> set[str]:
    """Keys of the trials of whose current outcome labels are kept."""
    query = select(trials.c.key).distinct().select_from(stored.join(attempts).join(trials)).where(IS_CURRENT)
    with db.read() as connection:
        return set(connection.scalars(query))


def truth(db: Database, key: str) -> NDArray[np.int64] | None:
    """The classes of the data of a trial: (n,), -1 where unlabelled; None where there are none, or no outcome."""
    with db.read() as connection:
        return _truth(connection, key)


def outcome_of(db: Database, key: str) -> Outcome | None:
    """A trial's current outcome as it was recorded, with the scores added since; None if it has none."""
    with db.read() as connection:
        query = select(attempts, environments.c.json).join(environments).join(trials)
        row = connection.execute(query.where(trials.c.key == key, IS_CURRENT)).first()
        return None if row is None else _outcome(connection, key, row)


def _outcome(connection: Connection, key: str, row: Row[Any]) -> Outcome:
    value = row._mapping
    of_texts = select(texts.c.id, texts.c.text).where(texts.c.id.in_([value[name] for name in TEXTS]))
    known = {one.id: one.text for one in connection.execute(of_texts)}
    shared = {name: known.get(value[name], "") for name in TEXTS}
    achieved, code = shared.pop("achieved"), shared.pop("code")
    own = ("signal", "started_at", "wall_s", "cpu_s", "fit_s", "peak_rss_mb", "n_iter", "converged")
    return Outcome(
        status=Status(value["status"]),
        **{name: value[name] for name in own},
        **shared,
        labellings=tuple(_labellings(connection, key)),
        restart=value["restart"] or 0,
        scores=tuple(_scores(connection, value["id"])),
        truth=_truth(connection, key),
        objective=unpack_floats(value["objective"] or b""),
        achieved=json.loads(achieved) if achieved else {},
        environment=json.loads(value["json"]),
        source_hash=code,
    )


def _labellings(connection: Connection, key: str, *where: ColumnElement[bool]) -> list[Labelling]:
    query = select(stored.c.labels, stored.c.inertia).select_from(stored.join(attempts).join(trials))
    rows = connection.execute(query.where(trials.c.key == key, IS_CURRENT, *where).order_by(stored.c.restart))
    from mvarena.numerics.kmeans import Labelling  # which takes SciPy along

    return [Labelling(unpack_labels(row.labels), row.inertia) for row in rows]


def _truth(connection: Connection, key: str) -> NDArray[np.int64] | None:
    query = select(truths.c.labels).join(attempts, attempts.c.truth == truths.c.id).join(trials)
    packed = connection.scalar(query.where(trials.c.key == key, IS_CURRENT))
    return None if packed is None else unpack_labels(packed)


def _scores(connection: Connection, attempt: int) -> list[Score]:
    columns = (metrics.c.name, metrics.c.version, scores.c.value, scores.c.spread)
    query = select(*columns).select_from(scores.join(metrics, metrics.c.id == scores.c.metric))
    return [
        Score(*row) for row in connection.execute(query.where(scores.c.attempt == attempt).order_by(metrics.c.name))
    ]


# Everything that is stored of one trial, as plain data.


def details(db: Database, key: str) -> dict[str, Any]:
    """Details of a trial: identity, names, runs, every attempt in short, and the current one whole.

    Labels are shown as the sizes of their clusters. Raises UnknownName for a key that is not stored.
    """
    with db.read() as connection:
        found = next(described_trials(connection, trials.c.key == key), None)
        if found is None:
            raise UnknownName(
                f"There is no trial {key[:12]} in {db.where}; list the trials (mvarena results list --trials)."
            )
        trial = found[1]
        of_trial = trials.c.key == key
        called = connection.execute(
            select(sources.c.name.label("data"), protocols.c.name.label("protocol"))
            .select_from(names.join(trials).join(sources).join(protocols, protocols.c.id == names.c.protocol))
            .where(of_trial)
        )
        listed = [dict(row._mapping) for row in called]
        picked = connection.scalar(select(methods.c.picks_by_labels).join(trials).where(of_trial))
        tried = connection.execute(_HISTORY.where(of_trial).order_by(attempts.c.number))
        history = [dict(row) | {"started_at": row["started_at"].isoformat()} for row in tried.mappings()]
    identity = trial.identity()
    return {
        "key": key,
        "names": listed,
        "algorithm": f"{trial.algorithm} {trial.algorithm_version}",
        "parameters": identity["params"],
        "content": trial.content,
        "corruption": f"{trial.corruption} at rate {trial.rate:g}" if trial.corruptions else "none",
        "preparation": ",".join(map(str, trial.prepare)) or "none",
        "protocol": identity["protocol"],
        "seed": trial.seed,
        "repeat": trial.repeat,
        "picks_by_labels": picked,
        "runs": [
            {"began": run.began.isoformat(), "ended": run.how.value, "command": run.command}
            for run in runs_of_trial(db, key)
        ],
        "attempts": history,
        **_current(db, key),
    }


_HISTORY = select(*(attempts.c[name] for name in ("number", "status", "wall_s", "started_at"))).join(trials)


def _current(db: Database, key: str) -> dict[str, Any]:
    outcome = outcome_of(db, key)
    if outcome is None:
        return {"status": "never tried"}
    counted = outcome.counted
    return {
        "status": outcome.status.value,
        "reason": outcome.reason,
        "seconds": {"wall": outcome.wall_s, "cpu": outcome.cpu_s, "algorithm": outcome.fit_s},
        "peak_memory_mb": outcome.peak_rss_mb,
        "iterations": outcome.n_iter,
        "converged": outcome.converged,
        "stopped_because": outcome.stopped_because,
        "objective": list(outcome.objective),
        "scores": {score.metric: score.value for score in outcome.scores},
        "spreads": {score.metric: score.spread for score in outcome.scores if score.spread == score.spread},
        "inertia": None if counted is None else counted.inertia,
        "clusters": None if counted is None else _sizes(counted.labels),
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
    return [int(count) for count in np.unique(labels, return_counts=True)[1]]
