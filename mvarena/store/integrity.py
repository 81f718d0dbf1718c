"""Checks that a database is intact, row by row, and that it is still the one that was opened."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, func, select, text

from mvarena.contracts.outcome import Status
from mvarena.contracts.source import Source
from mvarena.errors import MvarenaError, StoreError
from mvarena.store.checks import check_achieved, check_identity, json_of, leniently, rows_of
from mvarena.store.database import Database
from mvarena.store.encoding import (
    MOST_LABELS,
    WIDTH,
    canonical_json,
    fingerprint,
    unpack_floats,
    unpack_labels,
    unpack_texts,
)
from mvarena.store.maintenance import orphans
from mvarena.store.runs import Ended, without_trials
from mvarena.store.schema import (
    attempts,
    contents,
    environments,
    key_sets,
    labellings,
    metadata,
    names,
    run_keys,
    runs,
    sample_ids,
    scores,
    trials,
    truths,
)
from mvarena.store.trials import IS_CURRENT
from mvarena.text import shortened, visible

_SHOWN = 200  # letters of what somebody else's file holds
LIMIT_S = 600.0


@dataclass(frozen=True, slots=True)
class Fault:
    """A thing that is wrong. keys : of the trials that it concerns. runs : ids of the runs that it concerns.

    whole : the rest of the database was not looked at.
    """

    sentence: str
    keys: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    whole: bool = False


def problems(db: Database, limit_s: float = LIMIT_S) -> Iterator[str]:
    """One sentence for each thing that is wrong; none where the database is whole. As `faults`."""
    return (fault.sentence for fault in faults(db, limit_s))


def faults(db: Database, limit_s: float = LIMIT_S) -> Iterator[Fault]:
    """Every fault of a database, row by row; none where it is whole.

    limit_s : after so many seconds the check ends with a fault that says so.
    Cost: every row is read, the labels decoded one after the other.
    """
    deadline = time.monotonic() + limit_s
    try:
        with db.read() as connection, leniently(connection, deadline):
            for fault in _all_faults(connection):
                yield replace(fault, sentence=shortened(visible(fault.sentence), 2 * _SHOWN))
                if time.monotonic() > deadline:
                    raise StoreError("the time is over")
    except StoreError:
        if time.monotonic() <= deadline:
            raise
        yield Fault(f"The check was ended after {limit_s:g} s; what else is wrong is not known.", whole=True)


def _all_faults(connection: Connection) -> Iterator[Fault]:
    broken = list(_broken_pages(connection))
    yield from broken
    if broken:
        return  # what is read of a damaged file is not to be judged
    yield from _lost_references(connection)
    yield from _duplicates(connection)
    yield from _trials(connection)
    yield from _names(connection)
    yield from _attempts(connection)
    yield from _contents(connection)
    yield from _sample_ids(connection)
    sizes = yield from _truths(connection)
    yield from _labellings(connection, sizes)
    yield from _scores(connection)
    yield from _runs(connection)


def remarks(db: Database) -> Iterator[str]:
    """Harmless remarks: rows that nothing refers to."""
    with db.read() as connection:
        if count := orphans(connection):
            yield f"{count} rows of classes, environments, keys and ids are unused; vacuum removes them."
        if count := len(without_trials(connection)):
            yield f"{count} runs have no stored trial; vacuum removes them."
        never = select(func.count()).select_from(trials).where(trials.c.key.not_in(select(attempts.c.key)))
        if count := connection.scalar(never) or 0:
            yield f"{count} trials were planned but not run."


def _broken_pages(connection: Connection) -> Iterator[Fault]:
    if connection.dialect.name == "sqlite":
        rows = connection.scalars(text("PRAGMA integrity_check")).all()
        yield from (Fault(f"the file is damaged: {line}.", whole=True) for line in rows if line != "ok")


def _lost_references(connection: Connection) -> Iterator[Fault]:
    """Rows that refer to rows that are not there, which a program without foreign keys may leave."""
    for table in metadata.sorted_tables:
        for key in table.foreign_keys:
            lost = key.parent.is_not(None) & key.parent.not_in(select(key.column))
            if count := connection.scalar(select(func.count()).select_from(table).where(lost)):
                sentence = f"{count} rows of {table.name} refer to {key.column.table.name} that do not exist."
                keys, ids = _concerned(connection, table, lost)
                yield Fault(sentence, keys, ids)


def _concerned(connection: Connection, table: Table, condition: ColumnElement[bool]) -> tuple[Any, Any]:
    """The keys of trials, and the ids of runs, to which the rows belong that meet a condition."""
    if table in (labellings, scores):
        query = select(attempts.c.key).where(attempts.c.id.in_(select(table.c.attempt_id).where(condition)))
        return tuple(connection.scalars(query.distinct())), ()
    column = next(table.c[name] for name in ("key", "run_id", "id") if name in table.c)
    found = tuple(connection.scalars(select(column).where(condition).distinct()))
    return ((), found) if column.name != "key" else (found, ())


def _duplicates(connection: Connection) -> Iterator[Fault]:
    """Attempts of one number, which a file without the index for it may hold."""
    twice = select(attempts.c.key).group_by(attempts.c.key, attempts.c.number).having(func.count() > 1)
    for key in connection.scalars(twice):
        yield Fault(f"trial {_short(key)}: it has two attempts of one number.", (key,))


def _trials(connection: Connection) -> Iterator[Fault]:
    for row, wrong in rows_of(connection, trials):
        where, keys = f"trial {_short(row['key'])}", (row["key"],)
        yield from (Fault(f"{where}: {sentence}.", keys) for sentence in wrong)
        if wrong:
            continue
        try:
            identity = json_of(row["identity"], dict)
            settings = {
                "algorithm": [row["algorithm"], row["algorithm_version"]],
                "params": json_of(row["params"], dict),
                "content": row["content"],
                "seed": [row["seed"], row["repeat"]],
            }
            check_identity(identity)
            same = fingerprint(canonical_json(identity)) == row["key"]
        except (ValueError, TypeError, RecursionError) as error:
            yield Fault(f"{where}: its description cannot be read ({error}).", keys)
            continue
        if not same:
            yield Fault(f"{where}: its key does not match its description.", keys)
        if differ := [name for name, value in settings.items() if identity.get(name) != value]:
            yield Fault(f"{where}: it does not match its description in {', '.join(differ)}.", keys)


def _names(connection: Connection) -> Iterator[Fault]:
    for row, wrong in rows_of(connection, names):
        where, keys = f"trial {_short(row['key'])}, {row['dataset']}", (row["key"],)
        yield from (Fault(f"{where}: {sentence}.", keys) for sentence in wrong)
        if row["source"] is not None and not wrong:
            try:
                Source.from_json(row["source"])
            except MvarenaError as error:
                yield Fault(f"{where}: {error}", keys)
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                yield Fault(f"{where}: its source cannot be read ({error}).", keys)
    nameless = select(trials.c.key).where(trials.c.key.not_in(select(names.c.key)))
    for key in connection.scalars(nameless):
        yield Fault(f"trial {_short(key)}: it has no name, so no table shows it.", (key,))


def _attempts(connection: Connection) -> Iterator[Fault]:
    known = {status.value for status in Status}
    for row, wrong in rows_of(connection, attempts):
        where, keys = f"trial {_short(row['key'])}, attempt {row['number']}", (row["key"],)
        yield from (Fault(f"{where}: {sentence}.", keys) for sentence in wrong)
        if wrong:
            continue
        if row["status"] not in known:
            yield Fault(f"{where}: '{row['status']}' is not a status.", keys)
        try:
            unpack_floats(row["objective"])
            check_achieved(json_of(row["achieved"], dict))
        except (MvarenaError, ValueError, TypeError) as error:
            yield Fault(f"{where}: its objective or achieved rates cannot be read ({error}).", keys)
    unlabelled = select(attempts.c.key).where(IS_CURRENT, attempts.c.status == Status.DONE.value)
    unlabelled = unlabelled.where(attempts.c.id.not_in(select(labellings.c.attempt_id)))
    for key in connection.scalars(unlabelled):
        yield Fault(f"trial {_short(key)}: it is done and has no labels.", (key,))
    for row, wrong in rows_of(connection, environments):
        try:
            json_of(row["json"], dict)
        except (ValueError, TypeError) as error:
            wrong.append(f"cannot be read ({error})")
        for sentence in wrong:
            keys = tuple(connection.scalars(select(attempts.c.key).where(attempts.c.environment_id == row["id"])))
            ids = tuple(connection.scalars(select(runs.c.id).where(runs.c.environment_id == row["id"])))
            yield Fault(f"environment {_short(row['id'])}: {sentence}.", keys, ids)


def _contents(connection: Connection) -> Iterator[Fault]:
    for row, wrong in rows_of(connection, contents):
        try:
            views = json_of(row["views"], list)
            if not all(isinstance(view, list) and view and isinstance(view[-1], str | None) for view in views):
                wrong.append("its views are not described as views")
        except (ValueError, TypeError) as error:
            wrong.append(f"its views cannot be read ({error})")
        for sentence in wrong:
            keys = tuple(connection.scalars(select(trials.c.key).where(trials.c.content == row["content"])))
            yield Fault(f"data {_short(row['content'])}: {sentence}.", keys)


def _sample_ids(connection: Connection) -> Iterator[Fault]:
    query = select(contents.c.content, contents.c.n_samples)
    counts = {row.content: row.n_samples for row in connection.execute(query)}
    for row, wrong in rows_of(connection, sample_ids):
        if not wrong:
            try:
                found, expected = len(unpack_texts(row["ids"])), counts.get(row["content"])
                if expected is not None and found != expected:
                    wrong.append(f"there are {found}, of {expected} samples")
            except MvarenaError as error:
                wrong.append(f"they cannot be decoded ({error})")
        for sentence in wrong:
            keys = tuple(connection.scalars(select(trials.c.key).where(trials.c.content == row["content"])))
            yield Fault(f"ids of the samples of data {_short(row['content'])}: {sentence}.", keys)


def _truths(connection: Connection) -> Generator[Fault, None, dict[str, int]]:
    """Faults of stored classes; returns id -> number of samples."""
    sizes: dict[str, int] = {}
    for row, wrong in rows_of(connection, truths):
        if not wrong:
            sizes[row["id"]] = row["n_samples"]
            try:
                labels = unpack_labels(row["labels"], row["n_samples"])
                if labels.size != row["n_samples"]:
                    wrong.append(f"there are {labels.size}, of {row['n_samples']} samples")
            except (MvarenaError, ValueError) as error:
                wrong.append(f"they cannot be decoded ({error})")
        for sentence in wrong:
            keys = tuple(connection.scalars(select(attempts.c.key).where(attempts.c.truth_id == row["id"])))
            yield Fault(f"classes {_short(row['id'])}: {sentence}.", keys)
    return sizes


def _labellings(connection: Connection, sizes: dict[str, int]) -> Iterator[Fault]:
    owners = {row.id: row for row in connection.execute(select(attempts.c.id, attempts.c.key, attempts.c.truth_id))}
    for row, wrong in rows_of(connection, labellings):
        owner = owners.get(row["attempt_id"])
        if owner is None:
            continue  # a lost reference
        where = f"trial {_short(owner.key)}, restart {row['restart']}"
        size = sizes.get(owner.truth_id)
        if not wrong:
            try:
                labels = unpack_labels(row["labels"], MOST_LABELS if size is None else size)
                if size is not None and labels.size != size:
                    wrong.append(f"it has {labels.size} labels for {size} samples")
            except (MvarenaError, ValueError) as error:
                wrong.append(f"its labels cannot be decoded ({error})")
        yield from (Fault(f"{where}: {sentence}.", (owner.key,)) for sentence in wrong)


def _scores(connection: Connection) -> Iterator[Fault]:
    there = select(labellings.c.restart).where(labellings.c.attempt_id == scores.c.attempt_id)
    stray = select(attempts.c.key, func.count()).select_from(scores.join(attempts))
    stray = stray.where(scores.c.restart.not_in(there.correlate(scores))).group_by(attempts.c.key)
    for key, count in connection.execute(stray):
        yield Fault(f"trial {_short(key)}: {count} scores are of restarts whose labels are not there.", (key,))
    if connection.dialect.name != "sqlite":
        return
    for row, wrong in rows_of(connection, scores):
        if wrong:
            key = connection.scalar(select(attempts.c.key).where(attempts.c.id == row["attempt_id"]))
            where = f"trial {_short(key or '?')}, score {row['metric']}"
            yield from (Fault(f"{where}: {sentence}.", () if key is None else (key,)) for sentence in wrong)


def _runs(connection: Connection) -> Iterator[Fault]:
    sizes: dict[str, int] = {}
    for row, wrong in rows_of(connection, key_sets):
        if not wrong:
            sizes[row["id"]], rest = divmod(len(row["packed"]), WIDTH)
        if wrong or rest or fingerprint(row["packed"]) != row["id"]:
            ids = tuple(connection.scalars(select(run_keys.c.run_id).where(run_keys.c.set_id == row["id"])))
            yield Fault(f"keys {_short(row['id'])}: they are not those that were stored.", runs=ids)
    requested: Counter[str] = Counter()
    for row, wrong in rows_of(connection, run_keys):
        requested[row["run_id"]] += sizes.get(row["set_id"], 0)
        yield from (Fault(f"run {_short(row['run_id'])}: {one}.", runs=(row["run_id"],)) for one in wrong)
    known = {how.value for how in Ended}
    for row, wrong in rows_of(connection, runs):
        where, ids = f"run {_short(row['id'])}", (row["id"],)
        yield from (Fault(f"{where}: {sentence}.", runs=ids) for sentence in wrong)
        if row["ended"] not in known or (row["ended_at"] is None) != (row["ended"] == Ended.UNKNOWN):
            yield Fault(f"{where}: it cannot have ended as '{row['ended']}' at {row['ended_at']}.", runs=ids)
        if row["n_trials"] != requested[row["id"]]:
            asked = f"it asked for {row['n_trials']} trials, and {requested[row['id']]} are linked to it"
            yield Fault(f"{where}: {asked}.", runs=ids)


def _short(key: Any) -> str:
    return str(key)[:12]
