"""Everything that is stored of one trial, as plain data."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import select

from mvarena.errors import UnknownName
from mvarena.store.database import Database
from mvarena.store.outcomes import outcome_of
from mvarena.store.run_history import runs_of_trial
from mvarena.store.schema import attempts, names, trials


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
