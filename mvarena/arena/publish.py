"""Makes a release: its database from that of a run, its card, and its page."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

import tomli_w
from sqlalchemy import select, update

from mvarena.arena.changes import changes
from mvarena.arena.newcomer import stored_board
from mvarena.arena.page import CHANGES, DEEP_BOARD, TUNING, as_csv, board_of, files_of
from mvarena.arena.release import CARD, DATABASE, ENDS, Release, coverage, keys_of_study, read_release, runs_by_study
from mvarena.arena.submissions import copy_trials, describe_file
from mvarena.arena.suites import DEEP, LOG_RANK, LOG_RANK_5, METRICS, PARTS, STABILITY, TUNED, studies_of
from mvarena.errors import InvalidSetting, StoreError
from mvarena.report.formats.pages import differing, write_changed
from mvarena.store.database import Database, open_database
from mvarena.store.maintenance import forget_runs, vacuum
from mvarena.store.readonly import open_to_read
from mvarena.store.schema import attempts, environments, trials
from mvarena.store.trials import IS_CURRENT
from mvarena.study.file import study_at

_VERSIONS = ("mvarena", "python", "numpy", "scipy", "scikit-learn")
_MACHINE = ("cpu", "machine", "usable_cores")
_KEPT = (*METRICS, STABILITY, LOG_RANK, LOG_RANK_5)


def publish(results: Path, folder: Path, name: str, suite: str, since: Path | None = None) -> Release:
    """Make a release of a run's database, which stays as it is: NAME.db with all labels beside it, and in `folder` a
    database without labels, the card and the page.

    Trials and runs of other studies are left out, and from the database without labels those of the parts on tuning,
    whose table takes labels, and on deep methods, which are on no board; of scores those by the metrics of the arena
    stay.
    since : folder of an earlier release, which may be `folder`; the changes from it are kept as CHANGES.
    Raises StoreError for a database that is not there or holds nothing of the suite.
    """
    if not results.is_file():
        raise StoreError(f"there is no database {results}; run the suite first: mvarena run {suite} --db {results}.")
    earlier = read_release(since) if since else None
    before = stored_board(earlier) if earlier else None
    folder.mkdir(parents=True, exist_ok=True)
    whole, small = results.parent / f"{name}.db", folder / DATABASE
    if any(path.exists() and path.samefile(results) for path in (whole, small)):
        raise InvalidSetting(f"{results} is a database of the release itself; name the one of the run.")
    with open_to_read(results) as db:
        if not keys_of_study(db, suite):
            raise StoreError(f"{results} holds no run of the suite {suite}: mvarena run {suite} --db {results}.")
        _copy(db, whole, studies_of(suite), labels=True)
    for file in (CHANGES, TUNING, DEEP_BOARD):  # of the release that is replaced
        (folder / file).unlink(missing_ok=True)
    with open_to_read(whole) as db:
        apart = [PARTS[suite].get(part) for part in (TUNED, DEEP)]
        _copy(db, small, [study for study in studies_of(suite) if study not in apart], labels=False)
    with open_to_read(small) as db:
        card = _card(db, name, suite, earlier.name if earlier else "", describe_file(whole))
        if before:
            (folder / CHANGES).write_text(as_csv(changes(before, board_of(db, suite))), encoding="utf-8")
        (folder / CARD).write_text(tomli_w.dumps(card), encoding="utf-8")
    release = read_release(folder)
    write_page(release, whole)
    return release


def _copy(db: Database, target: Path, studies: Collection[str], *, labels: bool) -> None:
    """Write the trials and runs of these studies into a database of their own, without labels also without the
    objective by iteration, which no page shows."""
    copy_trials(db, target, keys_of_study(db, *studies), _KEPT, labels=labels)
    with open_database(target) as copy:
        _, others = runs_by_study(copy, *studies)
        with copy.write() as connection:
            forget_runs(connection, others)
            if not labels:
                connection.execute(update(attempts).values(objective=None))
        vacuum(copy)


def write_page(release: Release, place: Path | None = None) -> list[str]:
    """Write what is not what the databases give; the names of these files.

    place : the whole database, or its folder; with it the files that need it are made, too, and the card
    names it as it is now.
    """
    named = str(release.card.get("database", {}).get("name", f"{release.name}.db"))
    whole = place / named if place is not None and place.is_dir() else place
    files = _files(release, whole, release.card.get("database") if whole is None else describe_file(whole))
    return [path.name for path in write_changed(files)]


def outdated(release: Release, place: Path | None = None) -> list[str]:
    """The names of generated files that are not what the databases give. place : as for `write_page`; None: what
    it is needed for is not made again. Raises StoreError for another whole database than the card names."""
    return [path.name for path in differing(_files(release, release.whole(place), release.card.get("database")))]


def _files(release: Release, whole: Path | None, database: dict[str, Any] | None) -> dict[Path, str]:
    card = {name: release.card.get(name, "") for name in ("name", "suite", "since")}
    with open_to_read(release.db) as db:
        files = {CARD: tomli_w.dumps(_card(db, **card, database=database))} | files_of(release, db, whole)
    return {release.folder / name: text for name, text in files.items()}


def _card(db: Database, name: str, suite: str, since: str, database: dict[str, Any] | None) -> dict[str, Any]:
    """The card: when, of what versions, on which machines, under which conditions, at what cost.

    database : name, size and sha256 of the whole database.
    """
    keys = keys_of_study(db, suite)
    columns = (trials.c.key, attempts.c.started_at, attempts.c.cpu_s, attempts.c.wall_s, environments.c.json)
    with db.read() as connection:
        joined = attempts.join(environments).join(trials)
        query = select(*columns).select_from(joined).where(IS_CURRENT).order_by(trials.c.key)
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
    return card if database is None else card | {"database": database}


def _values(known: list[dict[str, Any]], item: str) -> Any:
    """The value that all trials share, or all values where they differ."""
    values = [json.loads(text) for text in sorted({json.dumps(one[item]) for one in known if item in one})]
    return values[0] if len(values) == 1 else values
