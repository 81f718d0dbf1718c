"""The long form: what is stored as one table, a row per trial, restart and metric, failures among them.

Which columns it has, in what order and of what types, stands here alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sqlalchemy import ColumnElement, Connection, Select, and_, select

from mvarena.store.columns import plainly
from mvarena.store.database import Database
from mvarena.store.key_lists import among, listed
from mvarena.store.schema import attempts, labellings, names, scores, trials
from mvarena.store.trials import IS_CURRENT, batches
from mvarena.system.garbage_collection import uncollected

EXPORTED = (
    *("key", "algorithm", "algorithm_version", "params", "dataset", "corruption", "rate", "prepare", "protocol"),
    *("repeat", "restart", "metric", "value", "status", "wall_s", "cpu_s", "peak_rss_mb"),
)
COLUMNS = (
    *EXPORTED,
    *("seed", "inertia", "pick", "picks_by_labels", "attempt", "fit_s", "reason", "source_hash"),
    *("content", "steps"),
)
OF_SCORE = ("restart", "metric", "value", "inertia")  # what differs among the rows of one trial
OF_TRIAL = tuple(name for name in COLUMNS if name not in OF_SCORE)

_INTEGERS = ("repeat", "seed", "attempt")
_REALS = ("rate", "value", "wall_s", "cpu_s", "peak_rss_mb", "inertia", "fit_s")
_KINDS = dict.fromkeys((*_INTEGERS, "attempt_id", "restart"), "int64") | dict.fromkeys(_REALS, "float64")
_HEAD = ("attempt_id", *(name if name != "steps" else "identity" for name in OF_TRIAL))
_TAIL = ("attempt_id", *OF_SCORE)
# the seed and the repeat, last in canonical JSON
_SEED_AT_END = re.compile(r',"seed":\[-?\d+,-?\d+\]\}\Z')
_ORDER = ("dataset", "algorithm", "params", "protocol", "corruption", "rate", "prepare", "seed", "repeat", "key")


@uncollected()
def scores_frame(
    db: Database,
    *,
    algorithms: Iterable[str] | None = None,
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
    share; steps are the corruptions and transforms with their versions, as 'missing-even 1,unit-rows 1'.
    algorithms, datasets, protocols, metrics, keys : only these (None: all). where : what a filter stands for
    (`mvarena.store.filters.chosen`).

    Cost: two statements (for each 5000 keys, where keys are given), on one state of the database.
    """
    asked = ((trials.c.algorithm, algorithms), (names.c.dataset, datasets), (names.c.protocol, protocols))
    chosen = [*(column.in_(list(values)) for column, values in asked if values is not None), *where]
    wanted = [] if metrics is None else [scores.c.metric.in_(list(metrics))]
    with db.read() as connection:
        if keys is not None:
            chosen.append(among(trials.c.key, connection.dialect.name))
        parts = [{}] if keys is None else [listed(connection, batch) for batch in batches(keys)]
        heads = _fetch(connection, _heads(chosen), parts, _HEAD)
        tails = _fetch(connection, _tails(chosen, wanted), parts, _TAIL)
    heads = heads.rename(columns={"identity": "steps"})
    heads = heads.sort_values(list(_ORDER), kind="stable")
    return long_form(heads.merge(tails, on="attempt_id", how="left"))


def _steps_of(identities: Iterable[str]) -> list[str]:
    """What was applied to the data of each trial; trials that differ in seed and repeat alone are read once."""
    known: dict[str, str] = {}
    found = []
    for text in identities:
        end = _SEED_AT_END.search(text)
        alike = text[: end.start()] if end else text
        if alike not in known:
            known[alike] = _steps(json.loads(text))
        found.append(known[alike])
    return found


def _steps(identity: dict[str, Any]) -> str:
    """The names and versions of all that was applied to the data of a trial, in order."""
    applied = [step for value in identity.values() if isinstance(value, list) for step in value]
    return ",".join(f"{step[0]} {step[1]}" for step in applied if isinstance(step, list))


def long_form(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns COLUMNS of `frame`, in order and each of its own type, also where it has no rows."""
    kinds = dict.fromkeys(_INTEGERS, "int64") | dict.fromkeys(_REALS, "float64") | {"restart": "Int64"}
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
    columns = (scores.c.attempt_id, scores.c.restart, scores.c.metric, scores.c.value, labellings.c.inertia)
    within = scores.c.attempt_id.in_(_current([attempts.c.id], conditions))
    query = select(*map(plainly, columns)).select_from(scores.outerjoin(labellings, same)).where(within, *wanted)
    return query.order_by(scores.c.attempt_id, scores.c.restart, scores.c.metric)


def _fetch(
    connection: Connection, query: Select[Any], parts: Sequence[Mapping[str, Any]], columns: Sequence[str]
) -> pd.DataFrame:
    """What `query` finds with each of `parts` as its parameters; of an identity, the steps alone.

    Texts that are equal are one object: a text of its own in each row takes more room than all numbers of the row.
    """
    found: list[list[Any]] = [[] for _ in columns]
    known: dict[Any, Any] = {}
    for part in parts:
        rows = connection.execute(query, part).fetchall()
        for name, pieces, values in zip(columns, found, zip(*rows, strict=True), strict=False):  # none of no rows
            if kind := _KINDS.get(name):
                pieces.append(np.array(values, kind))
                continue
            texts = _steps_of(values) if name == "identity" else values
            pieces.append([known.setdefault(one, one) for one in texts])
    return pd.DataFrame({name: _joined(name, pieces) for name, pieces in zip(columns, found, strict=True)})


def _joined(name: str, pieces: Sequence[Any]) -> Any:
    if kind := _KINDS.get(name):
        return np.concatenate([np.array([], kind), *pieces])
    return pd.Series([one for piece in pieces for one in piece], dtype=object)
