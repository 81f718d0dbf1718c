"""Overview of a database: its trials, their status, and current activity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from sqlalchemy import ColumnElement, func, select, text

from mvarena.errors import UnknownName
from mvarena.store.database import Database
from mvarena.store.descriptions import NAMED
from mvarena.store.schema import (
    attempts,
    conditions,
    environments,
    labellings,
    methods,
    protocols,
    sources,
    texts,
    trials,
    version,
)
from mvarena.store.trials import IS_CURRENT

_SHORTEST_PREFIX = 4
TRIAL_COLUMNS = (
    *("key", "dataset", "algorithm", "params", "corruption", "rate", "prepare", "protocol", "seed", "repeat"),
    *("status", "reason", "attempt", "started_at", "wall_s", "label_bytes"),
)


def trials_frame(db: Database, where: Sequence[ColumnElement[bool]] = ()) -> pd.DataFrame:
    """One row per trial and name of its data, columns TRIAL_COLUMNS: what was run, what became of it, and when.

    started_at : of the current attempt, UTC. label_bytes : what its labels take, compressed. where : what a filter
    stands for (`mvarena.store.filters.chosen`). Protocols of one name and data are one row each.
    Cost: one statement.
    """
    total = func.sum(func.length(labellings.c.labels)).label("label_bytes")
    sizes = select(labellings.c.attempt, total).group_by(labellings.c.attempt).subquery()
    joined = _TRIED.outerjoin(sizes, sizes.c.attempt == attempts.c.id)
    query = select(*_COLUMNS, sizes.c.label_bytes).select_from(joined).where(IS_CURRENT, *where)
    with db.read() as connection:
        rows = connection.execute(query.order_by(sources.c.name, methods.c.name, conditions.c.rate, trials.c.key))
        frame = pd.DataFrame([tuple(row) for row in rows], columns=list(TRIAL_COLUMNS))
    return frame.assign(label_bytes=frame["label_bytes"].fillna(0).astype("int64"), reason=frame["reason"].fillna(""))


_TRIED = NAMED.join(attempts, attempts.c.trial == trials.c.id).outerjoin(texts, texts.c.id == attempts.c.reason)
_COLUMNS = (
    trials.c.key, sources.c.name, methods.c.name, methods.c.params, conditions.c.corruption, conditions.c.rate,
    conditions.c.preparation, protocols.c.name, trials.c.seed, trials.c.repeat, attempts.c.status, texts.c.text,
    attempts.c.number, attempts.c.started_at, attempts.c.wall_s,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Extent:
    """Size of a database: bytes on disk, its schema, trials known, those never tried, attempts."""

    where: str
    bytes: int
    schema: str
    trials: int
    never_tried: int
    attempts: int


def extent(db: Database) -> Extent:
    """The size of a database. Cost: a few statements."""
    with db.read() as connection:
        revision, known, tried, count = (
            connection.scalar(select(version.c.version_num)) or "",
            connection.scalar(select(func.count()).select_from(trials)) or 0,
            connection.scalar(select(func.count(attempts.c.trial.distinct()))) or 0,
            connection.scalar(select(func.count()).select_from(attempts)) or 0,
        )
    return Extent(db.where, bytes_of(db), revision, known, known - tried, count)


def bytes_of(db: Database) -> int:
    """Bytes of the database on disk, with SQLite's log of recent writes."""
    if isinstance(db.address, Path):
        files = [Path(f"{db.address}{ending}") for ending in ("", "-wal")]
        return sum(path.stat().st_size for path in files if path.is_file())
    with db.read() as connection:
        return int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0)


def key_of(db: Database, prefix: str) -> str:
    """The key that begins with `prefix`. Raises UnknownName where none does, or several do."""
    plain = prefix.strip().lower()
    if len(plain) < _SHORTEST_PREFIX or set(plain) - set("0123456789abcdef"):
        raise UnknownName(
            f"'{prefix}' is not the beginning of a trial's key; give its first hex digits, {_SHORTEST_PREFIX} or more."
        )
    with db.read() as connection:
        span = trials.c.key.between(plain.ljust(64, "0"), plain.ljust(64, "f"))
        query = select(trials.c.key, methods.c.name).join(methods).where(span)
        rows = connection.execute(query.order_by(trials.c.key).limit(5)).fetchall()
    if not rows:
        raise UnknownName(
            f"There is no trial whose key begins with '{prefix}' in {db.where}; list the trials (mvarena "
            "results list --trials)."
        )
    if len(rows) > 1:
        shown = ", ".join(f"{row.key[:16]} ({row.name})" for row in rows)
        raise UnknownName(f"Several keys begin with '{prefix}': {shown}; give more digits.")
    return str(rows[0].key)


def environments_of(db: Database, where: Sequence[ColumnElement[bool]] = ()) -> list[str]:
    """The environments (JSON) that the current attempts of the meant trials ran in, each once."""
    joined = _TRIED.join(environments, environments.c.id == attempts.c.environment)
    query = select(environments.c.json).select_from(joined).where(IS_CURRENT, *where).distinct()
    with db.read() as connection:
        return sorted(connection.scalars(query))
