"""Makes a release: its database from that of a run, its card, and its page."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import tomli_w
from sqlalchemy import func, select, update

from mvarena.arena.changes import changes_part
from mvarena.arena.page import board_of, differing, files_of
from mvarena.arena.release import CARD, DATABASE, ENDS, Release, coverage, keys_of_suite, read_release, runs_by_suite
from mvarena.arena.suites import METRICS
from mvarena.contracts.outcome import Status
from mvarena.errors import InvalidSetting, StoreError
from mvarena.store.database import Database, open_database
from mvarena.store.maintenance import Removal, forget_runs, remove, thin
from mvarena.store.readonly import open_to_read
from mvarena.store.schema import attempts, environments, names, trials
from mvarena.store.trials import IS_CURRENT
from mvarena.study.file import study_at

LARGEST_MB = 40.0
_PAGE_BYTES = 16384  # of a large file less room stays unused at the ends of its pages than with 4,096
_VERSIONS = ("mvarena", "python", "numpy", "scipy", "scikit-learn")
_MACHINE = ("cpu", "machine", "usable_cores")


def publish(results: Path, folder: Path, name: str, suite: str, since: str = "") -> Release:
    """Make a release in `folder` of a run's database, which stays as it is.

    Trials and runs of other studies are left out. Of each trial the labelling and the scores that count stay, by the
    metrics of the arena, and no objective.
    since : folder of an earlier release, relative to `folder`, that the page tells the changes from.
    Raises StoreError for a database that is not there or whose release would be larger than LARGEST_MB.
    """
    if not results.is_file():
        raise StoreError(f"there is no database {results}; run the suite first: mvarena run {suite} --db {results}.")
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / DATABASE
    if target.exists() and target.samefile(results):
        raise InvalidSetting(f"{results} is the release's own database; name the one of the run.")
    with open_to_read(results) as db:
        if not keys_of_suite(db, suite):
            raise StoreError(f"{results} holds no run of the suite {suite}: mvarena run {suite} --db {results}.")
    part = folder / f"{DATABASE}.part"
    with closing(sqlite3.connect(results)) as source, closing(sqlite3.connect(part)) as copy:
        source.backup(copy)
    with open_database(part) as db:
        _, others = runs_by_suite(db, suite)
        remove(db, Removal(frozenset(), _of_others(db, suite)))
        with db.write() as connection:
            forget_runs(connection, others)
        _shorten(db)
        thin(db, METRICS)
        db.engine.dispose()
        _drop_rowids(part)
        db.maintain(f"PRAGMA page_size = {_PAGE_BYTES}", "VACUUM")
    size = part.stat().st_size / 1e6
    if size > LARGEST_MB:
        part.unlink()
        raise StoreError(f"the release would take {size:.0f} MB, more than the {LARGEST_MB:.0f} MB of a release.")
    part.replace(target)
    with open_to_read(target) as db:
        (folder / CARD).write_text(tomli_w.dumps(_card(db, name, suite, since)), encoding="utf-8")
    release = read_release(folder)
    write_page(release)
    return release


def _of_others(db: Database, suite: str) -> tuple[str, ...]:
    """The keys of trials that are stored beside those of the suite."""
    with db.read() as connection:
        stored = set(connection.scalars(select(trials.c.key)))
    return tuple(sorted(stored - keys_of_suite(db, suite)))


def _shorten(db: Database) -> None:
    """Keep neither the course of an objective nor why it ended, and how data were corrupted and scaled for one trial of
    each kind alone.
    """
    alike = (trials.c.content, trials.c.corruption, trials.c.rate, trials.c.seed, trials.c.repeat, trials.c.prepare)
    of_done = select(func.min(attempts.c.id)).select_from(attempts.join(trials)).where(IS_CURRENT)
    kept = of_done.where(attempts.c.status == Status.DONE).group_by(*alike)
    with db.write() as connection:
        connection.execute(update(attempts).values(objective=b"", stopped_because=""))
        connection.execute(update(attempts).where(attempts.c.id.not_in(kept)).values(achieved="{}"))


def _drop_rowids(path: Path) -> None:
    """Store the rows of trials and of their names in the order of their keys, without an index: a tenth of the file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA legacy_alter_table = ON")  # tables and views that refer to these stay as they are
        for table in (trials.name, names.name):
            query = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"
            (sql,) = connection.execute(query, (table,)).fetchone()
            if "WITHOUT ROWID" in sql:
                continue
            connection.execute(re.sub(rf'TABLE "?{table}"?', "TABLE sorted_rows", sql, count=1) + " WITHOUT ROWID")
            connection.execute(f"INSERT INTO sorted_rows SELECT * FROM {table}")
            connection.execute(f"DROP TABLE {table}")
            connection.execute(f"ALTER TABLE sorted_rows RENAME TO {table}")
        connection.commit()


def write_page(release: Release) -> list[str]:
    """Write what is not what the database gives; the names of these files."""
    files = _files(release)
    changed = list(differing(release, files))
    for name in changed:
        (release.folder / name).write_text(files[name], encoding="utf-8", newline="\n")
    return changed


def outdated(release: Release) -> list[str]:
    """The names of generated files that are not what the database gives."""
    return list(differing(release, _files(release)))


def _files(release: Release) -> dict[str, str]:
    card = {name: release.card.get(name, "") for name in ("name", "suite", "since")}
    with open_to_read(release.db) as db:
        since = _since(release, db) if card["since"] else ""
        return {CARD: tomli_w.dumps(_card(db, **card))} | files_of(release, db, since)


def _since(release: Release, db: Database) -> str:
    earlier = read_release((release.folder / release.card["since"]).resolve())
    with open_to_read(earlier.db) as before:
        return changes_part(board_of(before, earlier.suite), board_of(db, release.suite), earlier.name)


def _card(db: Database, name: str, suite: str, since: str) -> dict[str, Any]:
    """The card: when, of what versions, on which machines, under which conditions, at what cost."""
    keys = keys_of_suite(db, suite)
    columns = (attempts.c.key, attempts.c.started_at, attempts.c.cpu_s, attempts.c.wall_s, environments.c.json)
    with db.read() as connection:
        query = select(*columns).select_from(attempts.join(environments)).where(IS_CURRENT).order_by(attempts.c.key)
        rows = [row for row in connection.execute(query) if row.key in keys]
    if not rows:
        raise StoreError(f"nothing of the suite {suite} was run yet.")
    known = [json.loads(row.json) for row in rows]
    ends = Counter(coverage(db, suite)["end"])
    study = study_at(suite).document
    card: dict[str, Any] = {
        "name": name,
        "suite": suite,
        "date": max(row.started_at for row in rows).date().isoformat(),
        "began": min(row.started_at for row in rows).date().isoformat(),
    }
    if since:
        card["since"] = since
    card["versions"] = {item: _values(known, item) for item in _VERSIONS}
    card["machine"] = {item.replace("usable_", ""): _values(known, item) for item in _MACHINE}
    if routines := _values(known, "openblas"):
        card["machine"]["openblas"] = routines
    card["conditions"] = {
        key: study[key] for key in ("protocol", "repeats", "cpu-time", "memory", "skip-after-limit") if key in study
    }
    card["cost"] = {
        "cpu_hours": round(sum(row.cpu_s or 0.0 for row in rows) / 3600, 2),
        "wall_hours": round(sum(row.wall_s or 0.0 for row in rows) / 3600, 2),
    }
    card["trials"] = {"planned": len(keys)} | {end.replace(" ", "-"): ends.get(end, 0) for end in ENDS}
    return card


def _values(known: list[dict[str, Any]], item: str) -> Any:
    """The value that all trials share, or all values where they differ."""
    values = [json.loads(text) for text in sorted({json.dumps(one[item]) for one in known if item in one})]
    return values[0] if len(values) == 1 else values
