"""Recording: an outcome goes in whole, in one transaction, and is never changed afterwards."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, and_, bindparam, delete, exists, select

from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.contracts.source import Source
from mvarena.contracts.trial import Trial
from mvarena.errors import StoreError
from mvarena.store.database import Database
from mvarena.store.encoding import canonical_json, pack_floats, pack_labels
from mvarena.store.numbering import Numbers
from mvarena.store.schema import attempts, labellings, metrics, names, protocols, scores, sources, trials, truths
from mvarena.store.trials import ENDED, IS_CURRENT, SETTLED, register_within

_FOLDERLESS = ("reason", "traceback", "stderr_tail")  # texts in which folders of this machine may stand
_ADD_ATTEMPT = attempts.insert()
_ADD_LABELLINGS = labellings.insert()
_OF_TRIAL = and_(attempts.c.trial == bindparam("one"), IS_CURRENT)
_LATEST = select(attempts.c.number, attempts.c.status).where(_OF_TRIAL)
_NAMED = exists().where(
    names.c.trial == trials.c.id,
    names.c.source == sources.c.id,
    sources.c.name == bindparam("source"),
    names.c.protocol == protocols.c.id,
    protocols.c.name == bindparam("protocol"),
)
# where several transactions write at once, on a server, whoever locks the trial's row goes first
_REGISTERED = select(trials.c.id, _NAMED.label("named")).where(trials.c.key == bindparam("one"))
_REGISTERED = _REGISTERED.with_for_update(of=trials)
_DONE = (
    select(attempts.c.id)
    .join(trials)
    .where(trials.c.key == bindparam("one"), IS_CURRENT, attempts.c.status == Status.DONE.value)
)


def record(db: Database, trial: Trial, outcome: Outcome, replaces: int = 0) -> bool:
    """Store what became of a trial, in one transaction. The first outcome stays, of whichever run.

    replaces : the number of the attempt that was run again on purpose; the new one takes its place, and it stays beside
        it unchanged. An interrupted run takes no settled attempt's place.
    Returns False, and stores no second outcome, if the trial has ended already (in another run).
    Raises StoreError if it cannot be stored; all that was stored before is then still there.
    Cost: O(labellings x n + metrics).
    """
    row, shared = _plain(outcome), _shared_texts(outcome, trial.source)
    environment = canonical_json(dict(outcome.environment))
    packed = _packed(outcome)
    with db.write() as connection:
        trial_id = _locked(connection, trial)
        number = _next_number(connection, trial_id, outcome.status, replaces)
        if number is None:
            return False
        numbers = Numbers(connection)
        numbers.read_texts(shared.values())
        row |= {name: numbers.of_text(text) for name, text in shared.items()}
        row |= {"environment": numbers.of_environment(environment), "truth": _truth(numbers, outcome)}
        added = connection.execute(_ADD_ATTEMPT, row | {"trial": trial_id, "number": number}).inserted_primary_key
        assert added is not None
        if packed:
            connection.execute(_ADD_LABELLINGS, [{"attempt": added[0], **one} for one in packed])
        add_values(connection, numbers, added[0], outcome.scores)
    return True


def add_scores(db: Database, key: str, added: Iterable[Score]) -> int:
    """Add scores to a trial that is done: metrics that were asked for later, or whose version was raised.

    A score of the same metric and version is left as it is. Returns how many were written.
    Raises StoreError if the trial is not done.
    """
    with db.write() as connection:
        attempt = connection.scalar(_DONE, {"one": key})
        if attempt is None:
            raise StoreError(f"the trial {key[:12]} is not done in {db.where}, so it has no labels to score; run it.")
        joined = scores.join(metrics, metrics.c.id == scores.c.metric)
        query = select(metrics.c.name, metrics.c.version, metrics.c.id).select_from(joined)
        known = {row.name: row for row in connection.execute(query.where(scores.c.attempt == attempt))}
        new = [one for one in added if one.metric not in known or known[one.metric].version != one.metric_version]
        gone = [known[one.metric].id for one in new if one.metric in known]
        if gone:
            connection.execute(delete(scores).where(scores.c.attempt == attempt, scores.c.metric.in_(gone)))
        add_values(connection, Numbers(connection), attempt, new)
        return len(new)


def add_values(connection: Connection, numbers: Numbers, attempt: int, added: Iterable[Score]) -> None:
    """Add the scores of an attempt that has none by these metrics."""
    rows = score_rows(numbers, attempt, added)
    if rows:
        connection.execute(scores.insert(), rows)


def score_rows(numbers: Numbers, attempt: int, added: Iterable[Score]) -> list[dict[str, Any]]:
    """The rows of `scores`."""
    return [
        {
            "attempt": attempt,
            "metric": numbers.of(metrics, name=one.metric, version=one.metric_version),
            "value": one.value,
            "spread": one.spread,
        }
        for one in added
    ]


def _locked(connection: Connection, trial: Trial) -> int:
    """Number of `trial`, to which this transaction alone adds attempts; it is registered where it is not yet."""
    wanted = {"one": trial.key, "source": trial.dataset, "protocol": trial.protocol.name}
    row = connection.execute(_REGISTERED, wanted).first()
    if row is None or not row.named:  # not here, or under another name
        register_within(connection, [trial])
        row = connection.execute(_REGISTERED, wanted).one()
    return int(row.id)


def _next_number(connection: Connection, trial_id: int, status: Status, replaces: int) -> int | None:
    """The number of the attempt to come, which ended in `status`; None if an earlier one stays the current."""
    row = connection.execute(_LATEST, {"one": trial_id}).first()
    if row is None:
        return 1
    stays = row.number > replaces or (status is Status.INTERRUPTED and row.status in SETTLED)
    return None if row.status in ENDED and stays else row.number + 1


def without_folders(text: str, source: Source) -> str:
    """The text without the folders of the data's files, and with ~ for the home folder: results are shared."""
    for folder in {f"{path.parent}{os.sep}" for path in source.files if path.is_absolute()}:
        text = text.replace(folder, "") if len(folder) > 1 else text
    home = os.path.expanduser("~")
    return re.sub(rf"{re.escape(home)}(?=[\\/\s'\":,;)]|$)", "~", text) if len(home) > 1 else text


def _plain(outcome: Outcome) -> dict[str, Any]:
    """The columns of an attempt that are numbers or its own."""
    counted = outcome.counted
    return {
        "status": Status(outcome.status).value,
        "signal": None if outcome.signal is None else int(outcome.signal),
        "started_at": outcome.started_at,
        "wall_s": outcome.wall_s,
        "cpu_s": outcome.cpu_s,
        "fit_s": outcome.fit_s,
        "peak_rss_mb": outcome.peak_rss_mb,
        "n_iter": int(outcome.n_iter),
        "converged": bool(outcome.converged),
        "objective": pack_floats(outcome.objective) or None,
        "restart": None if counted is None else int(outcome.restart),
        "n_labels": None if counted is None else len(np.unique(counted.labels)),
    }


def _shared_texts(outcome: Outcome, source: Source) -> dict[str, str]:
    achieved = canonical_json(dict(outcome.achieved)) if outcome.achieved else ""
    values = {
        "reason": outcome.reason,
        "traceback": outcome.traceback,
        "stdout_tail": outcome.stdout_tail,
        "stderr_tail": outcome.stderr_tail,
        "stopped_because": outcome.stopped_because,
        "achieved": achieved,
        "code": outcome.source_hash,
    }
    return values | {name: without_folders(values[name], source) for name in _FOLDERLESS}


def _packed(outcome: Outcome) -> list[dict[str, Any]]:
    """The rows of its labellings: of the restart that counts, or of all in their order."""
    several = len(outcome.labellings) > 1
    return [
        {
            "restart": index if several else int(outcome.restart),
            "labels": pack_labels(one.labels),
            "inertia": one.inertia,
        }
        for index, one in enumerate(outcome.labellings)
    ]


def _truth(numbers: Numbers, outcome: Outcome) -> int | None:
    return None if outcome.truth is None else numbers.of(truths, **truth_row(np.asarray(outcome.truth)))


def truth_row(labels: NDArray[np.int64]) -> dict[str, Any]:
    """The row of `truths` for classes (n,)."""
    digest = hashlib.sha256(labels.astype("<i8").tobytes()).digest()
    return {"digest": digest, "n_samples": labels.size, "labels": pack_labels(labels)}
