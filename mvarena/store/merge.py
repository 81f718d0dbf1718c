"""Merging: what another database holds is added to this one, trial by trial, by key.

Nothing that is stored here is changed or lost. A trial that is not here comes whole, with all its attempts; a trial
that is here gets the names and the later scores of the other. Where one ran it again after the other's attempt, the
later counts; where each ran it alone, the attempt that says more (done, then skipped, then a failure, then an
interruption), ours where they say as much.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, Table, select

from mvarena.contracts.outcome import Score, Status
from mvarena.errors import StoreError
from mvarena.store.cards import set_variants, store_cards
from mvarena.store.checks import problems
from mvarena.store.database import Database
from mvarena.store.encoding import unpack_labels
from mvarena.store.numbering import Numbers
from mvarena.store.runs import merge_runs
from mvarena.store.schema import (
    TEXTS,
    attempts,
    cards,
    conditions,
    datasets,
    environments,
    labellings,
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
from mvarena.store.trials import FAILURES, adding_names, parts_of
from mvarena.store.write_outcomes import add_values

_AT_ONCE = 200  # trials in one transaction
_SAYS = {Status.DONE: 3, Status.SKIPPED: 2} | dict.fromkeys(FAILURES, 1) | {Status.INTERRUPTED: 0}
_OF_RUN = ("status", "started_at", "wall_s", "code")  # what tells one run of a trial from another


@dataclass(frozen=True, slots=True)
class Conflict:
    """A trial that was done in both databases, with other labels or scores; ours stay. other_code : whether the code
    differs."""

    key: str
    algorithm: str
    other_code: bool


@dataclass(slots=True)
class Merged:
    """Result of a merge, in trials: added (new here), taken_over (tried here, and the other's attempt says more),
    completed (names or scores were added), unchanged, and the conflicts. runs : how many were added, or their end."""

    added: int = 0
    taken_over: int = 0
    completed: int = 0
    unchanged: int = 0
    runs: int = 0
    conflicts: list[Conflict] = field(default_factory=list)


def merge(db: Database, other: Database, on_trial: Callable[[int], None] | None = None) -> Merged:
    """Add all that `other` holds to `db`; a merge that is done again changes nothing.

    Each transaction takes some 200 trials, so what an interrupted merge has added stays, and it may be started again.
    on_trial : called with the number of trials after each.
    Raises StoreError, also for two addresses of one database, and where the other is not whole
    (`mvarena.store.checks.problems`), which is looked at first.
    """
    if db.address == other.address:
        raise StoreError(f"{db.where} cannot be merged into itself; name two databases.")
    for problem in problems(other):
        raise StoreError(f"nothing was merged: {other.where} is not whole: {problem}")
    with other.read() as source:
        keys = list(source.scalars(select(trials.c.key).order_by(trials.c.key)))
    done = Merged()
    for batch in parts_of(keys, _AT_ONCE):
        with other.read() as source:
            theirs = _Part.read(source, batch)
        with db.write() as target:
            _merge_part(target, theirs, done)
        if on_trial:
            on_trial(len(batch))
    done.runs = merge_runs(db, other)
    _merge_cards(db, other)
    return done


def _merge_cards(db: Database, other: Database) -> None:
    """Take in the cards of what is not described here."""
    with other.read() as source:
        theirs = {(row.component, row.name): row.card for row in source.execute(select(cards))}
    with db.write() as target:
        known = {(row.component, row.name) for row in target.execute(select(cards))}
        store_cards(target, {place: card for place, card in theirs.items() if place not in known})
        set_variants(target)


@dataclass(frozen=True, slots=True)
class _Part:
    """Some trials by key, their names and attempts by key, labellings and scores by attempt; texts of attempts as they
    read, and what else rows refer to by its number."""

    trials: dict[str, Row[Any]]
    names: dict[str, list[Row[Any]]]
    attempts: dict[str, list[dict[str, Any]]]
    labellings: dict[int, list[Row[Any]]]
    scores: dict[int, list[Score]]
    shared: dict[str, dict[int, dict[str, Any]]]

    @classmethod
    def read(cls, connection: Connection, keys: Sequence[str]) -> _Part:
        described = {row.id: row for row in _rows(connection, trials, "key", keys)}
        called = list(_rows(connection, names, "trial", described))
        tried = [dict(row._mapping) for row in _rows(connection, attempts, "trial", described, attempts.c.number)]
        known = {
            row.id: row.text for row in _rows(connection, texts, "id", {row[name] for row in tried for name in TEXTS})
        }
        tried = [row | {name: known.get(row[name], "") for name in TEXTS} for row in tried]
        ids = [row["id"] for row in tried]
        of_attempts = _rows(connection, labellings, "attempt", ids, labellings.c.restart)
        found = list(described.values())
        data = _by_id(connection, datasets, {row.dataset for row in found})
        of_data = {row["truth"] for row in (*data.values(), *tried)}
        return cls(
            {row.key: row for row in found},
            _grouped(called, lambda row: described[row.trial].key),
            _grouped(tried, lambda row: described[row["trial"]].key),
            _grouped(of_attempts, lambda row: row.attempt),
            _scores(connection, ids),
            {
                "datasets": data,
                "truths": _by_id(connection, truths, of_data),
                "methods": _by_id(connection, methods, {row.method for row in found}),
                "conditions": _by_id(connection, conditions, {row.condition for row in found}),
                "sources": _by_id(connection, sources, {row.source for row in called}),
                "protocols": _by_id(connection, protocols, {row.protocol for row in (*found, *called)}),
                "environments": _by_id(connection, environments, {row["environment"] for row in tried}),
            },
        )

    def number(self, numbers: Numbers, table: Table, theirs: int | None) -> int | None:
        """The number in the target of what they call `theirs`; it is added where it is not there yet."""
        if theirs is None:
            return None
        row = dict(self.shared[table.name][theirs])
        if table is datasets:
            row["truth"] = self.number(numbers, truths, row["truth"])
        return numbers.of(table, **row)

    def labels_of(self, attempt: dict[str, Any]) -> list[list[int]]:
        """The labels of the restart that counts, if they are kept."""
        rows = self.labellings.get(attempt["id"], [])
        return [unpack_labels(row.labels).tolist() for row in rows if row.restart == attempt["restart"]]


def _rows(connection: Connection, table: Table, by: str, values: Iterable[Any], *order: Any) -> Iterable[Row[Any]]:
    wanted = [value for value in values if value is not None]
    return connection.execute(select(table).where(table.c[by].in_(wanted)).order_by(*order)).fetchall()


def _by_id(connection: Connection, table: Table, ids: Iterable[int | None]) -> dict[int, dict[str, Any]]:
    """Rows by number, without it."""
    rows = [dict(row._mapping) for row in _rows(connection, table, "id", set(ids))]
    return {row.pop("id"): row for row in rows}


def _grouped(rows: Iterable[Any], place: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    result: dict[Any, list[Any]] = defaultdict(list)
    for row in rows:
        result[place(row)].append(row)
    return result


def _scores(connection: Connection, ids: Sequence[int]) -> dict[int, list[Score]]:
    query = select(scores, metrics.c.name, metrics.c.version).join(metrics, metrics.c.id == scores.c.metric)
    result: dict[int, list[Score]] = defaultdict(list)
    for row in connection.execute(query.where(scores.c.attempt.in_(ids))):
        result[row.attempt].append(Score(row.name, row.version, row.value, row.spread))
    return result


def _merge_part(target: Connection, theirs: _Part, done: Merged) -> None:
    ours, numbers = _Part.read(target, list(theirs.trials)), Numbers(target)
    for key, trial in theirs.trials.items():
        here, there = ours.attempts.get(key, []), theirs.attempts.get(key, [])
        number = ours.trials[key].id if key in ours.trials else _add_trial(numbers, theirs, trial)
        named = _add_names(target, numbers, theirs, key, number)
        if key not in ours.trials:
            _copy(target, numbers, theirs, there, number, first=1)
            done.added += 1
        elif _goes_on(here, there):
            known = {_run(row) for row in here}
            new = [row for row in there if _run(row) not in known]
            _copy(target, numbers, theirs, new, number, first=_after(here))
            done.taken_over += 1
        elif (_complete(target, numbers, ours, theirs, here, there) if here and there else 0) + named:
            done.completed += 1
        else:
            done.unchanged += 1
        if here and there and _apart(here, there) and here[-1]["status"] == there[-1]["status"] == Status.DONE.value:
            mine, its = here[-1], there[-1]
            if not _same_result(ours, theirs, mine, its):
                algorithm = theirs.shared["methods"][trial.method]["name"]
                done.conflicts.append(Conflict(key, algorithm, mine["code"] != its["code"]))


def _add_trial(numbers: Numbers, theirs: _Part, trial: Row[Any]) -> int:
    row = {"key": trial.key, "seed": trial.seed, "repeat": trial.repeat}
    for name, table in (("method", methods), ("dataset", datasets), ("condition", conditions), ("protocol", protocols)):
        row[name] = theirs.number(numbers, table, getattr(trial, name))
    return numbers.of(trials, **row)


def _add_names(target: Connection, numbers: Numbers, theirs: _Part, key: str, trial: int) -> int:
    """Add the names of a trial that it has not yet; how many."""
    adding, count = adding_names(target.dialect.name), 0
    for name in theirs.names.get(key, []):
        source, protocol = (theirs.number(numbers, table, getattr(name, one))
                            for one, table in (("source", sources), ("protocol", protocols)))  # fmt: skip
        count += max(0, target.execute(adding, {"trial": trial, "source": source, "protocol": protocol}).rowcount)
    return count


def _goes_on(here: Sequence[dict[str, Any]], there: Sequence[dict[str, Any]]) -> bool:
    """True if the other's attempts take the place of ours."""
    if not here or not there:
        return bool(there)
    if _apart(here, there):
        return _says(there) > _says(here)
    return _run(there[-1]) not in {_run(row) for row in here}


def _apart(here: Sequence[dict[str, Any]], there: Sequence[dict[str, Any]]) -> bool:
    """True if neither knows the current attempt of the other."""
    return _run(here[-1]) not in {_run(row) for row in there} and _run(there[-1]) not in {_run(row) for row in here}


def _after(rows: Sequence[dict[str, Any]]) -> int:
    return rows[-1]["number"] + 1 if rows else 1


def _says(tried: Sequence[dict[str, Any]]) -> int:
    """Amount of information in the current attempt; negative where there is none."""
    return _SAYS.get(Status(tried[-1]["status"]), 0) if tried else -1


def _run(row: dict[str, Any]) -> tuple[Any, ...]:
    # not a number is no number twice
    return tuple(None if value != value else value for value in (row[name] for name in _OF_RUN))


def _copy(
    target: Connection, numbers: Numbers, theirs: _Part, rows: Sequence[dict[str, Any]], trial: int, *, first: int
) -> None:
    """Add attempts with their labels and scores, numbered on from `first`."""
    for number, row in enumerate(rows, first):
        values = {name: value for name, value in row.items() if name != "id"}
        values |= {name: numbers.of_text(row[name]) for name in TEXTS}
        values |= {"trial": trial, "number": number, "truth": theirs.number(numbers, truths, row["truth"])}
        values["environment"] = theirs.number(numbers, environments, row["environment"])
        added = target.execute(attempts.insert(), values).inserted_primary_key
        assert added is not None
        copied = [{**item._mapping, "attempt": added[0]} for item in theirs.labellings.get(row["id"], [])]
        if copied:
            target.execute(labellings.insert(), copied)
        add_values(target, numbers, added[0], theirs.scores.get(row["id"], []))


def _complete(
    target: Connection,
    numbers: Numbers,
    ours: _Part,
    theirs: _Part,
    here: Sequence[dict[str, Any]],
    there: Sequence[dict[str, Any]],
) -> int:
    """Add the scores that the other has of the same result, and we have not; how many."""
    mine, its = here[-1], there[-1]
    if not _same_result(ours, theirs, mine, its):
        return 0
    known = {score.metric for score in ours.scores.get(mine["id"], [])}
    new = [score for score in theirs.scores.get(its["id"], []) if score.metric not in known]
    add_values(target, numbers, mine["id"], new)
    return len(new)


def _same_result(ours: _Part, theirs: _Part, mine: dict[str, Any], its: dict[str, Any]) -> bool:
    """True for equal labels; where either database holds none, for equal scores, of which there are some."""
    labels = ours.labels_of(mine), theirs.labels_of(its)
    if all(labels):
        return labels[0] == labels[1]
    first, second = ({(one.metric, one.metric_version): one.value for one in part.scores.get(attempt["id"], [])}
                     for part, attempt in ((ours, mine), (theirs, its)))  # fmt: skip
    both = first.keys() & second.keys()
    return bool(both) and all(
        first[one] == second[one] or (math.isnan(first[one]) and math.isnan(second[one])) for one in both
    )
