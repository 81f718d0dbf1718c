"""What `mvarena doctor` says of a results database: whole, current, and what it holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mvarena.cli.examination import Finding
    from mvarena.store.database import Database

_MOST_FAULTS = 3


def database_health(address: str | None) -> Iterator[Finding]:
    """The findings on the database at `address`, which is only read; None: there is none to look at."""
    from mvarena.cli.examination import Finding
    from mvarena.errors import StoreError
    from mvarena.store.database import open_database

    if address is None:
        yield Finding("database", "none here; name one to look into it")
        return
    try:
        with open_database(address, create=False, readonly=True) as db:
            yield from _looked_at(db)
    except StoreError as error:
        yield Finding("database", str(error), "problem")


def _looked_at(db: Database) -> Iterator[Finding]:
    from mvarena.cli.examination import Finding

    size = f", {db.address.stat().st_size / 1e6:.1f} MB" if isinstance(db.address, Path) else ""
    yield Finding("database", f"{db.where}{size}")
    faults = list(_faults(db))
    for fault in faults[:_MOST_FAULTS]:
        yield Finding("database", f"{fault}; restore it from a copy", "problem")
    if not faults:
        yield Finding("database", _held(db))
        yield from _claims(db)


def _faults(db: Database) -> Iterator[str]:
    """What SQLite finds wrong with its file. PostgreSQL looks after its own."""
    with db.read() as connection:
        if connection.dialect.name != "sqlite":
            return
        for (said,) in connection.exec_driver_sql("PRAGMA quick_check"):
            if said != "ok":
                yield f"it is damaged: {said}"
        if connection.exec_driver_sql("PRAGMA foreign_key_check").first():
            yield "it has rows without the trial that they belong to"


def _held(db: Database) -> str:
    from sqlalchemy import func, select

    from mvarena.store.schema import attempts
    from mvarena.store.trials import IS_CURRENT

    with db.read() as connection:
        query = select(attempts.c.status, func.count()).where(IS_CURRENT).group_by(attempts.c.status)
        counts = sorted(connection.execute(query).fetchall())
    return ", ".join(f"{count} {status.lower().replace('_', ' ')}" for status, count in counts) or "it holds no trials"


def _claims(db: Database) -> Iterator[Finding]:
    from mvarena.cli.examination import Finding
    from mvarena.store.overview import claimants

    with db.read() as connection:
        running, lapsed = claimants(connection)
    for one in sorted(running):
        yield Finding("database", f"a run is working on it ({one})", "note")
    if lapsed:
        yield Finding(
            "database", f"{lapsed} trials were left by a run that was stopped; the same command goes on", "note"
        )
