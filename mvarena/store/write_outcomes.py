"""Recording: an outcome goes in whole, in one transaction, and is never changed afterwards."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
from sqlalchemy import Connection, Table, and_, bindparam, exists, select

from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.contracts.source import Source
from mvarena.contracts.trial import Trial
from mvarena.errors import StoreError
from mvarena.store import schema
from mvarena.store.connections import insert_for
from mvarena.store.contents import truth_digest
from mvarena.store.database import Database
from mvarena.store.encoding import canonical_json, fingerprint, pack_floats, pack_labels
from mvarena.store.trials import ENDED, IS_CURRENT, SETTLED, register_within

_TEXTS = ("reason", "traceback", "stderr_tail")
_ADD_ATTEMPT = schema.attempts.insert()
_ADD_LABELLINGS = schema.labellings.insert()
_ADD_SCORES = schema.scores.insert()
_OF_KEY = and_(schema.attempts.c.key == bindparam("one"), IS_CURRENT)
_LATEST = select(schema.attempts.c.number, schema.attempts.c.status).where(_OF_KEY)
_DONE = select(schema.attempts.c.id).where(_OF_KEY, schema.attempts.c.status == Status.DONE.value)
_NAMED = and_(
    schema.names.c.key == schema.trials.c.key,
    schema.names.c.dataset == bindparam("dataset"),
    schema.names.c.protocol == bindparam("protocol"),
)
# where several transactions write at once, on a server, whoever locks the trial's row goes first
_REGISTERED = (
    select(exists().where(_NAMED)).where(schema.trials.c.key == bindparam("one")).with_for_update(of=schema.trials)
)
_SCORED = select(schema.scores.c.restart, schema.scores.c.metric, schema.scores.c.metric_version).where(
    schema.scores.c.attempt_id == bindparam("one")
)


def record(db: Database, trial: Trial, outcome: Outcome, replaces: int = 0) -> bool:
    """Store what became of a trial, in one transaction. The first outcome stays, of whichever run.

    replaces : the number of the attempt that was run again on purpose; the new one takes its place, and it stays beside
        it unchanged. An interrupted run takes no settled attempt's place.
    Returns False, and stores no second outcome, if the trial has ended already (in another run).
    Raises StoreError if it cannot be stored; all that was stored before is then still there.
    Cost: O(restarts x (n + metrics)).
    """
    environment = canonical_json(dict(outcome.environment))
    truth = _truth_row(outcome)
    attempt = _attempt_row(trial.key, outcome)
    attempt |= {name: without_folders(attempt[name], trial.source) for name in _TEXTS}
    attempt |= {"environment_id": fingerprint(environment), "truth_id": None if truth is None else truth["id"]}
    labellings = [
        {
            "restart": restart,
            "labels": pack_labels(item.labels),
            "inertia": item.inertia,
            "n_labels": len(np.unique(item.labels)),
        }
        for restart, item in enumerate(outcome.labellings)
    ]
    with db.write() as connection:
        _lock(connection, trial)
        number = _next_number(connection, trial.key, outcome.status, replaces)
        if number is None:
            return False
        insert_missing(connection, schema.environments, {"id": attempt["environment_id"], "json": environment})
        if truth is not None:
            insert_missing(connection, schema.truths, truth)
        added = connection.execute(_ADD_ATTEMPT, attempt | {"number": number}).inserted_primary_key
        assert added is not None
        attempt_id: int = added[0]
        if labellings:
            connection.execute(_ADD_LABELLINGS, [{"attempt_id": attempt_id, **row} for row in labellings])
        if outcome.scores:
            connection.execute(_ADD_SCORES, [_score_row(attempt_id, score) for score in outcome.scores])
    return True


def add_scores(db: Database, key: str, scores: Iterable[Score]) -> int:
    """Add scores to a trial that is done: metrics that were asked for later, or whose version was raised.

    A score of the same metric and version is left as it is. Returns how many were written.
    Raises StoreError if the trial is not done.
    """
    with db.write() as connection:
        attempt_id = connection.scalar(_DONE, {"one": key})
        if attempt_id is None:
            raise StoreError(f"the trial {key[:12]} is not done in {db.where}, so it has no labels to score; run it.")
        known = {(row[0], row[1]): row[2] for row in connection.execute(_SCORED, {"one": attempt_id})}
        rows = [
            _score_row(attempt_id, score)
            for score in scores
            if known.get((score.restart, score.metric)) != score.metric_version
        ]
        if rows:
            connection.execute(_scoring(connection.dialect.name), rows)
        return len(rows)


def _lock(connection: Connection, trial: Trial) -> None:
    """Have this transaction alone add attempts at `trial`, which is registered where it is not yet."""
    wanted = {"one": trial.key, "dataset": trial.dataset, "protocol": trial.protocol.name}
    if not connection.scalar(_REGISTERED, wanted):  # not here, or under another name
        register_within(connection, [trial])
        connection.scalar(_REGISTERED, wanted)


def _next_number(connection: Connection, key: str, status: Status, replaces: int) -> int | None:
    """The number of the attempt to come, which ended in `status`; None if an earlier one stays the current."""
    row = connection.execute(_LATEST, {"one": key}).first()
    if row is None:
        return 1
    stays = row.number > replaces or (status is Status.INTERRUPTED and row.status in SETTLED)
    return None if row.status in ENDED and stays else row.number + 1


def insert_missing(connection: Connection, table: Table, row: dict[str, Any]) -> None:
    """Insert a row whose id is the hash of what it holds."""
    present, add = _missing(connection.dialect.name, table)
    if connection.scalar(present, {"one": row["id"]}) is None:
        connection.execute(add, row)


@cache
def _missing(dialect: str, table: Table) -> tuple[Any, Any]:
    """The statements that look for a row of `table` by its id and add it, should nobody else have."""
    return select(table.c.id).where(table.c.id == bindparam("one")), insert_for(dialect)(table).on_conflict_do_nothing()


@cache
def _scoring(dialect: str) -> Any:
    """The statement that adds a score, in the place of one of another metric version."""
    insert = insert_for(dialect)(schema.scores)
    changed = {"metric_version": insert.excluded.metric_version, "value": insert.excluded.value}
    return insert.on_conflict_do_update(index_elements=list(schema.scores.primary_key), set_=changed)


def without_folders(text: str, source: Source) -> str:
    """The text without the folders of the data's files, and with ~ for the home folder: results are shared."""
    for folder in {f"{path.parent}{os.sep}" for path in source.files if path.is_absolute()}:
        text = text.replace(folder, "") if len(folder) > 1 else text
    home = os.path.expanduser("~")
    return re.sub(rf"{re.escape(home)}(?=[\\/\s'\":,;)]|$)", "~", text) if len(home) > 1 else text


def _attempt_row(key: str, outcome: Outcome) -> dict[str, Any]:
    return {
        "key": key,
        "status": Status(outcome.status).value,
        "reason": outcome.reason,
        "traceback": outcome.traceback,
        "stdout_tail": outcome.stdout_tail,
        "stderr_tail": outcome.stderr_tail,
        "signal": None if outcome.signal is None else int(outcome.signal),
        "started_at": outcome.started_at,
        "wall_s": outcome.wall_s,
        "cpu_s": outcome.cpu_s,
        "fit_s": outcome.fit_s,
        "peak_rss_mb": outcome.peak_rss_mb,
        "n_iter": int(outcome.n_iter),
        "converged": bool(outcome.converged),
        "stopped_because": outcome.stopped_because,
        "objective": pack_floats(outcome.objective),
        "achieved": canonical_json(dict(outcome.achieved)),
        "source_hash": outcome.source_hash,
    }


def _truth_row(outcome: Outcome) -> dict[str, Any] | None:
    if outcome.truth is None:
        return None
    truth = np.asarray(outcome.truth)
    packed = pack_labels(truth)
    return {"id": truth_digest(truth), "n_samples": truth.size, "labels": packed}


def _score_row(attempt_id: int, score: Score) -> dict[str, Any]:
    return {
        "attempt_id": attempt_id,
        "restart": int(score.restart),
        "metric": score.metric,
        "metric_version": score.metric_version,
        "value": score.value,
    }
