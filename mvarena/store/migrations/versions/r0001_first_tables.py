"""The first tables. Written out, not taken from the schema: this is what databases of revision 0001 hold."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_trials()
    _create_attempts()
    op.create_table(
        "labellings",
        sa.Column("attempt_id", sa.Integer, sa.ForeignKey("attempts.id"), primary_key=True),
        sa.Column("restart", sa.Integer, primary_key=True),
        sa.Column("labels", sa.LargeBinary, nullable=False),
        sa.Column("inertia", sa.Double),
    )
    op.create_table(
        "scores",
        sa.Column("attempt_id", sa.Integer, sa.ForeignKey("attempts.id"), primary_key=True),
        sa.Column("restart", sa.Integer, primary_key=True),
        sa.Column("metric", sa.String(100), primary_key=True),
        sa.Column("metric_version", sa.String(50), nullable=False),
        sa.Column("value", sa.Double),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "claims",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(200), nullable=False),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("pid", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_claims_owner", "claims", ["owner"])


def _create_trials() -> None:
    op.create_table(
        "trials",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("algorithm", sa.String(100), nullable=False),
        sa.Column("algorithm_version", sa.String(50), nullable=False),
        sa.Column("params", sa.Text, nullable=False),
        sa.Column("content", sa.String(200), nullable=False),
        sa.Column("corruption", sa.Text, nullable=False),
        sa.Column("rate", sa.Double),
        sa.Column("prepare", sa.Text, nullable=False),
        sa.Column("pick", sa.String(50), nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("repeat", sa.Integer, nullable=False),
    )
    op.create_table(
        "names",
        sa.Column("key", sa.String(64), sa.ForeignKey("trials.key"), primary_key=True),
        sa.Column("dataset", sa.Text, primary_key=True),
        sa.Column("protocol", sa.String(100), primary_key=True),
        sa.Column("picks_by_labels", sa.String(100)),
    )


def _create_attempts() -> None:
    op.create_table(
        "environments",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("json", sa.Text, nullable=False),
    )
    op.create_table(
        "truths",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("n_samples", sa.BigInteger, nullable=False),
        sa.Column("labels", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(64), sa.ForeignKey("trials.key"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("traceback", sa.Text, nullable=False),
        sa.Column("stderr_tail", sa.Text, nullable=False),
        sa.Column("signal", sa.Integer),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("wall_s", sa.Double),
        sa.Column("cpu_s", sa.Double),
        sa.Column("fit_s", sa.Double),
        sa.Column("peak_rss_mb", sa.Double),
        sa.Column("n_iter", sa.BigInteger, nullable=False),
        sa.Column("converged", sa.Boolean, nullable=False),
        sa.Column("stopped_because", sa.Text, nullable=False),
        sa.Column("objective", sa.LargeBinary, nullable=False),
        sa.Column("achieved", sa.Text, nullable=False),
        sa.Column("source_hash", sa.String(100), nullable=False),
        sa.Column("environment_id", sa.String(64), sa.ForeignKey("environments.id"), nullable=False),
        sa.Column("truth_id", sa.String(64), sa.ForeignKey("truths.id")),
        sa.UniqueConstraint("key", "number", name="uq_attempts_key_number"),
    )
