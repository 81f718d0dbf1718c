"""Trials: registered, named, whether they need a run, and which stored ones a plan does not use."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, func, select, update

from mvarena.contracts.outcome import MEMORY_ALLOWED, Status
from mvarena.contracts.source import Source
from mvarena.contracts.trial import Trial
from mvarena.errors import InvalidSetting
from mvarena.store import schema
from mvarena.store.connections import insert_for
from mvarena.store.database import Database
from mvarena.store.encoding import canonical_json
from mvarena.store.schema import attempts, names, scores, trials
from mvarena.store.schema import trials as stored
from mvarena.study.adaptation import filling_in, scaling_in
from mvarena.text import plural

SETTLED = (Status.DONE, Status.SKIPPED)
FAILURES = (Status.FAILED, Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.CRASHED)
ENDED = (*SETTLED, *FAILURES)
_BATCH = 5000  # keys in one statement, well below every database's limit

# Statements are built once: building one anew takes longer than SQLite takes to run it.
_later = schema.attempts.alias("later")
_latest = select(func.max(_later.c.number)).where(_later.c.key == schema.attempts.c.key).scalar_subquery()

IS_CURRENT: ColumnElement[bool] = schema.attempts.c.number == _latest
"""The condition on `attempts` for a key's current outcome: the latest.

Nothing follows a settled one by itself; what was run again because someone asked for it takes its place.
"""

_ALLOWED = select(schema.environments.c.json).where(
    schema.environments.c.id == schema.attempts.c.environment_id,
    schema.attempts.c.status == Status.OUT_OF_MEMORY.value,
)
_CURRENT = select(
    *(schema.attempts.c[name] for name in ("key", "number", "status", "wall_s", "cpu_s", "source_hash")),
    _ALLOWED.scalar_subquery().label("ran_out_in"),
).where(IS_CURRENT)
_CURRENT_AMONG = _CURRENT.where(schema.attempts.c.key.in_(bindparam("keys", expanding=True)))
_NOTHING: Mapping[str, int] = MappingProxyType({})
_COUNTS = select(schema.attempts.c.status, func.count()).where(IS_CURRENT).group_by(schema.attempts.c.status)


def batches(keys: Iterable[str]) -> Iterator[list[str]]:
    """The keys, each once, in lists that fit into one statement."""
    unique = iter(dict.fromkeys(keys))
    while batch := list(islice(unique, _BATCH)):
        yield batch


@dataclass(frozen=True, slots=True)
class Attempt:
    """The current attempt at a trial, in short.

    number : 1, 2, ...: how often it was tried. wall_s : seconds that it took. source_hash : the fingerprint of the
    algorithm's code, '' where the outcome holds none. memory : bytes that it was allowed, of one that ran out of them;
    None where nobody limited it, or that is not known. cpu_s : CPU seconds that it was allowed, of one that reached
    that limit; 0 for every other.
    """

    number: int
    status: Status
    wall_s: float
    source_hash: str
    memory: int | None = None
    cpu_s: float = 0.0


def current_attempts(db: Database, keys: Iterable[str]) -> dict[str, Attempt]:
    """The current attempt at each of `keys` that was ever tried. Cost: one statement for each 5000 keys."""
    with db.read() as connection:
        rows = (row for batch in batches(keys) for row in connection.execute(_CURRENT_AMONG, {"keys": batch}))
        return {row.key: _attempt(row) for row in rows}


def _attempt(row: Any) -> Attempt:
    status = Status(row.status)
    cpu_s = row.cpu_s or 0.0 if status is Status.TIMEOUT else 0.0
    return Attempt(row.number, status, row.wall_s, row.source_hash, _allowed(row.ran_out_in), cpu_s)


def _allowed(environment: str | None) -> int | None:
    """The bytes that a trial was allowed, as the environment says in which it ran out of them."""
    value = json.loads(environment or "{}").get(MEMORY_ALLOWED)
    return value if isinstance(value, int) else None


def finished(db: Database, keys: Iterable[str], replacing: Mapping[str, int] = _NOTHING) -> set[str]:
    """Subset of `keys` that need no run: done, skipped or failed in whatever way.

    replacing : key -> the number of an attempt that counts for nothing, with all before it: it is being run again.
    Cost: one statement for each 5000 keys.
    """
    attempts = current_attempts(db, keys)
    return {key for key, item in attempts.items() if item.status in ENDED and item.number > replacing.get(key, 0)}


def identities(db: Database) -> Iterator[dict[str, Any]]:
    """The identity (`Trial.identity`) of every stored trial."""
    with db.read() as connection:
        for text in connection.scalars(select(schema.trials.c.identity)):
            yield json.loads(text)


def counts(db: Database) -> dict[Status, int]:
    """Number of trials by current status; a status without trials is left out."""
    with db.read() as connection:
        values = {row[0]: row[1] for row in connection.execute(_COUNTS)}
    return {status: values[status] for status in Status if status in values}


def register(db: Database, trials: Iterable[Trial]) -> None:
    """Note what a study calls its trials, so that one already run under another name shows under this one too.

    Names are no part of the key: '3sources' and the list of all its views, or two protocols with the same settings,
    are one trial. A run calls this once with all that it plans. Cost: two statements per 5000 trials.
    """
    rest = iter(trials)
    while batch := list(islice(rest, _BATCH)):
        with db.write() as connection:
            register_within(connection, batch)


def register_within(connection: Connection, trials: Sequence[Trial]) -> None:
    """The same within a transaction that writes, for no more trials than fit into one statement."""
    trials = sorted(trials, key=lambda trial: trial.key)  # two runs that lock rows in one order do not lock each other
    add_trials, add_names = _registration(connection.dialect.name)
    connection.execute(add_trials, [_trial_row(trial) for trial in trials])
    connection.execute(add_names, [_name_row(trial) for trial in trials])


@cache
def _registration(dialect: str) -> tuple[Any, Any]:
    """The two statements that add trials and their names where they are not known yet."""
    insert = insert_for(dialect)
    named = insert(schema.names)
    shown = {name: named.excluded[name] for name in ("picks_by_labels", "source")}
    return (
        insert(schema.trials).on_conflict_do_nothing(),
        named.on_conflict_do_update(index_elements=list(schema.names.primary_key), set_=shown),
    )


def _name_row(trial: Trial) -> dict[str, Any]:
    return {
        "key": trial.key,
        "dataset": trial.dataset,
        "protocol": trial.protocol.name,
        "picks_by_labels": trial.picks_by_labels,
        "source": _source_json(trial.source),
    }


@lru_cache(maxsize=128)
def _source_json(source: Source) -> str:
    """A study has few sources, and each many trials."""
    return source.without_folders().to_json()


def _trial_row(trial: Trial) -> dict[str, Any]:
    prepare = ",".join(str(step) for step in trial.prepare)
    return {
        "key": trial.key,
        "identity": trial.identity_json,
        "algorithm": trial.algorithm,
        "algorithm_version": trial.algorithm_version,
        "params": canonical_json(dict(trial.params)),
        "content": trial.content,
        "corruption": trial.corruption,
        "rate": trial.rate,
        "prepare": prepare,
        "pick": trial.protocol.pick,
        "seed": _within_64_bits(trial.seed),
        "repeat": int(trial.repeat),
        "scaling": scaling_in(prepare),
        "filling": filling_in(prepare),
    }


def _within_64_bits(seed: int) -> int:
    if not -(2**63) <= seed < 2**63:
        raise InvalidSetting(f"the seed {seed} is too large; give one of at most 18 digits.")
    return int(seed)


# The trials that are done, as they were described: what a later metric is computed from.


@dataclass(frozen=True, slots=True)
class DoneTrial:
    """A stored trial: its key, its identity (`Trial.identity()`) and one source of its data."""

    key: str
    identity: dict[str, Any]
    source: Source

    @property
    def dataset(self) -> str:
        """Display name of the data."""
        return self.source.name


def done_trials(
    db: Database,
    *,
    datasets: Iterable[str] | None = None,
    where: Sequence[ColumnElement[bool]] = (),
) -> list[DoneTrial]:
    """Every trial that is done, each once, in the order of the keys.

    datasets : only of these. where : only what a filter stands for (`mvarena.store.filters.chosen`).
    """
    query = select(trials.c.key, trials.c.identity, names.c.dataset, names.c.source)
    query = query.select_from(trials.join(names).join(attempts)).where(
        IS_CURRENT, attempts.c.status == Status.DONE, *where
    )
    if datasets is not None:
        query = query.where(names.c.dataset.in_(list(datasets)))
    with db.read() as connection:
        rows = connection.execute(query.order_by(trials.c.key, names.c.dataset)).fetchall()
    values = {
        row.key: DoneTrial(row.key, json.loads(row.identity), _source(row.dataset, row.source))
        for row in reversed(rows)
    }
    return list(reversed(values.values()))


def _source(dataset: str, source: str | None) -> Source:
    """Source of a trial; where it is unknown, a data set of that name, which gives an error when it is loaded."""
    return Source(dataset=dataset) if source is None else Source.from_json(source)


def scored_keys(db: Database, metric: str, version: str | None) -> set[str]:
    """The done trials that hold this version of a metric already; None: any version."""
    query = select(attempts.c.key).select_from(attempts.join(scores)).where(IS_CURRENT, scores.c.metric == metric)
    if version is not None:
        query = query.where(scores.c.metric_version == version)
    query = query.distinct()
    with db.read() as connection:
        return set(connection.scalars(query))


def stored_scores(db: Database, metric: str) -> dict[tuple[str, int, str], float]:
    """(key, restart, version of the metric) -> score, of the done trials that hold the metric."""
    columns = (attempts.c.key, scores.c.restart, scores.c.metric_version, scores.c.value)
    query = select(*columns).select_from(attempts.join(scores)).where(IS_CURRENT, scores.c.metric == metric)
    with db.read() as connection:
        return {(row.key, row.restart, row.metric_version): row.value for row in connection.execute(query)}


def stored_sources(db: Database) -> list[tuple[Source, str]]:
    """The distinct sources of all stored trials, each with its content."""
    query = select(names.c.dataset, names.c.source, trials.c.content).select_from(trials.join(names)).distinct()
    with db.read() as connection:
        rows = connection.execute(query).fetchall()
    return [(_source(row.dataset, row.source), row.content) for row in rows]


def note_sources(db: Database, done: Iterable[DoneTrial]) -> None:
    """Store the sources of these trials in the place of those that were known, such as with outcomes added."""
    with db.write() as connection:
        for trial in done:
            of_trial = (names.c.key == trial.key, names.c.dataset == trial.dataset)
            connection.execute(update(names).where(*of_trial).values(source=_source_json(trial.source)))


# Stored trials that a plan does not use, because what they ran has another version, parameters or data.


def outdated(db: Database, trials: Sequence[Trial]) -> list[str]:
    """One sentence for each reason why stored trials of the plan's algorithms, on its data, run again.

    Data whose name stands for other numbers in the store are among the reasons. Cost: two statements, O(distinct
    parameter settings and contents).
    """
    now = {trial.algorithm: (trial.algorithm_version, set(trial.params)) for trial in trials}
    query = select(stored.c.algorithm, stored.c.algorithm_version, stored.c.params, func.count())
    query = query.where(stored.c.algorithm.in_(list(now)), stored.c.content.in_({trial.content for trial in trials}))
    query = query.group_by(stored.c.algorithm, stored.c.algorithm_version, stored.c.params)
    with db.read() as connection:
        rows = connection.execute(query).fetchall()
    reasons: Counter[tuple[str, str]] = Counter()
    for algorithm, version, params, count in rows:
        version_now, names_now = now[algorithm]
        gone = sorted(set(json.loads(params)) - names_now)
        new = sorted(names_now - set(json.loads(params)))
        if version != version_now:
            reasons[algorithm, f"are of version {version}, and the installed version is {version_now}"] += count
        elif gone:
            reasons[algorithm, f"set {', '.join(gone)}, which the installed one does not have"] += count
        elif new:
            reasons[algorithm, f"do not know its {', '.join(new)}"] += count
    return [
        f"{plural(count, 'stored trial')} of {algorithm} {why}: they are kept, and it runs again."
        for (algorithm, why), count in sorted(reasons.items())
    ] + _of_other_content(db, trials)


def _of_other_content(db: Database, trials: Sequence[Trial]) -> list[str]:
    """One sentence for each data set of the plan whose name stands for other numbers in the store, too."""
    now: dict[str, set[str]] = {}
    for trial in trials:
        now.setdefault(trial.dataset, set()).add(trial.content)
    query = select(names.c.dataset, stored.c.content, func.count(stored.c.key.distinct())).select_from(
        stored.join(names)
    )
    query = query.where(names.c.dataset.in_(list(now))).group_by(names.c.dataset, stored.c.content)
    with db.read() as connection:
        rows = connection.execute(query).fetchall()
    others: Counter[str] = Counter()
    for dataset, content, count in rows:
        others[dataset] += 0 if content in now[dataset] else count
    return [
        f"{plural(count, 'stored trial')} of {dataset} {'was' if count == 1 else 'were'} of other content; reports "
        "show the two separately."
        for dataset, count in sorted(others.items())
        if count
    ]
