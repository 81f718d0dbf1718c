"""Stored results as tables: a row per trial and metric; and how trials were fitted, ended and corrupted.

Which columns it has, in what order and of what types, stands here alone.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Table, bindparam, select

from mvarena.contracts.outcome import MEMORY_AT_START, SPEED, Status
from mvarena.store.contents import corpus_of_contents, kind_of_contents
from mvarena.store.database import Database
from mvarena.store.descriptions import NAMED
from mvarena.store.encoding import unpack_floats
from mvarena.store.label_choices import with_label_choices
from mvarena.store.schema import (
    attempts,
    conditions,
    datasets,
    environments,
    methods,
    names,
    plainly,
    protocols,
    scores,
    sources,
    texts,
    trials,
)
from mvarena.store.schema import metrics as metrics_
from mvarena.store.trials import IS_CURRENT, batches, parts_of
from mvarena.study.cards import announced_metrics
from mvarena.system.garbage_collection import uncollected

EXPORTED = (
    "key", "algorithm", "algorithm_version", "params", "dataset", "corpus", "kind", "corruption", "rate", "scaling",
    "filling", "prepare", "protocol", "repeat", "metric", "value", "spread", "n_labels", "status", "wall_s", "cpu_s",
    "peak_rss_mb",
)  # fmt: skip
COLUMNS = (
    *EXPORTED,
    *("seed", "pick", "restarts", "label_picked", "choice", "attempt", "fit_s", "reason", "source_hash"),
    *("content", "steps", "started_at", "speed"),
)
OF_SCORE = ("metric", "value", "spread", "choice")  # what differs among the rows of one trial
OF_TRIAL = tuple(name for name in COLUMNS if name not in OF_SCORE)

_INTEGERS = ("repeat", "seed", "attempt", "restarts")
_REALS = ("rate", "value", "spread", "wall_s", "cpu_s", "peak_rss_mb", "fit_s", "speed")
ORDER = ("dataset", "algorithm", "params", "protocol", "corruption", "rate", "prepare", "seed", "repeat", "key")
_PROTOCOL = protocols.c.name
_CURRENT = NAMED.join(attempts, attempts.c.trial == trials.c.id)
_OF_ATTEMPT = ("status", "wall_s", "cpu_s", "peak_rss_mb", "fit_s", "n_labels", "started_at")


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
    params : the parameters that are not the defaults, as JSON; all, of a method whose defaults nobody knows.
    label_picked : ground truth chose the restart, or a parameter such as the view: then choice says which, as
    'view=fac', metric by metric (`mvarena.store.label_choices`).
    n_labels : clusters of the labelling that counts, without empty ones. restarts : of the protocol.
    content : the fingerprint of the data, which two data sets of one name do not share. corpus, kind : of the data
    (`mvarena.store.contents`). steps : the corruptions and transforms with their versions, as
    'missing-even 1,unit-rows 1'. scaling, filling : what prepare says of them (`mvarena.study.adaptation`).
    started_at : when the trial began, UTC, ISO 8601. speed : of its machine (`mvarena.system.speed`), by which
    seconds compare over machines; 1 where none was measured.
    A trial without scores (failed, skipped, data without classes, or none of `metrics`) is one row: metric None, value
    NaN. A trial that studies know by two names shows under both. Rows come in one order, whatever that of the runs.

    datasets, protocols, metrics, keys : only these (None: all). where : what a filter stands for
    (`mvarena.store.filters.chosen`). every_choice : keep the trials with each value of such a parameter apart.

    Cost: a few statements (for each 5000 keys, where keys are given), on one state of the database.
    """
    wanted_names = ((sources.c.name, datasets), (_PROTOCOL, protocols))
    chosen = [*(column.in_(list(values)) for column, values in wanted_names if values is not None), *where]
    if keys is not None:
        chosen.append(trials.c.key.in_(bindparam("keys", expanding=True)))
    parts: list[dict[str, Any]] = [{}] if keys is None else [{"keys": batch} for batch in batches(keys)]
    with db.read() as connection:
        heads = _heads(connection, chosen, parts)
        tails = _tails(connection, chosen, parts, metrics)
    if every_choice:
        heads["picks_by_labels"] = None
    directions = {name: spec.higher_is_better for name, spec in announced_metrics().items()}
    heads, tails = with_label_choices(heads, tails, directions)
    heads = heads.sort_values(list(ORDER), kind="stable")
    return long_form(heads.merge(tails, on="attempt_id", how="left").fillna({"choice": ""}))


def long_form(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns COLUMNS of `frame`, in order and each of its own type, also where it has no rows."""
    kinds = dict.fromkeys(_INTEGERS, "int64") | dict.fromkeys(_REALS, "float64")
    kinds |= {"n_labels": "Int64", "label_picked": "bool"}
    texts = [name for name in COLUMNS if name not in kinds]
    return frame[list(COLUMNS)].astype(kinds | dict.fromkeys(texts, "object"))


def _heads(
    connection: Connection, chosen: Sequence[ColumnElement[bool]], parts: Sequence[Mapping[str, Any]]
) -> pd.DataFrame:
    """One row for each name of each trial, with all columns but those of scores."""
    numbered = (
        trials.c.method, trials.c.dataset, trials.c.condition, names.c.source, names.c.protocol, attempts.c.environment
    )  # fmt: skip
    shared = (attempts.c.reason, attempts.c.code)
    own = (attempts.c.id.label("attempt_id"), attempts.c.number.label("attempt"), trials.c.seed, trials.c.repeat)
    stored = (trials.c.key, *own, *numbered, *shared, *(attempts.c[name] for name in _OF_ATTEMPT))
    columns: list[Any] = [plainly(column) if column.key in (*_REALS, "started_at") else column for column in stored]
    query = select(*columns).select_from(_CURRENT).where(IS_CURRENT, *chosen)
    rows = [row for part in parts for row in connection.execute(query, part).fetchall()]
    frame = _frame(rows, [column.key for column in columns])
    frame = frame.astype({name: "float64" for name in _REALS if name in frame})
    frame["started_at"] = _iso(frame["started_at"])
    for column, known in _described(connection).items():
        places = frame[column].map(dict(zip(known.index, range(len(known)), strict=True)))
        taken = known.take(places.to_numpy("int64")) if len(frame) else known.iloc[:0]
        for name in known.columns:
            frame[name] = taken[name].to_numpy()
    known_texts = _texts(connection, _numbers(frame))
    for name in ("reason", "code"):
        frame[name] = _texts_of(frame[name], known_texts)
    return frame.rename(columns={"code": "source_hash"})


def _frame(rows: Sequence[Any], columns: Sequence[str]) -> pd.DataFrame:
    """Rows of a statement as columns of Python's objects."""
    values = zip(*rows, strict=True) if rows else ([] for _ in columns)
    named = zip(columns, values, strict=True)
    return pd.DataFrame({name: pd.Series(list(column), dtype=object) for name, column in named})


def _iso(microseconds: pd.Series) -> NDArray[Any]:
    """Moments in ISO 8601, UTC."""
    moments = np.array(microseconds, dtype="int64").astype("datetime64[us]")
    return np.char.add(np.datetime_as_string(moments), "+00:00").astype(object)


_TEXTS = select(texts.c.id, texts.c.text)


def _texts(connection: Connection, numbers: Iterable[int]) -> dict[int, str]:
    """Number -> text. Cost: one statement for each 5000."""
    parts = parts_of(sorted(numbers))
    return {row.id: row.text for part in parts for row in connection.execute(_TEXTS.where(texts.c.id.in_(part)))}


def _numbers(frame: pd.DataFrame) -> list[int]:
    return [int(number) for number in pd.unique(frame[["reason", "code"]].to_numpy("float64").ravel()) if number > 0]


def _texts_of(numbers: pd.Series, known: Mapping[int, str]) -> pd.Series:
    return pd.Series([known.get(number, "") for number in numbers], index=numbers.index, dtype=object)


def _described(connection: Connection) -> dict[str, pd.DataFrame]:
    """Column of numbers -> by number what it stands for, under the names that the long form has."""

    def table(of: Table, **columns: str) -> pd.DataFrame:
        rows = connection.execute(select(of.c.id, *(of.c[name] for name in columns.values()))).fetchall()
        return _frame(rows, ["id", *columns]).set_index("id")

    method = table(
        methods, algorithm="name", algorithm_version="version", params="variant", every="params",
        picks_by_labels="picks_by_labels",
    )  # fmt: skip
    method["params"] = method["params"].where(method["params"].notna(), method["every"])
    content = table(datasets, content="content")
    content["corpus"] = content["content"].map(corpus_of_contents(connection))
    content["kind"] = content["content"].map(kind_of_contents(connection))
    condition = table(
        conditions, corruption="corruption", rate="rate", prepare="preparation", scaling="scaling", filling="filling",
        applied="corruptions", prepared="prepare",
    )  # fmt: skip
    steps = [
        ",".join(f"{step[0]} {step[1]}" for text in pair for step in json.loads(text))
        for pair in zip(condition.pop("applied"), condition.pop("prepared"), strict=True)
    ]
    environment = table(environments, speed="json")
    return {
        "method": method.drop(columns="every"),
        "dataset": content,
        "condition": condition.assign(steps=steps),
        "source": table(sources, dataset="name"),
        "protocol": table(protocols, protocol="name", pick="pick", restarts="restarts"),
        "environment": pd.DataFrame({"speed": environment["speed"].map(lambda text: json.loads(text).get(SPEED, 1.0))}),
    }


def _tails(
    connection: Connection,
    chosen: Sequence[ColumnElement[bool]],
    parts: Sequence[Mapping[str, Any]],
    wanted: Iterable[str] | None,
) -> pd.DataFrame:
    """One row for each score, in order within an attempt."""
    named = {row.id: row.name for row in connection.execute(select(metrics_.c.id, metrics_.c.name))}
    values = (scores.c.attempt.label("attempt_id"), scores.c.metric, plainly(scores.c.value), plainly(scores.c.spread))
    query = select(*values)
    if wanted is not None:
        asked = set(wanted)
        query = query.where(scores.c.metric.in_([number for number, name in named.items() if name in asked]))
    if chosen:
        within = select(attempts.c.id).select_from(_CURRENT).where(IS_CURRENT, *chosen)
        query = query.where(scores.c.attempt.in_(within))
    rows = [row for part in parts for row in connection.execute(query, part).fetchall()]
    frame = _frame(rows, ["attempt_id", "metric", "value", "spread"])
    frame = frame.astype({"attempt_id": "int64", "value": "float64", "spread": "float64"})
    frame["metric"] = frame["metric"].map(named).astype(object)
    return frame.sort_values(["attempt_id", "metric"], kind="stable", ignore_index=True)


# How stored trials were fitted, one row per trial: iterations, the objective's course, sizes.

FIT_COLUMNS = ("key", "n_samples", "n_iter", "converged", "stopped_because", "objective", "started_mb")


@uncollected()
def fits_frame(db: Database, keys: Iterable[str]) -> pd.DataFrame:
    """One row per finished trial of `keys`, columns FIT_COLUMNS.

    n_samples : <NA> where the outcome does not say. objective : a tuple, empty for a method that has none.
    started_mb : MiB that the process held before its first trial; NaN where the outcome does not say.
    Cost: one statement for each 5000 keys.
    """
    columns = (trials.c.key, *(attempts.c[name] for name in ("n_iter", "converged", "objective", "stopped_because")))
    query = select(*columns, attempts.c.achieved).join(trials).where(IS_CURRENT, attempts.c.status == Status.DONE)
    with db.read() as connection:
        found = [row for batch in batches(keys) for row in connection.execute(query.where(trials.c.key.in_(batch)))]
        numbers = {number for row in found for number in (row.stopped_because, row.achieved) if number}
        known = _texts(connection, numbers)
    accounts = {number: _account(known[number]) for number in {row.achieved for row in found if row.achieved}}
    rows = [(row.key, *_fit(row, known), *accounts.get(row.achieved, _NO_ACCOUNT)) for row in found]
    frame = _frame(rows, ["key", "n_iter", "converged", "stopped_because", "objective", *_OF_ACCOUNT])
    frame = frame[list(FIT_COLUMNS)]
    return frame.astype({"n_samples": "Int64", "n_iter": "int64", "converged": bool, "started_mb": float})


_OF_ACCOUNT = ("n_samples", "started_mb")
_NO_ACCOUNT: tuple[Any, ...] = (None, math.nan)


def _fit(row: Any, known: Mapping[int, str]) -> tuple[Any, ...]:
    return row.n_iter, row.converged, known.get(row.stopped_because, ""), unpack_floats(row.objective or b"")


def _account(achieved: str) -> tuple[Any, ...]:
    """Columns _OF_ACCOUNT of what an outcome says was done to the data."""
    account = json.loads(achieved)
    counts = account.get("samples_by_missing_views")
    return sum(counts) if isinstance(counts, list) else None, account.get(MEMORY_AT_START, math.nan)


# How stored trials ended, one row per trial: when, on what, after how many iterations, with which traceback.

ENDING_COLUMNS = ("key", "started_at", "n_iter", "stopped_because", "traceback", "stderr_tail")


def endings_frame(db: Database, keys: Iterable[str] | None = None) -> pd.DataFrame:
    """One row per trial of `keys` (None: all) that has an outcome, columns ENDING_COLUMNS.

    Cost: one statement, or one for each 5000 keys.
    """
    query = select(trials.c.key, *(attempts.c[name] for name in ENDING_COLUMNS[1:])).join(trials).where(IS_CURRENT)
    parts = [query] if keys is None else [query.where(trials.c.key.in_(batch)) for batch in batches(keys)]
    with db.read() as connection:
        rows = [tuple(row) for part in parts for row in connection.execute(part).fetchall()]
        known = {row.id: row.text for row in connection.execute(_TEXTS)}
    frame = pd.DataFrame(rows, columns=list(ENDING_COLUMNS))
    for name in ("stopped_because", "traceback", "stderr_tail"):
        frame[name] = _texts_of(frame[name], known)
    return frame


def environments_by_id(db: Database) -> dict[int, dict[str, Any]]:
    """Every environment that is stored: versions, machine, threads."""
    with db.read() as connection:
        rows = connection.execute(select(environments.c.id, environments.c.json)).fetchall()
    return {row.id: json.loads(row.json) for row in rows}


# The rates that corruptions reached in stored trials: one row per mask and view.

ACHIEVED_RATES_COLUMNS = (
    "dataset", "content", "corruption", "rate", "seed", "repeat", "view", "missing", "changed_rows", "snr",
    "incomplete",
)  # fmt: skip


def achieved_frame(db: Database, *, keys: Iterable[str] | None = None) -> pd.DataFrame:
    """One row per data set, content, corruption, rate, repeat and view: fractions, and a linear SNR.

    keys : only of these trials (None: all). All algorithms see the same masks, so one finished trial stands for those
    of every algorithm. content : the fingerprint of the data, which two data sets of one name do not share.
    """
    of_point = (sources.c.name, datasets.c.content, conditions.c.corruption, conditions.c.rate)
    columns = (*of_point, trials.c.seed, trials.c.repeat, attempts.c.achieved)
    query = select(*columns).select_from(_CURRENT).where(IS_CURRENT, attempts.c.status == Status.DONE)
    parts = [query] if keys is None else [query.where(trials.c.key.in_(batch)) for batch in batches(keys)]
    with db.read() as connection:
        values = {tuple(row[:-1]): row[-1] for part in parts for row in connection.execute(part).fetchall() if row[-1]}
        known = {number: json.loads(text) for number, text in _texts(connection, set(values.values())).items()}
    rows = []
    for point, number in sorted(values.items()):
        achieved = known[number]
        for view, did in achieved.get("views", {}).items():
            rows.append((*point, view, did["missing"], did["changed_rows"], did["snr"], achieved["incomplete"]))
    return pd.DataFrame(rows, columns=list(ACHIEVED_RATES_COLUMNS))
