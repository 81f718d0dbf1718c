"""The tables. A change here needs a migration and its name at the end of REVISIONS."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    DateTime,
    Dialect,
    Double,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    type_coerce,
)
from sqlalchemy.types import TypeDecorator

from mvarena.errors import StoreError

# Column types that give back what was put in, on every database: NaN, odd characters, time zones.

# ruff: noqa: ARG002 - the signatures are SQLAlchemy's


class Real(TypeDecorator[float]):
    """A float that may be NaN or infinite. NaN is NULL in the database: SQLite knows no other."""

    impl = Double
    cache_ok = True

    def process_bind_param(self, value: float | None, dialect: Dialect) -> float | None:
        return None if value is None or math.isnan(value) else float(value)

    def process_result_value(self, value: float | None, dialect: Dialect) -> float:
        return math.nan if value is None else value


def plainly(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """`column` for reading many rows at once: a Real's NaN comes as None, without a call for each number."""
    return type_coerce(column, Double()).label(column.key) if isinstance(column.type, Real) else column


class Prose(TypeDecorator[str]):
    """Any text that a program may print; NUL and lone surrogates, which databases refuse, are kept as escapes."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        return value.encode("utf-8", "backslashreplace").decode("utf-8").replace("\x00", "\\x00")


class Moment(TypeDecorator[datetime]):
    """A point in time, stored and given back in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise StoreError(f"the time {value} has no time zone; give one, as datetime.now(UTC) does.")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


# Oldest first; the last is what this mvarena writes. Held here so that opening a database needs no alembic.
REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009")
VERSION_TABLE = "mvarena_schema"

metadata = MetaData()

# Apart from the others because alembic keeps it itself.
version = Table(VERSION_TABLE, MetaData(), Column("version_num", String(32), primary_key=True))

environments = Table(
    "environments",
    metadata,
    Column("id", String(64), primary_key=True),  # sha256 of the canonical JSON
    Column("json", Text, nullable=False),
)

# By their own hash, so that real data share one row and data drawn anew in each repeat have one per draw.
truths = Table(
    "truths",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("n_samples", BigInteger, nullable=False),
    Column("labels", LargeBinary, nullable=False),
)

# Facts on data by their content, as the plan of a run saw them; of earlier runs, as far as they are known.
contents = Table(
    "contents",
    metadata,
    Column("content", String(200), primary_key=True),
    Column("corpus", Prose, nullable=False),  # that the data set's card names, else empty
    Column("n_samples", BigInteger),
    Column("n_clusters", BigInteger),  # that are looked for unless a study says otherwise
    Column("truth_id", String(64)),  # of the classes; no reference: these come with the first outcome
    Column("views", Text, nullable=False),  # JSON: name, kind, number of features and digest of each
)

# Ids of samples by the content of their data, for data whose samples have any: apart from the facts, as they are long.
sample_ids = Table(
    "sample_ids",
    metadata,
    Column("content", String(200), primary_key=True),
    Column("ids", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

# What was run. `identity` is the canonical JSON whose sha256 is the key; the other columns repeat parts of it.
trials = Table(
    "trials",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("identity", Text, nullable=False),
    Column("algorithm", String(100), nullable=False),
    Column("algorithm_version", String(50), nullable=False),
    Column("params", Text, nullable=False),
    Column("content", String(200), nullable=False),
    Column("corruption", Text, nullable=False),
    Column("rate", Real),
    Column("prepare", Text, nullable=False),
    Column("pick", String(50), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("repeat", Integer, nullable=False),
    Column("scaling", Text, nullable=False, server_default=""),  # what `prepare` scales by, and fills by
    Column("filling", Text, nullable=False, server_default=""),
)

# What studies call it. A name is no part of the key, so one trial may have several: a data set and the list of
# all its views, a protocol and another with the same settings.
names = Table(
    "names",
    metadata,
    Column("key", ForeignKey("trials.key"), primary_key=True),
    Column("dataset", Prose, primary_key=True),  # may hold a file's name
    Column("protocol", String(100), primary_key=True),
    Column("picks_by_labels", String(100)),
    Column("source", Text),  # JSON of where the data come from; the name alone does not say it
)

# What became of it. Rows are never changed: trying again adds one, and the latest counts. A DONE or SKIPPED attempt is
# followed by another only where someone asked for that, because the code has changed or the refusal may be gone.
attempts = Table(
    "attempts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", ForeignKey("trials.key"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("reason", Prose, nullable=False),
    Column("traceback", Prose, nullable=False),
    Column("stderr_tail", Prose, nullable=False),
    Column("signal", Integer),
    Column("started_at", Moment, nullable=False),
    Column("wall_s", Real),
    Column("cpu_s", Real),
    Column("fit_s", Real),
    Column("peak_rss_mb", Real),
    Column("n_iter", BigInteger, nullable=False),
    Column("converged", Boolean, nullable=False),
    Column("stopped_because", Prose, nullable=False),
    Column("objective", LargeBinary, nullable=False),
    Column("achieved", Text, nullable=False),
    Column("source_hash", String(100), nullable=False),
    Column("environment_id", ForeignKey("environments.id"), nullable=False),
    Column("truth_id", ForeignKey("truths.id")),
    Column("stdout_tail", Prose, nullable=False, server_default=""),
    UniqueConstraint("key", "number", name="uq_attempts_key_number"),
)

labellings = Table(
    "labellings",
    metadata,
    Column("attempt_id", ForeignKey("attempts.id"), primary_key=True),
    Column("restart", Integer, primary_key=True),
    Column("labels", LargeBinary, nullable=False),
    Column("inertia", Real),
    Column("n_labels", BigInteger),  # how many clusters are not empty
)

scores = Table(
    "scores",
    metadata,
    Column("attempt_id", ForeignKey("attempts.id"), primary_key=True),
    Column("restart", Integer, primary_key=True),
    Column("metric", String(100), primary_key=True),
    Column("metric_version", String(50), nullable=False),
    Column("value", Real),
    sqlite_with_rowid=False,  # small rows, found by their key alone: half the size
)

# What somebody asked for, each time: the command as it was typed, and what became of it as a whole. `ended` is empty
# while a run goes on, and stays so where it was killed.
runs = Table(
    "runs",
    metadata,
    Column("id", String(32), primary_key=True),  # drawn at random: runs of several databases are merged
    Column("command", Prose, nullable=False),
    Column("study", Prose, nullable=False),  # TOML, empty where no study file was run
    Column("mvarena", String(50), nullable=False),
    Column("environment_id", ForeignKey("environments.id"), nullable=False),
    Column("began_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("ended", String(16), nullable=False),
    Column("n_trials", BigInteger, nullable=False),
)

# Keys of trials that were asked for together, 32 bytes each, sorted. By the hash of all of them: the same command
# asked again, as after an interruption, refers to the same rows.
key_sets = Table(
    "key_sets",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("packed", LargeBinary, nullable=False),
)

# Which trials a run asked for, some thousand in a row.
run_keys = Table(
    "run_keys",
    metadata,
    Column("run_id", ForeignKey("runs.id"), primary_key=True),
    Column("part", Integer, primary_key=True),
    Column("set_id", ForeignKey("key_sets.id"), nullable=False),
    sqlite_with_rowid=False,
)
