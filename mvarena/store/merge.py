"""Merging: what another database holds is added to this one, trial by trial, by key.

Nothing that is stored here is changed or lost. A trial that is not here comes whole, with all its attempts; a trial
that is here gets the names and the later scores of the other. Where one ran it again after the other's attempt, the
later counts; where each ran it alone, the attempt that says more (done, then skipped, then a failure, then an
interruption), ours where they say as much.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, Table, select

from mvarena.contracts.outcome import Status
from mvarena.errors import StoreError
from mvarena.store.checks import problems
from mvarena.store.connections import insert_for
from mvarena.store.database import Database
from mvarena.store.runs import merge_runs
from mvarena.store.schema import attempts, contents, environments, labellings, names, sample_ids, scores, trials, truths
from mvarena.store.trials import FAILURES

_AT_ONCE = 200  # trials in one transaction
_SAYS = {Status.DONE: 3, Status.SKIPPED: 2} | dict.fromkeys(FAILURES, 1) | {Status.INTERRUPTED: 0}
_OF_RUN = ("status", "started_at", "wall_s", "source_hash")  # what tells one run of a trial from another


@dataclass(frozen=True, slots=True)
class Conflict:
    """A trial that was done in both databases, with other labels; ours stay. other_code : whether the code differs."""

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
    for start in range(0, len(keys), _AT_ONCE):
        batch = keys[start : start + _AT_ONCE]
        with other.read() as source:
            theirs = _Part.read(source, batch)
        with db.write() as target:
            _merge_part(target, theirs, done)
        if on_trial:
            on_trial(len(batch))
    done.runs = merge_runs(db, other)
    return done


@dataclass(frozen=True, slots=True)
class _Part:
    """The rows of some trials, by key (attempts, names) or by attempt (labels and scores)."""

    trials: dict[str, Row[Any]]
    names: dict[str, list[Row[Any]]]
    attempts: dict[str, list[Row[Any]]]
    labellings: dict[int, list[Row[Any]]]
    scores: dict[int, list[Row[Any]]]
    environments: dict[str, Row[Any]]
    truths: dict[str, Row[Any]]
    contents: dict[str, Row[Any]]
    sample_ids: dict[str, Row[Any]]

    @classmethod
    def read(cls, connection: Connection, keys: Sequence[str]) -> _Part:
        tried = _grouped(connection, attempts, "key", keys, attempts.c.number)
        rows = [row for some in tried.values() for row in some]
        ids = [row.id for row in rows]
        described = {key: some[0] for key, some in _grouped(connection, trials, "key", keys).items()}
        return cls(
            described,
            _grouped(connection, names, "key", keys),
            tried,
            _grouped(connection, labellings, "attempt_id", ids, labellings.c.restart),
            _grouped(connection, scores, "attempt_id", ids),
            _by_id(connection, environments, {row.environment_id for row in rows}),
            _by_id(connection, truths, {row.truth_id for row in rows if row.truth_id is not None}),
            *(
                _by_id(connection, table, {row.content for row in described.values()})
                for table in (contents, sample_ids)
            ),
        )

    def labels_of(self, attempt: Row[Any]) -> list[bytes]:
        return [row.labels for row in self.labellings.get(attempt.id, [])]


def _grouped(connection: Connection, table: Table, by: str, values: Sequence[Any], *order: Any) -> dict[Any, list[Any]]:
    result: dict[Any, list[Any]] = defaultdict(list)
    for row in connection.execute(select(table).where(table.c[by].in_(values)).order_by(*order)):
        result[getattr(row, by)].append(row)
    return result


def _by_id(connection: Connection, table: Table, ids: set[str]) -> dict[str, Row[Any]]:
    (column,) = table.primary_key
    return {row[0]: row for row in connection.execute(select(table).where(column.in_(sorted(ids))))}


def _merge_part(target: Connection, theirs: _Part, done: Merged) -> None:
    ours = _Part.read(target, list(theirs.trials))
    for table in (environments, truths, contents, sample_ids):
        _insert(target, table, getattr(theirs, table.name).values())
    _insert(target, trials, theirs.trials.values())
    for key, trial in theirs.trials.items():
        named = _insert(target, names, theirs.names.get(key, []))
        here, there = ours.attempts.get(key, []), theirs.attempts.get(key, [])
        if key not in ours.trials:
            _copy(target, theirs, there, first=1)
            done.added += 1
        elif _goes_on(here, there):
            known = {_run(row) for row in here}
            _copy(target, theirs, [row for row in there if _run(row) not in known], first=_after(here))
            done.taken_over += 1
        elif (_complete(target, ours, theirs, here, there) if here and there else 0) + named:
            done.completed += 1
        else:
            done.unchanged += 1
        if here and there and _apart(here, there) and here[-1].status == there[-1].status == Status.DONE.value:
            mine, its = here[-1], there[-1]
            if ours.labels_of(mine) != theirs.labels_of(its):
                done.conflicts.append(Conflict(key, trial.algorithm, mine.source_hash != its.source_hash))


def _goes_on(here: Sequence[Row[Any]], there: Sequence[Row[Any]]) -> bool:
    """True if the other's attempts take the place of ours."""
    if not here or not there:
        return bool(there)
    if _apart(here, there):
        return _says(there) > _says(here)
    return _run(there[-1]) not in {_run(row) for row in here}


def _apart(here: Sequence[Row[Any]], there: Sequence[Row[Any]]) -> bool:
    """True if neither knows the current attempt of the other."""
    return _run(here[-1]) not in {_run(row) for row in there} and _run(there[-1]) not in {_run(row) for row in here}


def _after(rows: Sequence[Row[Any]]) -> int:
    return rows[-1].number + 1 if rows else 1


def _says(tried: Sequence[Row[Any]]) -> int:
    """Amount of information in the current attempt; negative where there is none."""
    return _SAYS.get(Status(tried[-1].status), 0) if tried else -1


def _run(row: Row[Any]) -> tuple[Any, ...]:
    # not a number is no number twice
    return tuple(None if value != value else value for value in (getattr(row, name) for name in _OF_RUN))


def _copy(target: Connection, theirs: _Part, rows: Sequence[Row[Any]], *, first: int) -> None:
    """Add attempts with their labels and scores, numbered on from `first`."""
    for number, row in enumerate(rows, first):
        values = {name: value for name, value in row._mapping.items() if name != "id"} | {"number": number}
        added = target.execute(attempts.insert(), values).inserted_primary_key
        assert added is not None
        for table, result in ((labellings, theirs.labellings), (scores, theirs.scores)):
            copied = [{**item._mapping, "attempt_id": added[0]} for item in result.get(row.id, [])]
            if copied:
                target.execute(table.insert(), copied)


def _complete(
    target: Connection, ours: _Part, theirs: _Part, here: Sequence[Row[Any]], there: Sequence[Row[Any]]
) -> int:
    """Add the scores that the other has of the same labels, and we have not; how many."""
    mine, its = here[-1], there[-1]
    if not ours.labels_of(mine) or ours.labels_of(mine) != theirs.labels_of(its):
        return 0
    known = {(row.restart, row.metric) for row in ours.scores.get(mine.id, [])}
    values = [row for row in theirs.scores.get(its.id, []) if (row.restart, row.metric) not in known]
    if values:
        target.execute(scores.insert(), [{**row._mapping, "attempt_id": mine.id} for row in values])
    return len(values)


def _insert(target: Connection, table: Table, rows: Any) -> int:
    """Add rows whose key is not there yet; how many were added."""
    adding = insert_for(target.dialect.name)(table).on_conflict_do_nothing()
    return sum(max(0, target.execute(adding, dict(row._mapping)).rowcount) for row in rows)
