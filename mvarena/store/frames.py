"""Stored results as tables: a row per trial, restart and metric; and how trials were fitted, ended and corrupted.

Which columns it has, in what order and of what types, stands here alone.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, select

from mvarena.contracts.outcome import MEMORY_AT_START, Status
from mvarena.store.contents import corpus_of_contents
from mvarena.store.database import Database
from mvarena.store.encoding import MOST_LABELS, unpack_floats, unpack_labels
from mvarena.store.schema import attempts, environments, labellings, names, plainly, scores, trials, truths
from mvarena.store.trials import IS_CURRENT, batches
from mvarena.study.adaptation import filling_in, scaling_in
from mvarena.system.garbage_collection import uncollected

EXPORTED = (
    "key", "algorithm", "algorithm_version", "params", "dataset", "corpus", "corruption", "rate", "scaling", "filling",
    "prepare", "protocol", "repeat", "restart", "metric", "value", "n_labels", "status", "wall_s", "cpu_s",
    "peak_rss_mb",
)  # fmt: skip
COLUMNS = (
    *EXPORTED,
    *("seed", "inertia", "pick", "picks_by_labels", "attempt", "fit_s", "reason", "source_hash"),
    *("content", "steps", "started_at"),
)
OF_SCORE = ("restart", "metric", "value", "inertia", "n_labels")  # what differs among the rows of one trial
OF_TRIAL = tuple(name for name in COLUMNS if name not in OF_SCORE)

_INTEGERS = ("repeat", "seed", "attempt")
_REALS = ("rate", "value", "wall_s", "cpu_s", "peak_rss_mb", "inertia", "fit_s")
_KINDS = dict.fromkeys((*_INTEGERS, "attempt_id", "restart"), "int64") | dict.fromkeys(_REALS, "float64")
_DERIVED = ("corpus", "scaling", "filling")  # of what is stored, when it is read
_HEAD = ("attempt_id", *(name if name != "steps" else "identity" for name in OF_TRIAL if name not in _DERIVED))
_TAIL = ("attempt_id", *OF_SCORE)
# the seed and the repeat, last in canonical JSON
_SEED_AT_END = re.compile(r',"seed":\[-?\d+,-?\d+\]\}\Z')
_ORDER = ("dataset", "algorithm", "params", "protocol", "corruption", "rate", "prepare", "seed", "repeat", "key")


@uncollected()
def scores_frame(
    db: Database,
    *,
    datasets: Iterable[str] | None = None,
    protocols: Iterable[str] | None = None,
    metrics: Iterable[str] | None = None,
    keys: Iterable[str] | None = None,
    where: Sequence[ColumnElement[bool]] = (),
) -> pd.DataFrame:
    """All current outcomes in long form: the columns COLUMNS, of which the first are EXPORTED for other tools.

    A trial without scores (failed, skipped, data without classes, or none of `metrics`) is one row: restart <NA>,
    metric None, value NaN. A trial that studies know by two names shows under both. Rows come in one order,
    whatever the order of the runs. content is the fingerprint of the data, which two data sets of one name do not
    share; steps are the corruptions and transforms with their versions, as 'missing-even 1,unit-rows 1'. scaling and
    filling are what prepare says of them (`mvarena.study.adaptation`). corpus is where the data come from
    (`mvarena.store.contents`). started_at is when the trial began, UTC, ISO 8601. n_labels is how many clusters of the
    restart are not empty.
    datasets, protocols, metrics, keys : only these (None: all). where : what a filter stands for
    (`mvarena.store.filters.chosen`).

    Cost: two statements (for each 5000 keys, where keys are given), on one state of the database.
    """
    requested = ((names.c.dataset, datasets), (names.c.protocol, protocols))
    chosen = [*(column.in_(list(values)) for column, values in requested if values is not None), *where]
    wanted = [] if metrics is None else [scores.c.metric.in_(list(metrics))]
    with db.read() as connection:
        if keys is not None:
            chosen.append(trials.c.key.in_(bindparam("keys", expanding=True)))
        parts = [{}] if keys is None else [{"keys": batch} for batch in batches(keys)]
        heads = _fetch(connection, _heads(chosen), parts, _HEAD)
        tails = _fetch(connection, _tails(chosen, wanted), parts, _TAIL)
        corpora = corpus_of_contents(connection)
    heads = heads.rename(columns={"identity": "steps"}).assign(corpus=heads["content"].map(corpora))
    for name, part_of in (("scaling", scaling_in), ("filling", filling_in)):
        heads[name] = heads["prepare"].map({text: part_of(text) for text in heads["prepare"].unique()})
    heads = heads.sort_values(list(_ORDER), kind="stable")
    return long_form(heads.merge(tails, on="attempt_id", how="left"))


def _steps_of(identities: Iterable[str]) -> list[str]:
    """Preparation steps of each trial; trials that differ in seed and repeat alone are read once."""
    known: dict[str, str] = {}
    result = []
    for text in identities:
        end = _SEED_AT_END.search(text)
        alike = text[: end.start()] if end else text
        if alike not in known:
            known[alike] = _steps(json.loads(text))
        result.append(known[alike])
    return result


def _steps(identity: dict[str, Any]) -> str:
    """The names and versions of all that was applied to the data of a trial, in order."""
    applied = [step for value in identity.values() if isinstance(value, list) for step in value]
    return ",".join(f"{step[0]} {step[1]}" for step in applied if isinstance(step, list))


def long_form(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns COLUMNS of `frame`, in order and each of its own type, also where it has no rows."""
    kinds = (
        dict.fromkeys(_INTEGERS, "int64") | dict.fromkeys(_REALS, "float64") | {"restart": "Int64", "n_labels": "Int64"}
    )
    texts = [name for name in COLUMNS if name not in kinds]
    return frame[list(COLUMNS)].astype(kinds | dict.fromkeys(texts, "object"))


def _current(columns: Iterable[ColumnElement[Any]], conditions: Sequence[ColumnElement[bool]]) -> Select[Any]:
    """`columns` of the current attempts that meet `conditions`, with their trials and names."""
    joined = attempts.join(trials).join(names, names.c.key == trials.c.key)
    return select(*map(plainly, columns)).select_from(joined).where(IS_CURRENT, *conditions)


def _heads(conditions: Sequence[ColumnElement[bool]]) -> Select[Any]:
    """One row for each name of each trial, columns _HEAD."""
    known = {column.name: column for table in (trials, names, attempts) for column in table.c}
    known |= {"attempt_id": attempts.c.id, "key": trials.c.key, "repeat": trials.c.repeat, "attempt": attempts.c.number}
    return _current([known[name] for name in _HEAD], conditions)


def _tails(conditions: Sequence[ColumnElement[bool]], wanted: Sequence[ColumnElement[bool]]) -> Select[Any]:
    """One row for each score, columns _TAIL, in order within an attempt."""
    same = and_(labellings.c.attempt_id == scores.c.attempt_id, labellings.c.restart == scores.c.restart)
    of_score = (scores.c.attempt_id, scores.c.restart, scores.c.metric, scores.c.value)
    columns = (*of_score, labellings.c.inertia, labellings.c.n_labels)
    within = scores.c.attempt_id.in_(_current([attempts.c.id], conditions))
    query = select(*map(plainly, columns)).select_from(scores.outerjoin(labellings, same)).where(within, *wanted)
    return query.order_by(scores.c.attempt_id, scores.c.restart, scores.c.metric)


def _fetch(
    connection: Connection, query: Select[Any], parts: Sequence[Mapping[str, Any]], columns: Sequence[str]
) -> pd.DataFrame:
    """Rows of `query` with each of `parts` as its parameters; of an identity, the steps alone.

    Texts that are equal are one object: a text of its own in each row takes more room than all numbers of the row.
    """
    result: list[list[Any]] = [[] for _ in columns]
    known: dict[Any, Any] = {}
    for part in parts:
        rows = connection.execute(query, part).fetchall()
        for name, pieces, values in zip(columns, result, zip(*rows, strict=True), strict=False):  # none of no rows
            if kind := _KINDS.get(name):
                pieces.append(np.array(values, kind))
                continue
            if name == "started_at":
                pieces.append([value.isoformat(timespec="microseconds") for value in values])
                continue
            texts = _steps_of(values) if name == "identity" else values
            pieces.append([known.setdefault(text, text) for text in texts])
    return pd.DataFrame({name: _joined(name, pieces) for name, pieces in zip(columns, result, strict=True)})


def _joined(name: str, pieces: Sequence[Any]) -> Any:
    if kind := _KINDS.get(name):
        return np.concatenate([np.array([], kind), *pieces])
    return pd.Series([item for piece in pieces for item in piece], dtype=object)


# How stored trials were fitted, one row per trial: iterations, the objective's course, sizes, scaling decisions.

FIT_COLUMNS = ("key", "n_samples", "n_iter", "converged", "stopped_because", "objective", "decided", "started_mb")


@uncollected()
def fits_frame(db: Database, keys: Iterable[str]) -> pd.DataFrame:
    """One row per finished trial of `keys`, columns FIT_COLUMNS.

    n_samples : <NA> where the outcome does not say. objective : a tuple, empty for a method that has none.
    decided : transform -> view -> what it took the view for and did; empty where the outcome does not say.
    started_mb : MiB that the process held before its first trial; NaN where the outcome does not say.
    Cost: one statement for each 5000 keys.
    """
    columns = [attempts.c[name] for name in ("key", "n_iter", "converged", "stopped_because", "objective", "achieved")]
    query = select(*columns).where(IS_CURRENT, attempts.c.status == Status.DONE)
    rows = []
    with db.read() as connection:
        for batch in batches(keys):
            rows += [_row(*row) for row in connection.execute(query.where(attempts.c.key.in_(batch)))]
    frame = pd.DataFrame(rows, columns=list(FIT_COLUMNS))
    return frame.astype({"n_samples": "Int64", "n_iter": "int64", "converged": bool, "started_mb": float})


def _row(key: str, n_iter: int, converged: bool, why: str, objective: bytes, achieved: str) -> tuple[Any, ...]:
    text = json.loads(achieved)
    counts, decided = text.get("samples_by_missing_views"), text.get("decided")
    n_samples = sum(counts) if isinstance(counts, list) else None
    return (
        key,
        n_samples,
        n_iter,
        converged,
        why,
        unpack_floats(objective),
        decided if isinstance(decided, dict) else {},
        text.get(MEMORY_AT_START, math.nan),
    )


# How stored trials ended, one row per trial: when, on what, after how many iterations, with which traceback.

ENDING_COLUMNS = ("key", "started_at", "n_iter", "stopped_because", "traceback", "stderr_tail", "environment_id")


def endings_frame(db: Database, keys: Iterable[str] | None = None) -> pd.DataFrame:
    """One row per trial of `keys` (None: all) that has an outcome, columns ENDING_COLUMNS.

    Cost: one statement, or one for each 5000 keys.
    """
    query = select(*(attempts.c[name] for name in ENDING_COLUMNS)).where(IS_CURRENT)
    parts = [query] if keys is None else [query.where(attempts.c.key.in_(batch)) for batch in batches(keys)]
    with db.read() as connection:
        rows = [tuple(row) for part in parts for row in connection.execute(part).fetchall()]
    return pd.DataFrame(rows, columns=list(ENDING_COLUMNS))


def environments_by_id(db: Database) -> dict[str, dict[str, Any]]:
    """Every environment that is stored: versions, machine, threads."""
    with db.read() as connection:
        rows = connection.execute(select(environments.c.id, environments.c.json)).fetchall()
    return {str(row.id): json.loads(row.json) for row in rows}


def objectives(db: Database, keys: Iterable[str]) -> dict[str, tuple[float, ...]]:
    """Key -> the objective of each iteration, for the trials of `keys` that have one."""
    query = select(attempts.c.key, attempts.c.objective).where(IS_CURRENT)
    with db.read() as connection:
        rows = [row for batch in batches(keys) for row in connection.execute(query.where(attempts.c.key.in_(batch)))]
    return {str(row.key): unpack_floats(row.objective) for row in rows if row.objective}


# The rates that corruptions reached in stored trials: one row per mask and view.

ACHIEVED_RATES_COLUMNS = (
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
        values = {row[:-1]: row.achieved for part in parts for row in connection.execute(part).fetchall()}
    rows = []
    for point, text in sorted(values.items()):
        achieved = json.loads(text)
        for view, did in achieved.get("views", {}).items():
            rows.append((*point, view, did["missing"], did["changed_rows"], did["snr"], achieved["incomplete"]))
    return pd.DataFrame(rows, columns=list(ACHIEVED_RATES_COLUMNS))


# Classes against clusters: the table of one stored labelling of each of many trials.


def agreement_tables(db: Database, restarts: Mapping[str, int], most_cells: int) -> dict[str, NDArray[np.int64]]:
    """Key -> (classes, clusters) of how many samples; one row for all where the data have no classes.

    restarts : key -> which restart's labelling. Samples without a class (-1) are left out where there are classes; a
    table of more than `most_cells` cells is left out as a whole.
    Cost: two statements for each 5000 keys and restart, and O(samples) for each trial.
    """
    classes: dict[str, NDArray[np.int64]] = {}
    result: dict[str, NDArray[np.int64]] = {}
    with db.read() as connection:
        for restart, keys in _by_restart(restarts).items():
            for batch in batches(keys):
                query = select(attempts.c.key, attempts.c.truth_id, labellings.c.labels).join(labellings)
                chosen = (IS_CURRENT, attempts.c.key.in_(batch), labellings.c.restart == restart)
                rows = connection.execute(query.where(*chosen)).fetchall()
                _add_classes(connection, {row.truth_id for row in rows if row.truth_id} - classes.keys(), classes)
                for row in rows:
                    truth = classes.get(row.truth_id or "")
                    labels = unpack_labels(row.labels, MOST_LABELS if truth is None else truth.size)
                    table = _table(truth, labels)
                    if 0 < table.size <= most_cells:
                        result[str(row.key)] = table
    return result


def _by_restart(restarts: Mapping[str, int]) -> dict[int, list[str]]:
    keys: dict[int, list[str]] = {}
    for key, restart in restarts.items():
        keys.setdefault(restart, []).append(key)
    return keys


def _add_classes(connection: object, wanted: Iterable[str], known: dict[str, NDArray[np.int64]]) -> None:
    for batch in batches(wanted):
        query = select(truths.c.id, truths.c.n_samples, truths.c.labels).where(truths.c.id.in_(batch))
        known |= {row.id: unpack_labels(row.labels, row.n_samples) for row in connection.execute(query)}  # type: ignore[attr-defined]


def _table(truth: NDArray[np.int64] | None, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """(classes, clusters), both in the order of their numbers."""
    clusters, column = np.unique(labels, return_inverse=True)
    if truth is None or len(truth) != len(labels):
        return np.bincount(column, minlength=len(clusters))[None, :]
    known = truth >= 0
    classes, row = np.unique(truth[known], return_inverse=True)
    cells = np.bincount(row * len(clusters) + column[known], minlength=len(classes) * len(clusters))
    return cells.reshape(len(classes), len(clusters))
