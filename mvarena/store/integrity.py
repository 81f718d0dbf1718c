"""True if a database is whole: every promise that the schema cannot make by itself, looked at row by row."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, inspect, select, text

from mvarena.contracts.outcome import Status
from mvarena.contracts.source import Source
from mvarena.errors import MvarenaError, StoreError
from mvarena.store.database import Database, open_database
from mvarena.store.encoding import WIDTH, canonical_json, fingerprint, unpack_floats, unpack_labels
from mvarena.store.maintenance import orphans
from mvarena.store.runs import Ended, has_runs, without_trials
from mvarena.store.schema import (
    attempts,
    environments,
    key_sets,
    labellings,
    metadata,
    names,
    run_keys,
    runs,
    scores,
    trials,
    truths,
)
from mvarena.store.trials import IS_CURRENT, finished

_AT_ONCE = 500


def problems(db: Database) -> Iterator[str]:
    """One sentence for each thing that is wrong; none where the database is whole.

    Cost: every row is read, the labels decoded.
    """
    with db.read() as connection:
        broken = list(_broken_pages(connection))
        yield from broken
        if broken:
            return  # what is read of a damaged file is not to be judged
        yield from _lost_references(connection)
        yield from _keys(connection)
        yield from _names(connection)
        yield from _attempts(connection)
        sizes = yield from _truths(connection)
        yield from _labellings(connection, sizes)
        yield from _scores(connection)
        if has_runs(connection):
            yield from _runs(connection)


def remarks(db: Database) -> Iterator[str]:
    """Harmless remarks: rows that nothing refers to."""
    with db.read() as connection:
        if count := orphans(connection):
            yield f"{count} rows of classes, environments and keys are not used any more; vacuum removes them."
        if count := len(without_trials(connection)):
            yield f"Of {count} runs no trial is stored; vacuum removes them."
        never = select(func.count()).select_from(trials).where(trials.c.key.not_in(select(attempts.c.key)))
        if count := connection.scalar(never) or 0:
            yield f"{count} trials were planned and never tried."


def _broken_pages(connection: Connection) -> Iterator[str]:
    if connection.dialect.name == "sqlite":
        rows = connection.scalars(text("PRAGMA integrity_check")).all()
        yield from (f"the file is damaged: {line}." for line in rows if line != "ok")


def _lost_references(connection: Connection) -> Iterator[str]:
    """Rows that refer to rows that are not there, which a program without foreign keys may leave."""
    there_are = set(inspect(connection).get_table_names())  # one that is read only may lack some
    for table in (item for item in metadata.sorted_tables if item.name in there_are):
        for key in table.foreign_keys:
            there = select(key.column)
            lost = select(func.count()).select_from(table).where(key.parent.is_not(None), key.parent.not_in(there))
            if count := connection.scalar(lost):
                yield f"{count} rows of {table.name} refer to {key.column.table.name} that are not there."


def _keys(connection: Connection) -> Iterator[str]:
    for row in _each(connection, trials):
        try:
            identity = json.loads(row["identity"])
            settings = {
                "algorithm": [row["algorithm"], row["algorithm_version"]],
                "params": json.loads(row["params"]),
                "content": row["content"],
                "seed": [row["seed"], row["repeat"]],
            }
        except (ValueError, TypeError) as error:
            yield f"trial {_short(row['key'])}: its description cannot be read ({error})."
            continue
        if fingerprint(canonical_json(identity)) != row["key"]:
            yield f"trial {_short(row['key'])}: its key is not that of its description."
        wrong = [name for name, value in settings.items() if identity.get(name) != value]
        if wrong:
            yield f"trial {_short(row['key'])}: its {', '.join(wrong)} are not those of its description."


def _names(connection: Connection) -> Iterator[str]:
    for row in _each(connection, names):
        if row["source"] is not None:
            try:
                Source.from_json(row["source"])
            except MvarenaError as error:
                yield f"trial {_short(row['key'])}, {row['dataset']}: {error}"
    nameless = select(trials.c.key).where(trials.c.key.not_in(select(names.c.key)))
    for key in connection.scalars(nameless):
        yield f"trial {_short(key)}: it has no name, so no table shows it."


def _attempts(connection: Connection) -> Iterator[str]:
    known = {status.value for status in Status}
    for row in _each(connection, attempts):
        where = f"trial {_short(row['key'])}, attempt {row['number']}"
        if row["status"] not in known:
            yield f"{where}: '{row['status']}' is no status."
        try:
            unpack_floats(row["objective"])
            json.loads(row["achieved"])
        except (MvarenaError, ValueError) as error:
            yield f"{where}: its objective or achieved rates cannot be read ({error})."
    unlabelled = select(attempts.c.key).where(IS_CURRENT, attempts.c.status == Status.DONE.value)
    unlabelled = unlabelled.where(attempts.c.id.not_in(select(labellings.c.attempt_id)))
    for key in connection.scalars(unlabelled):
        yield f"trial {_short(key)}: it is done and has no labels."
    for row in _each(connection, environments):
        try:
            json.loads(row["json"])
        except ValueError as error:
            yield f"environment {_short(row['id'])} cannot be read ({error})."


def _truths(connection: Connection) -> Generator[str, None, dict[str, int]]:
    """Faults of stored classes; returns id -> number of samples."""
    sizes: dict[str, int] = {}
    for row in _each(connection, truths):
        sizes[row["id"]] = row["n_samples"]
        try:
            labels = unpack_labels(row["labels"])
        except (MvarenaError, ValueError) as error:
            yield f"classes {_short(row['id'])} cannot be decoded ({error})."
            continue
        if labels.size != row["n_samples"]:
            yield f"classes {_short(row['id'])}: there are {labels.size}, of {row['n_samples']} samples."
    return sizes


def _labellings(connection: Connection, sizes: dict[str, int]) -> Iterator[str]:
    columns = (labellings.c.restart, labellings.c.labels, attempts.c.key, attempts.c.truth_id)
    for row in connection.execute(select(*columns).join(attempts)).mappings().yield_per(_AT_ONCE):
        where = f"trial {_short(row['key'])}, restart {row['restart']}"
        try:
            labels = unpack_labels(row["labels"])
        except (MvarenaError, ValueError) as error:
            yield f"{where}: its labels cannot be decoded ({error})."
            continue
        if labels.size != sizes.get(row["truth_id"], labels.size):
            yield f"{where}: it has {labels.size} labels for {sizes[row['truth_id']]} samples."


def _scores(connection: Connection) -> Iterator[str]:
    there = select(labellings.c.restart).where(labellings.c.attempt_id == scores.c.attempt_id)
    stray = select(attempts.c.key, func.count()).select_from(scores.join(attempts))
    stray = stray.where(scores.c.restart.not_in(there.correlate(scores))).group_by(attempts.c.key)
    for key, count in connection.execute(stray):
        yield f"trial {_short(key)}: {count} scores are of restarts whose labels are not there."


def _runs(connection: Connection) -> Iterator[str]:
    sizes: dict[str, int] = {}
    for row in _each(connection, key_sets):
        sizes[row["id"]], rest = divmod(len(row["packed"]), WIDTH)
        if rest or fingerprint(row["packed"]) != row["id"]:
            yield f"keys {_short(row['id'])}: they are not those that were stored."
    requested: Counter[str] = Counter()
    for row in _each(connection, run_keys):
        requested[row["run_id"]] += sizes.get(row["set_id"], 0)
    known = {how.value for how in Ended}
    for row in _each(connection, runs):
        where = f"run {_short(row['id'])}"
        if row["ended"] not in known or (row["ended_at"] is None) != (row["ended"] == Ended.UNKNOWN):
            yield f"{where}: it cannot have ended as '{row['ended']}' at {row['ended_at']}."
        if row["n_trials"] != requested[row["id"]]:
            yield f"{where}: it asked for {row['n_trials']} trials, and {requested[row['id']]} are linked to it."


def _each(connection: Connection, table: Any) -> Iterator[Any]:
    return iter(connection.execute(select(table)).mappings().yield_per(_AT_ONCE))


def _short(key: str) -> str:
    return str(key)[:12]


# Whether a database is still the one that was opened: not deleted, replaced or cut off under a run.

_LATEST = 5000  # outcomes that are looked for, as many as one statement takes


class Presence:
    """Takes note of the database as it is now.

    An open file lives on when its name is gone, so writing goes well and nothing is on the disk afterwards.
    """

    def __init__(self, db: Database) -> None:
        self._db = db
        self._first = _identity(db)
        self._size = self._first[2]
        self._latest: deque[str] = deque(maxlen=_LATEST)

    def note(self, key: str) -> None:
        """The outcome of a trial has been recorded."""
        self._latest.append(key)

    def check(self) -> None:
        """Raises StoreError if the file is another by now, or was cut off. Cost: 5 µs, nothing on a server."""
        if not isinstance(self._db.address, Path):
            return
        result = _identity(self._db)
        if result[:2] != self._first[:2]:
            raise StoreError(self._lost("deleted or moved away" if result == _GONE else "replaced by another file"))
        shorter, self._size = result[2] < self._size, result[2]
        if shorter:  # as by VACUUM, which loses nothing
            self._check_latest()

    def check_kept(self) -> None:
        """Raises StoreError unless a fresh connection finds the outcomes that were recorded last.

        Cost: one connection and one statement.
        """
        self.check()
        self._check_latest()

    def _check_latest(self) -> None:
        if not self._latest or not isinstance(self._db.address, Path):
            return
        try:
            with open_database(self._db.address, create=False, readonly=True) as again:
                kept = finished(again, self._latest)
        except StoreError as error:
            raise StoreError(self._lost("cut off or damaged")) from error
        if missing := len(set(self._latest) - kept):
            raise StoreError(self._lost(f"changed ({missing} outcomes recorded last are not in it)"))

    def _lost(self, what: str) -> str:
        return (
            f"{self._db.where} was {what} by another program while this run wrote to it, and outcomes of this run are "
            "lost. Put the file back where you can, and run this again."
        )


_GONE = (0, 0, 0)


def _identity(db: Database) -> tuple[int, int, int]:
    """Device, number and size of the file; zeros where there is none."""
    if not isinstance(db.address, Path):
        return _GONE
    try:
        result = db.address.stat()
    except FileNotFoundError:
        return _GONE
    except OSError as error:
        raise StoreError(f"{db.where} cannot be found any more ({error.strerror}); see that it is mounted.") from error
    return result.st_dev, result.st_ino, result.st_size
