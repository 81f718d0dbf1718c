"""The tables: each thing is said once, and referred to by its number.

A change here needs a migration and its name at the end of REVISIONS.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
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
    """`column` for reading many rows at once: as the database has it (None for NaN, microseconds for a Moment), without
    a call for each number."""
    plain: Any = (
        Double() if isinstance(column.type, Real) else BigInteger() if isinstance(column.type, Moment) else None
    )
    return column if plain is None else type_coerce(column, plain).label(column.key)


class Prose(TypeDecorator[str]):
    """Any text that a program may print; NUL and lone surrogates, which databases refuse, are kept as escapes."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        return value.encode("utf-8", "backslashreplace").decode("utf-8").replace("\x00", "\\x00")


class Moment(TypeDecorator[datetime]):
    """A point in time, stored as microseconds since 1970 (UTC) and given back in UTC."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise StoreError(f"the time {value} has no time zone; give one, as datetime.now(UTC) does.")
        return (value - _EPOCH) // timedelta(microseconds=1)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        return None if value is None else _EPOCH + timedelta(microseconds=value)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Key(TypeDecorator[str]):
    """The key of a trial, 64 hex digits, stored as 32 bytes."""

    impl = LargeBinary(32)
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        if value is None:
            return None
        try:
            return bytes.fromhex(value)
        except ValueError:  # no key: such a trial is not found
            return value.encode()

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:
        return None if value is None else bytes(value).hex()


# Oldest that is upgraded first; the last is what this mvarena writes. Held here so that opening a database needs no
# alembic.
REVISIONS = ("0009", "0010")
VERSION_TABLE = "mvarena_schema"

metadata = MetaData()

# Apart from the others because alembic keeps it itself.
version = Table(VERSION_TABLE, MetaData(), Column("version_num", String(32), primary_key=True))


def _numbered() -> Column[int]:
    return Column("id", Integer, primary_key=True)


# Texts that many attempts share: reasons, tracebacks, ends of output, decisions of transforms, fingerprints of code.
texts = Table(
    "texts",
    metadata,
    _numbered(),
    Column("digest", LargeBinary(32), nullable=False, unique=True),  # sha256, which is shorter than most
    Column("text", Prose, nullable=False),
)

# Versions, machine and threads, as canonical JSON.
environments = Table("environments", metadata, _numbered(), Column("json", Text, nullable=False, unique=True))

# Classes of samples: real data share one row, data drawn anew in each repeat have one per draw.
truths = Table(
    "truths",
    metadata,
    _numbered(),
    Column("digest", LargeBinary(32), nullable=False, unique=True),  # sha256 of the labels as int64
    Column("n_samples", BigInteger, nullable=False),
    Column("labels", LargeBinary, nullable=False),
)

# Data by their content, with facts on them as the plan of a run saw them; of earlier runs as far as they are known.
datasets = Table(
    "datasets",
    metadata,
    _numbered(),
    Column("content", String(200), nullable=False, unique=True),  # fingerprint of the numbers, or the generator's name
    Column("corpus", Prose, nullable=False, server_default=""),  # that the data set's card names, else empty
    Column("n_samples", BigInteger),
    Column("n_clusters", BigInteger),  # that are looked for unless a study says otherwise
    Column("truth", ForeignKey("truths.id")),
    Column("views", Text, nullable=False, server_default="[]"),  # JSON: name, kind, features and digest of each
    Column("ids", LargeBinary),  # of the samples, packed; none where they have none
)

# What studies call data, and where these come from.
sources = Table(
    "sources",
    metadata,
    _numbered(),
    Column("name", Prose, nullable=False),  # may hold a file's name
    Column("json", Text, nullable=False),  # empty where it is unknown
    UniqueConstraint("name", "json", name="uq_sources"),
)

# Methods with all their parameters (canonical JSON).
methods = Table(
    "methods",
    metadata,
    _numbered(),
    Column("name", String(100), nullable=False),
    Column("version", String(50), nullable=False),
    Column("params", Text, nullable=False),
    Column("variant", Text),  # of these the ones that are not the defaults; NULL where nobody knows the defaults
    Column("picks_by_labels", String(100)),  # the parameter among whose values the literature picks by ground truth
    UniqueConstraint("name", "version", "params", name="uq_methods"),
)

# What happens to data before a method sees them: corruptions and transforms with versions and parameters, as JSON.
conditions = Table(
    "conditions",
    metadata,
    _numbered(),
    Column("corruptions", Text, nullable=False),
    Column("prepare", Text, nullable=False),
    Column("corruption", Text, nullable=False),  # in words, as 'missing-even'
    Column("rate", Real, nullable=False),  # of the first corruption
    Column("preparation", Text, nullable=False),  # in words, as 'fill-mean,unit-rows'
    Column("scaling", Text, nullable=False),
    Column("filling", Text, nullable=False),
    UniqueConstraint("corruptions", "prepare", name="uq_conditions"),
)

protocols = Table(
    "protocols",
    metadata,
    _numbered(),
    Column("name", String(100), nullable=False),
    Column("restarts", Integer, nullable=False),
    Column("unit_rows", Boolean, nullable=False),
    Column("pick", String(50), nullable=False),
    UniqueConstraint("name", "restarts", "unit_rows", "pick", name="uq_protocols"),
)

# What was run. The key is the sha256 of the description that the other columns refer to (`mvarena.contracts.trial`).
trials = Table(
    "trials",
    metadata,
    _numbered(),
    Column("key", Key, nullable=False, unique=True),
    Column("method", ForeignKey("methods.id"), nullable=False),
    Column("dataset", ForeignKey("datasets.id"), nullable=False),
    Column("condition", ForeignKey("conditions.id"), nullable=False),
    Column("protocol", ForeignKey("protocols.id"), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("repeat", Integer, nullable=False),
)

# What studies call it. A name is no part of the key, so one trial may have several: a data set and the list of
# all its views, a protocol and another with the same settings.
names = Table(
    "names",
    metadata,
    Column("trial", ForeignKey("trials.id"), primary_key=True),
    Column("source", ForeignKey("sources.id"), primary_key=True),
    Column("protocol", ForeignKey("protocols.id"), primary_key=True),
    sqlite_with_rowid=False,
)

# What became of it. Rows are never changed: trying again adds one, and the latest counts. A DONE or SKIPPED attempt is
# followed by another only where someone asked for that, because the code has changed or the refusal may be gone.
# Empty texts are NULL.
attempts = Table(
    "attempts",
    metadata,
    _numbered(),
    Column("trial", ForeignKey("trials.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("reason", ForeignKey("texts.id")),
    Column("traceback", ForeignKey("texts.id")),
    Column("stdout_tail", ForeignKey("texts.id")),
    Column("stderr_tail", ForeignKey("texts.id")),
    Column("signal", Integer),
    Column("started_at", Moment, nullable=False),
    Column("wall_s", Real),
    Column("cpu_s", Real),
    Column("fit_s", Real),
    Column("peak_rss_mb", Real),
    Column("n_iter", BigInteger, nullable=False),
    Column("converged", Boolean, nullable=False),
    Column("stopped_because", ForeignKey("texts.id")),
    Column("objective", LargeBinary),  # of each iteration, packed
    Column("achieved", ForeignKey("texts.id")),  # what was done to the data, as JSON
    Column("code", ForeignKey("texts.id")),  # fingerprint of the method's code
    Column("environment", ForeignKey("environments.id"), nullable=False),
    Column("truth", ForeignKey("truths.id")),
    Column("restart", Integer),  # whose labels count
    Column("n_labels", BigInteger),  # its clusters that are not empty
    UniqueConstraint("trial", "number", name="uq_attempts_trial_number"),
)

TEXTS = tuple(column.name for column in attempts.columns if column.references(texts.c.id))
"""The columns of `attempts` that hold the number of a text."""

# Clusters of the samples: of the restart that counts, or of all where a run kept them.
labellings = Table(
    "labellings",
    metadata,
    Column("attempt", ForeignKey("attempts.id"), primary_key=True),
    Column("restart", Integer, primary_key=True),
    Column("labels", LargeBinary, nullable=False),
    Column("inertia", Real),
    sqlite_with_rowid=False,
)

metrics = Table(
    "metrics",
    metadata,
    _numbered(),
    Column("name", String(100), nullable=False),
    Column("version", String(50), nullable=False),
    UniqueConstraint("name", "version", name="uq_metrics"),
)

# One value per metric, as the protocol counts it; its spread over the restarts where it counts their mean.
scores = Table(
    "scores",
    metadata,
    Column("attempt", ForeignKey("attempts.id"), primary_key=True),
    Column("metric", ForeignKey("metrics.id"), primary_key=True),
    Column("value", Real),
    Column("spread", Real),
    sqlite_with_rowid=False,  # small rows, found by their key alone: half the size
)

# Facts on methods and data sets, as they were announced when a run last used them (`mvarena.study.cards`), as JSON.
cards = Table(
    "cards",
    metadata,
    Column("component", String(20), primary_key=True),
    Column("name", Prose, primary_key=True),
    Column("card", Text, nullable=False),
    sqlite_with_rowid=False,
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
    Column("environment", ForeignKey("environments.id"), nullable=False),
    Column("began_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("ended", String(16), nullable=False),
    Column("n_trials", BigInteger, nullable=False),
)

# Keys of trials that were asked for together, 8 bytes of each, sorted. By the hash of all of them: the same command
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

_OURS = {
    ("table", version.name),
    *(("table", table.name) for table in metadata.sorted_tables),
    *(("table", name) for name in ("claims", "contents", "sample_ids")),  # of earlier revisions
    ("view", "results"),
}


def check_objects(connection: Connection, where: str) -> None:
    """Raise StoreError if an SQLite database holds a trigger, or a table or view that is not mvarena's.

    A file from elsewhere may hold any; SQLite runs triggers when rows are written.
    """
    query = "SELECT type, name FROM sqlite_master WHERE type != 'index' AND name NOT LIKE 'sqlite_%'"
    for kind, name in connection.exec_driver_sql(query):
        if (kind, name) not in _OURS:
            raise StoreError(
                f"{where} holds the {kind} '{name}', which is not mvarena's; it was not changed. Name another database."
            )
