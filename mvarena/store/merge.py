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
from functools import cache
from typing import Any

from sqlalchemy import Column, Connection, Row, Select, Table, bindparam, select

from mvarena.contracts.outcome import Status
from mvarena.errors import StoreError
from mvarena.store.cards import set_variants, store_cards
from mvarena.store.checks import problems
from mvarena.store.database import Database
from mvarena.store.encoding import unpack_labels
from mvarena.store.numbering import Numbers
from mvarena.store.runs import merge_runs
from mvarena.store.schema import attempts, cards, labellings, methods, metrics, names, scores, texts, trials
from mvarena.store.trials import FAILURES, adding_names, parts_of

_AT_ONCE = 200  # trials in one transaction
_SAYS = {Status.DONE: 3, Status.SKIPPED: 2} | dict.fromkeys(FAILURES, 1) | {Status.INTERRUPTED: 0}
_OF_RUN = ("status", "started_at", "wall_s", "code_text")  # what tells one run of a trial from another


@dataclass(frozen=True, slots=True)
class Conflict:
    """A trial that was done in both databases, with other labels or scores; ours stay."""

    key: str
    algorithm: str


@dataclass(slots=True)
class Merged:
    """Result of a merge, in trials: added (new here), taken_over (tried here, and the other's attempt says more),
    completed (names or scores were added), unchanged, and the conflicts. runs : how many were added."""

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
        with other.read() as source, db.write() as target:
            _merge_part(_Merging(source, target), batch, done)
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


class _Merging:
    """Two open databases, and the numbers that rows of `source` have in `target`."""

    def __init__(self, source: Connection, target: Connection) -> None:
        self.source, self.target = source, target
        self._numbers = Numbers(target)
        self._known: dict[tuple[str, int], int] = {}

    def stands_for(self, table: Table, theirs: int, ours: int) -> None:
        """Note that the row of `table` numbered `theirs` in the source is the one numbered `ours` in the target."""
        self._known[table.name, theirs] = ours

    def number(self, table: Table, theirs: int) -> int:
        """The number in the target of the source's row; it is added where it is not there yet, with what it refers
        to. Cost: some statements, the first time."""
        if (table.name, theirs) not in self._known:
            row = self.source.execute(_rows_by(table.c.id), {"one": theirs}).one()
            self.stands_for(table, theirs, self._numbers.of(table, **self.translated(table, row)))
        return self._known[table.name, theirs]

    def translated(self, table: Table, row: Row[Any]) -> dict[str, Any]:
        """A row of the source, without its own number, as it refers to rows of the target."""
        values = {column.name: row._mapping[column.name] for column in table.columns if column.name != "id"}
        for name, referred in _references(table):
            if values[name] is not None:
                values[name] = self.number(referred, values[name])
        return values


@cache
def _rows_by(column: Column[Any]) -> Any:
    """The statement that reads the rows of a table with one value of `column`."""
    return select(column.table).where(column == bindparam("one"))


@cache
def _references(table: Table) -> list[tuple[str, Table]]:
    """Columns that hold numbers of rows of other tables, and which these are."""
    return [(column.name, key.column.table) for column in table.columns for key in column.foreign_keys]


@dataclass(frozen=True, slots=True)
class _Tried:
    """Some trials of a database by key: number and method, and their attempts, with the text of their code."""

    trials: dict[str, Row[Any]]
    attempts: dict[str, list[Row[Any]]]

    @classmethod
    def read(cls, connection: Connection, keys: Sequence[str]) -> _Tried:
        some = trials.c.key.in_(keys)
        described: Select[Any] = select(trials.c.key, trials.c.id, methods.c.name).join_from(trials, methods)
        query = select(attempts, trials.c.key, texts.c.text.label("code_text"))
        query = query.join_from(attempts, trials).outerjoin(texts, texts.c.id == attempts.c.code).where(some)
        tried: dict[str, list[Row[Any]]] = defaultdict(list)
        for row in connection.execute(query.order_by(attempts.c.number)):
            tried[row.key].append(row)
        return cls({row.key: row for row in connection.execute(described.where(some))}, tried)


def _merge_part(merging: _Merging, keys: Sequence[str], done: Merged) -> None:
    ours, theirs = _Tried.read(merging.target, keys), _Tried.read(merging.source, keys)
    for key, trial in theirs.trials.items():
        here, there = ours.attempts.get(key, []), theirs.attempts.get(key, [])
        if key in ours.trials:
            merging.stands_for(trials, trial.id, ours.trials[key].id)
        merging.number(trials, trial.id)
        named = _add_names(merging, trial.id)
        if key not in ours.trials:
            _copy(merging, there, first=1)
            done.added += 1
        elif _goes_on(here, there):
            known = {_run(row) for row in here}
            _copy(merging, [row for row in there if _run(row) not in known], first=_after(here))
            done.taken_over += 1
        elif (_complete(merging, here[-1], there[-1]) if here and there else 0) + named:
            done.completed += 1
        else:
            done.unchanged += 1
        if here and there and _apart(here, there) and _disagree(merging, here[-1], there[-1]):
            done.conflicts.append(Conflict(key, trial.name))


def _add_names(merging: _Merging, theirs: int) -> int:
    """Add the names of a trial that it has not yet; how many."""
    adding = adding_names(merging.target.dialect.name)
    called = merging.source.execute(_rows_by(names.c.trial), {"one": theirs}).fetchall()
    rows = [merging.translated(names, row) for row in called]
    return sum(max(0, merging.target.execute(adding, row).rowcount) for row in rows)


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
    return int(rows[-1].number) + 1 if rows else 1


def _says(tried: Sequence[Row[Any]]) -> int:
    """Amount of information in the current attempt; negative where there is none."""
    return _SAYS.get(Status(tried[-1].status), 0) if tried else -1


def _run(row: Row[Any]) -> tuple[Any, ...]:
    # not a number is no number twice
    return tuple(None if value != value else value for value in (row._mapping[name] for name in _OF_RUN))


def _copy(merging: _Merging, rows: Sequence[Row[Any]], *, first: int) -> None:
    """Add attempts with their labels and scores, numbered on from `first`."""
    for number, row in enumerate(rows, first):
        values = merging.translated(attempts, row) | {"number": number}
        added = merging.target.execute(attempts.insert(), values).inserted_primary_key
        assert added is not None
        merging.stands_for(attempts, row.id, added[0])
        for table in (labellings, scores):
            _add(merging, table, merging.source.execute(_rows_by(table.c.attempt), {"one": row.id}).fetchall())


def _add(merging: _Merging, table: Table, rows: Iterable[Row[Any]]) -> None:
    if copied := [merging.translated(table, row) for row in rows]:
        merging.target.execute(table.insert(), copied)


def _complete(merging: _Merging, mine: Row[Any], its: Row[Any]) -> int:
    """Add the scores that the other has of the same result, and we have not; how many."""
    if not _same_result(merging, mine, its):
        return 0
    known = {score.name for score in _scores(merging.target, mine)}
    new = [score for score in _scores(merging.source, its) if score.name not in known]
    merging.stands_for(attempts, its.id, mine.id)
    _add(merging, scores, new)
    return len(new)


def _scores(connection: Connection, attempt: Row[Any]) -> list[Row[Any]]:
    """The scores of an attempt, with the names and versions of their metrics."""
    query = select(scores, metrics.c.name, metrics.c.version).join_from(scores, metrics)
    return list(connection.execute(query.where(scores.c.attempt == attempt.id)))


def _labels(connection: Connection, attempt: Row[Any]) -> list[int] | None:
    """The labels of the restart that counts, if they are kept."""
    own = (labellings.c.attempt == attempt.id, labellings.c.restart == attempt.restart)
    packed = connection.scalar(select(labellings.c.labels).where(*own))
    return None if packed is None else unpack_labels(packed).tolist()


def _disagree(merging: _Merging, mine: Row[Any], its: Row[Any]) -> bool:
    return mine.status == its.status == Status.DONE.value and not _same_result(merging, mine, its)


def _same_result(merging: _Merging, mine: Row[Any], its: Row[Any]) -> bool:
    """True for equal labels; where either database holds none, for equal scores, of which there are some."""
    sides = (merging.target, mine), (merging.source, its)
    labels = [_labels(*side) for side in sides]
    if None not in labels:
        return labels[0] == labels[1]
    first, second = ({(one.name, one.version): one.value for one in _scores(*side)} for side in sides)
    both = first.keys() & second.keys()
    return bool(both) and all(
        first[one] == second[one] or (math.isnan(first[one]) and math.isnan(second[one])) for one in both
    )
