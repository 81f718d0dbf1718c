"""Trials: registered, named, whether they need a run, and which stored ones a plan does not use."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from types import MappingProxyType
from typing import Any, TypeVar

from sqlalchemy import BigInteger, ColumnElement, Connection, bindparam, delete, exists, func, select

from mvarena.contracts.outcome import Status
from mvarena.contracts.source import Source
from mvarena.contracts.trial import Trial
from mvarena.store import schema
from mvarena.store.cards import set_variants
from mvarena.store.connections import insert_for
from mvarena.store.database import Database
from mvarena.store.descriptions import (
    NAMED,
    condition_row,
    identities_of,
    method_row,
    protocol_row,
    source_row,
    within_64_bits,
)
from mvarena.store.numbering import Numbers
from mvarena.store.schema import attempts, datasets, methods, metrics, names, scores, sources, texts, trials
from mvarena.text import plural

SETTLED = (Status.DONE, Status.SKIPPED)
FAILURES = (Status.FAILED, Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.CRASHED)
ENDED = (*SETTLED, *FAILURES)
T = TypeVar("T")
_BATCH = 5000  # keys in one statement, well below every database's limit

# Statements are built once: building one anew takes longer than SQLite takes to run it.
_later = schema.attempts.alias("later")
_latest = select(func.max(_later.c.number)).where(_later.c.trial == schema.attempts.c.trial).scalar_subquery()

IS_CURRENT: ColumnElement[bool] = schema.attempts.c.number == _latest
"""The condition on `attempts` for a key's current outcome: the latest.

Nothing follows a settled one by itself; what was run again because someone asked for it takes its place.
"""

_CURRENT = (
    select(trials.c.key, attempts.c.number, attempts.c.status, texts.c.text.label("source_hash"))
    .select_from(attempts.join(trials).outerjoin(texts, texts.c.id == attempts.c.code))
    .where(IS_CURRENT, trials.c.key.in_(bindparam("keys", expanding=True)))
)
_NOTHING: Mapping[str, int] = MappingProxyType({})
_COUNTS = select(schema.attempts.c.status, func.count()).where(IS_CURRENT).group_by(schema.attempts.c.status)


def parts_of(values: Iterable[T], size: int | None = None) -> Iterator[list[T]]:
    """The values in lists of at most `size` (None: as many as fit into one statement)."""
    rest = iter(values)
    while part := list(islice(rest, size or _BATCH)):
        yield part


def batches(keys: Iterable[str]) -> Iterator[list[str]]:
    """The keys, each once, in lists that fit into one statement."""
    return parts_of(dict.fromkeys(keys))


@dataclass(frozen=True, slots=True)
class Attempt:
    """The current attempt at a trial, in short.

    number : 1, 2, ...: how often it was tried. source_hash : the fingerprint of the algorithm's code, '' where the
    outcome holds none.
    """

    number: int
    status: Status
    source_hash: str


def current_attempts(db: Database, keys: Iterable[str]) -> dict[str, Attempt]:
    """The current attempt at each of `keys` that was ever tried. Cost: one statement for each 5000 keys."""
    with db.read() as connection:
        rows = (row for batch in batches(keys) for row in connection.execute(_CURRENT, {"keys": batch}))
        return {row.key: Attempt(row.number, Status(row.status), row.source_hash or "") for row in rows}


def restarts_kept(db: Database, keys: Iterable[str]) -> dict[str, float]:
    """Number of restarts whose labels are stored of each of `keys`: infinity where no restart changes them, of a
    method that ends in clusters itself. Cost: as `current_attempts`.
    """
    labellings = schema.labellings
    counted = select(trials.c.key, func.count().label("n"), func.max(labellings.c.inertia).label("inertia"))
    query = counted.select_from(labellings.join(attempts).join(trials)).where(IS_CURRENT).group_by(trials.c.key)
    with db.read() as connection:
        found = [row for batch in batches(keys) for row in connection.execute(query.where(trials.c.key.in_(batch)))]
    return {row.key: math.inf if row.inertia == 0 else row.n for row in found}


def finished(db: Database, keys: Iterable[str], replacing: Mapping[str, int] = _NOTHING) -> set[str]:
    """Subset of `keys` that need no run: done, skipped or failed in whatever way.

    replacing : key -> the number of an attempt that counts for nothing, with all before it: it is being run again.
    Cost: one statement for each 5000 keys.
    """
    attempts = current_attempts(db, keys)
    return {key for key, item in attempts.items() if item.status in ENDED and item.number > replacing.get(key, 0)}


def counts(db: Database) -> dict[Status, int]:
    """Number of trials by current status; a status without trials is left out."""
    with db.read() as connection:
        values = {row[0]: row[1] for row in connection.execute(_COUNTS)}
    return {status: values[status] for status in Status if status in values}


def register(db: Database, planned: Iterable[Trial]) -> None:
    """Note what a study calls its trials, so that one already run under another name shows under this one too.

    Names are no part of the key: '3sources' and the list of all its views, or two protocols with the same settings,
    are one trial. A run calls this once with all that it plans. Cost: three statements per 5000 trials.
    """
    for batch in parts_of(planned):
        with db.write() as connection:
            register_within(connection, batch)


def register_within(connection: Connection, planned: Sequence[Trial]) -> None:
    """The same within a transaction that writes, for no more trials than fit into one statement."""
    # two runs that lock rows in one order do not lock each other
    planned = sorted(planned, key=lambda trial: trial.key)
    numbers = Numbers(connection)
    add_trials, add_names = _registration(connection.dialect.name)
    connection.execute(add_trials, [_trial_row(numbers, trial) for trial in planned])
    known = select(trials.c.key, trials.c.id).where(trials.c.key.in_([trial.key for trial in planned]))
    ids = {row.key: row.id for row in connection.execute(known)}
    connection.execute(add_names, [_name_row(numbers, ids[trial.key], trial) for trial in planned])
    for trial in planned:
        if trial.source.outcomes is not None:
            _take_source(connection, numbers, ids[trial.key], trial.source)
    set_variants(connection)


@cache
def _registration(dialect: str) -> tuple[Any, Any]:
    """The two statements that add trials and their names where they are not known yet."""
    return insert_for(dialect)(trials).on_conflict_do_nothing(), adding_names(dialect)


def adding_names(dialect: str) -> Any:
    """The statement that adds a name of a trial, unless it is known by that name, from whatever source.

    Its parameters are the numbers of the trial, source and protocol.
    """
    known, of_known, of_new = names.alias(), sources.alias(), sources.alias()
    same_name = (
        select(known.c.trial)
        .join_from(known, of_known, of_known.c.id == known.c.source)
        .join(of_new, of_new.c.name == of_known.c.name)
        .where(
            known.c.trial == bindparam("trial"),
            known.c.protocol == bindparam("protocol"),
            of_new.c.id == bindparam("source"),
        )
    )
    row = select(*(bindparam(name, type_=BigInteger) for name in ("trial", "source", "protocol"))).where(
        ~exists(same_name)
    )
    return insert_for(dialect)(names).from_select(["trial", "source", "protocol"], row).on_conflict_do_nothing()


def _trial_row(numbers: Numbers, trial: Trial) -> dict[str, Any]:
    return {
        "key": trial.key,
        "method": numbers.of(methods, **method_row(trial)),
        "dataset": numbers.of(datasets, content=trial.content),
        "condition": numbers.of(schema.conditions, **condition_row(trial)),
        "protocol": numbers.of(schema.protocols, **protocol_row(trial.protocol)),
        "seed": within_64_bits(trial.seed),
        "repeat": int(trial.repeat),
    }


def _name_row(numbers: Numbers, trial_id: int, trial: Trial) -> dict[str, Any]:
    protocol = numbers.of(schema.protocols, **protocol_row(trial.protocol))
    return {"trial": trial_id, "source": numbers.of(sources, **dict(source_row(trial.source))), "protocol": protocol}


# The trials that are done, as they were described: what a later metric is computed from.


@dataclass(frozen=True, slots=True)
class DoneTrial:
    """A stored trial: its key, its identity (`Trial.identity()`) and one source of its data.

    started_at : when it began, UTC, ISO 8601. variant : the parameters that are not the defaults; None where nobody
    knows the defaults.
    """

    key: str
    identity: dict[str, Any]
    source: Source
    started_at: str
    variant: dict[str, Any] | None = None

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
    columns = (trials.c.key, sources.c.name, sources.c.json, attempts.c.started_at, methods.c.variant)
    query = select(*columns).select_from(NAMED.join(attempts, attempts.c.trial == trials.c.id))
    query = query.where(IS_CURRENT, attempts.c.status == Status.DONE, *where)
    if datasets is not None:
        query = query.where(sources.c.name.in_(list(datasets)))
    with db.read() as connection:
        rows = connection.execute(query.order_by(trials.c.key, sources.c.name.desc())).fetchall()
        found = {row.key: row for row in rows}  # of several names the first
        identities: dict[str, dict[str, Any]] = {}
        for batch in batches(found):
            identities |= identities_of(connection, batch)
    return [
        DoneTrial(
            key,
            identities[key],
            _source(row.name, row.json),
            row.started_at.isoformat(timespec="microseconds"),
            json.loads(row.variant) if row.variant else None,
        )
        for key, row in found.items()
    ]


def _source(name: str, text: str) -> Source:
    """Source of a trial; where it is unknown, a data set of that name, which gives an error when it is loaded."""
    return Source.from_json(text) if text else Source(dataset=name)


_SCORED = attempts.join(trials).join(scores, scores.c.attempt == attempts.c.id)
_SCORED_BY = _SCORED.join(metrics, metrics.c.id == scores.c.metric)


def scored_keys(db: Database, metric: str, version: str | None) -> set[str]:
    """The done trials that hold this version of a metric already; None: any version."""
    query = select(trials.c.key).select_from(_SCORED_BY).where(IS_CURRENT, metrics.c.name == metric)
    if version is not None:
        query = query.where(metrics.c.version == version)
    with db.read() as connection:
        return set(connection.scalars(query.distinct()))


def stored_scores(db: Database, metric: str) -> dict[tuple[str, str], float]:
    """(key, version of the metric) -> value, of the done trials that hold the metric."""
    query = select(trials.c.key, metrics.c.version, scores.c.value).select_from(_SCORED_BY)
    with db.read() as connection:
        rows = connection.execute(query.where(IS_CURRENT, metrics.c.name == metric))
        return {(row.key, row.version): row.value for row in rows}


def stored_sources(db: Database) -> list[tuple[Source, str]]:
    """The distinct sources of all stored trials, each with its content."""
    query = select(sources.c.name, sources.c.json, datasets.c.content).select_from(NAMED).distinct()
    with db.read() as connection:
        rows = connection.execute(query).fetchall()
    return [(_source(row.name, row.json), row.content) for row in rows]


def note_sources(db: Database, done: Iterable[DoneTrial]) -> None:
    """Store the sources of these trials in the place of those of the same name, such as with outcomes added."""
    with db.write() as connection:
        numbers = Numbers(connection)
        for trial in done:
            own = connection.execute(select(trials.c.id).where(trials.c.key == trial.key)).scalar_one()
            _take_source(connection, numbers, own, trial.source)


def _take_source(connection: Connection, numbers: Numbers, trial: int, source: Source) -> None:
    number = numbers.of(sources, **dict(source_row(source)))
    of_name = select(sources.c.id).where(sources.c.name == source.name)
    others = names.c.trial == trial, names.c.source.in_(of_name), names.c.source != number
    for row in connection.execute(select(names).where(*others)).fetchall():
        changed = {"trial": trial, "source": number, "protocol": row.protocol}
        connection.execute(insert_for(connection.dialect.name)(names).on_conflict_do_nothing(), changed)
    connection.execute(delete(names).where(*others))


# Stored trials that a plan does not use, because what they ran has another version, parameters or data.


def outdated(db: Database, planned: Sequence[Trial]) -> list[str]:
    """One sentence for each reason why stored trials of the plan's algorithms, on its data, run again.

    Data whose name stands for other numbers in the store are among the reasons. Cost: two statements, O(distinct
    parameter settings and contents).
    """
    now = {trial.algorithm: (trial.algorithm_version, set(trial.params)) for trial in planned}
    query = select(methods.c.name, methods.c.version, methods.c.params, func.count()).select_from(
        trials.join(methods).join(datasets)
    )
    query = query.where(methods.c.name.in_(list(now)), datasets.c.content.in_({trial.content for trial in planned}))
    with db.read() as connection:
        rows = connection.execute(query.group_by(methods.c.id)).fetchall()
    reasons: Counter[tuple[str, str]] = Counter()
    for algorithm, version, params, count in rows:
        version_now, names_now = now[algorithm]
        if version != version_now:
            reasons[algorithm, f"are of version {version}, and the installed version is {version_now}"] += count
        elif others := sorted(names_now ^ json.loads(params).keys()):
            reasons[algorithm, f"are of one with other parameters ({', '.join(others)})"] += count
    return [
        f"{plural(count, 'stored trial')} of {algorithm} {why}: they are kept, and it runs again."
        for (algorithm, why), count in sorted(reasons.items())
    ] + _of_other_content(db, planned)


def _of_other_content(db: Database, planned: Sequence[Trial]) -> list[str]:
    """One sentence for each data set of the plan whose name stands for other numbers in the store, too."""
    now: dict[str, set[str]] = {}
    for trial in planned:
        now.setdefault(trial.dataset, set()).add(trial.content)
    query = select(sources.c.name, datasets.c.content, func.count(trials.c.id.distinct())).select_from(NAMED)
    query = query.where(sources.c.name.in_(list(now))).group_by(sources.c.name, datasets.c.content)
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
