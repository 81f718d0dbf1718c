"""Stored results as tables: a row per trial and metric; and how trials were fitted, ended and corrupted.

Which columns it has, in what order and of what types, stands here alone.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, select

from mvarena.contracts.outcome import MEMORY_AT_START, Status
from mvarena.registry.catalog import installed_catalog
from mvarena.store.contents import corpus_of_contents, kind_of_contents
from mvarena.store.counted_scores import counted_restarts, counted_scores, directions_of_metrics
from mvarena.store.database import Database
from mvarena.store.encoding import MOST_LABELS, unpack_floats, unpack_labels
from mvarena.store.label_choices import with_label_choices
from mvarena.store.schema import attempts, environments, labellings, names, plainly, scores, trials, truths
from mvarena.store.trials import IS_CURRENT, batches
from mvarena.store.variants import variants
from mvarena.study.adaptation import filling_in, scaling_in
from mvarena.system.garbage_collection import uncollected

EXPORTED = (
    "key", "algorithm", "algorithm_version", "params", "dataset", "corpus", "kind", "corruption", "rate", "scaling",
    "filling", "prepare", "protocol", "repeat", "metric", "value", "spread", "n_labels", "status", "wall_s", "cpu_s",
    "peak_rss_mb",
)  # fmt: skip
COLUMNS = (
    *EXPORTED,
    *("seed", "pick", "restarts", "label_picked", "choice", "attempt", "fit_s", "reason", "source_hash"),
    *("content", "steps", "started_at"),
)
OF_SCORE = ("metric", "value", "spread", "choice")  # what differs among the rows of one trial
OF_TRIAL = tuple(name for name in COLUMNS if name not in OF_SCORE)

_INTEGERS = ("repeat", "seed", "attempt", "restarts")
_REALS = ("rate", "value", "spread", "wall_s", "cpu_s", "peak_rss_mb", "fit_s")
_KINDS = dict.fromkeys((*_INTEGERS, "attempt_id", "restart"), "int64") | dict.fromkeys(_REALS, "float64")
_HEAD = (
    "attempt_id", "key", "algorithm", "algorithm_version", "params", "dataset", "corruption", "rate", "prepare",
    "protocol", "repeat", "status", "wall_s", "cpu_s", "peak_rss_mb", "seed", "pick", "picks_by_labels", "attempt",
    "fit_s", "reason", "source_hash", "content", "identity", "started_at",
)  # fmt: skip
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
    every_choice: bool = False,
) -> pd.DataFrame:
    """One row per trial and metric: the columns COLUMNS, of which the first are EXPORTED for other tools.

    value : what the trial's protocol counts. spread : over the restarts, where it counts their mean; else NaN.
    params : the parameters that are not the defaults, as JSON (`mvarena.store.variants`).
    label_picked : ground truth chose the restart, or a parameter such as the view: then choice says which, as
    'view=fac', metric by metric (`mvarena.store.label_choices`).
    n_labels : clusters of the labelling that counts, without empty ones. restarts : of the protocol.
    content : the fingerprint of the data, which two data sets of one name do not share. corpus, kind : of the data
    (`mvarena.store.contents`). steps : the corruptions and transforms with their versions, as
    'missing-even 1,unit-rows 1'. scaling, filling : what prepare says of them (`mvarena.study.adaptation`).
    started_at : when the trial began, UTC, ISO 8601.
    A trial without scores (failed, skipped, data without classes, or none of `metrics`) is one row: metric None, value
    NaN. A trial that studies know by two names shows under both. Rows come in one order, whatever that of the runs.

    datasets, protocols, metrics, keys : only these (None: all). where : what a filter stands for
    (`mvarena.store.filters.chosen`). every_choice : keep the trials with each value of such a parameter apart.

    Cost: a few statements (for each 5000 keys, where keys are given), on one state of the database.
    """
    requested = ((names.c.dataset, datasets), (names.c.protocol, protocols))
    chosen = [*(column.in_(list(values)) for column, values in requested if values is not None), *where]
    wanted = [] if metrics is None else [scores.c.metric.in_(list(metrics))]
    with db.read() as connection:
        if keys is not None:
            chosen.append(trials.c.key.in_(bindparam("keys", expanding=True)))
        parts = [{}] if keys is None else [{"keys": batch} for batch in batches(keys)]
        heads = _fetch(connection, _heads(chosen), parts, _HEAD)
        tails, n_labels = _counted(connection, chosen, wanted, parts, heads)
        corpora, kinds = corpus_of_contents(connection), kind_of_contents(connection, installed_catalog())
        shown = variants(connection, installed_catalog())
    described = [_described(text) for text in _without_seeds(heads.pop("identity"))]
    heads = heads.assign(
        steps=[steps for steps, _ in described],
        restarts=[restarts for _, restarts in described],
        corpus=heads["content"].map(corpora),
        kind=heads["content"].map(kinds),
        n_labels=heads["attempt_id"].map(n_labels),
    )
    for name, part_of in (("scaling", scaling_in), ("filling", filling_in)):
        heads[name] = heads["prepare"].map({text: part_of(text) for text in heads["prepare"].unique()})
    if every_choice:
        heads["picks_by_labels"] = None
    heads, tails = with_label_choices(heads, tails, directions_of_metrics())
    pairs = zip(heads["algorithm"], heads["params"], strict=True)
    heads["params"] = [shown(algorithm, text) for algorithm, text in pairs]
    heads = heads.sort_values(list(_ORDER), kind="stable")
    frame = heads.merge(tails, on="attempt_id", how="left").fillna({"choice": ""})
    return long_form(frame)


def long_form(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns COLUMNS of `frame`, in order and each of its own type, also where it has no rows."""
    kinds = dict.fromkeys(_INTEGERS, "int64") | dict.fromkeys(_REALS, "float64")
    kinds |= {"n_labels": "Int64", "label_picked": "bool"}
    texts = [name for name in COLUMNS if name not in kinds]
    return frame[list(COLUMNS)].astype(kinds | dict.fromkeys(texts, "object"))


def _without_seeds(identities: Iterable[str]) -> list[str]:
    """Identities of trials that differ in seed and repeat alone, as one object each."""
    known: dict[str, str] = {}
    result = []
    for text in identities:
        end = _SEED_AT_END.search(text)
        alike = f"{text[: end.start()]}}}" if end else text
        result.append(known.setdefault(alike, alike))
    return result


@lru_cache(maxsize=10_000)
def _described(text: str) -> tuple[str, int]:
    """Names and versions of all that was applied to the data of a trial, in order; the restarts of its protocol."""
    identity = json.loads(text)
    applied = [step for value in identity.values() if isinstance(value, list) for step in value]
    steps = ",".join(f"{step[0]} {step[1]}" for step in applied if isinstance(step, list))
    return steps, identity.get("protocol", {}).get("restarts", 1)


def _counted(
    connection: Connection,
    chosen: Sequence[ColumnElement[bool]],
    wanted: Sequence[ColumnElement[bool]],
    parts: Sequence[Mapping[str, Any]],
    heads: pd.DataFrame,
) -> tuple[pd.DataFrame, dict[int, int]]:
    """Attempt, metric, value and spread; attempt -> clusters of the labelling that counts."""
    picks = dict(zip(heads["attempt_id"].tolist(), heads["pick"], strict=True))
    of_labels = [labellings.c[name] for name in ("attempt_id", "restart", "inertia", "n_labels")]
    rows: list[Any] = []
    inertias, clusters = defaultdict[int, dict[int, float]](dict), {}
    for part in parts:
        within = _current([attempts.c.id], chosen)
        for attempt, restart, inertia, count in connection.execute(
            select(*map(plainly, of_labels)).where(labellings.c.attempt_id.in_(within)), part
        ):
            inertias[attempt][restart] = math.nan if inertia is None else inertia
            clusters[attempt, restart] = count
        query = select(scores.c.attempt_id, scores.c.restart, scores.c.metric, plainly(scores.c.value))
        query = query.where(scores.c.attempt_id.in_(within), *wanted)
        rows += connection.execute(query.order_by(scores.c.attempt_id, scores.c.metric, scores.c.restart), part)
    values = [
        (attempt, restart, metric, math.nan if value is None else value) for attempt, restart, metric, value in rows
    ]
    accuracies = defaultdict[int, dict[int, float]](dict)
    for attempt, restart, metric, value in values:
        if metric == "acc":
            accuracies[attempt][restart] = value
    found = list(counted_scores(values, picks, inertias, directions_of_metrics()))
    tails = pd.DataFrame(found, columns=["attempt_id", "metric", "value", "spread"])
    tails = tails.astype({"attempt_id": "int64", "value": "float64", "spread": "float64"})
    kept = counted_restarts(picks, inertias, accuracies)
    return tails, {attempt: clusters[attempt, restart] for attempt, restart in kept.items()}


def _current(columns: Iterable[ColumnElement[Any]], conditions: Sequence[ColumnElement[bool]]) -> Select[Any]:
    """`columns` of the current attempts that meet `conditions`, with their trials and names."""
    joined = attempts.join(trials).join(names, names.c.key == trials.c.key)
    return select(*map(plainly, columns)).select_from(joined).where(IS_CURRENT, *conditions)


def _heads(conditions: Sequence[ColumnElement[bool]]) -> Select[Any]:
    """One row for each name of each trial, columns _HEAD."""
    known = {column.name: column for table in (trials, names, attempts) for column in table.c}
    known |= {"attempt_id": attempts.c.id, "key": trials.c.key, "repeat": trials.c.repeat, "attempt": attempts.c.number}
    return _current([known[name] for name in _HEAD], conditions)


def _fetch(
    connection: Connection, query: Select[Any], parts: Sequence[Mapping[str, Any]], columns: Sequence[str]
) -> pd.DataFrame:
    """Rows of `query` with each of `parts` as its parameters.

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
            pieces.append([known.setdefault(text, text) for text in values])
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


def agreement_tables(db: Database, keys: Iterable[str], most_cells: int) -> dict[str, NDArray[np.int64]]:
    """Key -> (classes, clusters) of how many samples; one row for all where the data have no classes.

    Samples without a class (-1) are left out where there are classes; a table of more than `most_cells` cells is left
    out as a whole. Of several labellings of a trial, that of lowest inertia.
    Cost: two statements for each 5000 keys, and O(samples) for each trial.
    """
    classes: dict[str, NDArray[np.int64]] = {}
    result: dict[str, NDArray[np.int64]] = {}
    lowest = func.row_number().over(
        partition_by=labellings.c.attempt_id,
        order_by=(labellings.c.inertia.is_(None), labellings.c.inertia, labellings.c.restart),
    )
    own = select(labellings.c.attempt_id, labellings.c.labels, lowest.label("place")).subquery()
    query = select(attempts.c.key, attempts.c.truth_id, own.c.labels).join(own, own.c.attempt_id == attempts.c.id)
    with db.read() as connection:
        for batch in batches(keys):
            rows = connection.execute(query.where(IS_CURRENT, attempts.c.key.in_(batch), own.c.place == 1)).fetchall()
            _add_classes(connection, {row.truth_id for row in rows if row.truth_id} - classes.keys(), classes)
            for row in rows:
                truth = classes.get(row.truth_id or "")
                labels = unpack_labels(row.labels, MOST_LABELS if truth is None else truth.size)
                table = _table(truth, labels)
                if 0 < table.size <= most_cells:
                    result[str(row.key)] = table
    return result


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
