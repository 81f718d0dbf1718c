"""Runs: the command of each, its start and end, and its trials.

Of runs before, nothing is known.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("command", sa.Text, nullable=False),
        sa.Column("study", sa.Text, nullable=False),
        sa.Column("mvarena", sa.String(50), nullable=False),
        sa.Column("environment_id", sa.String(64), sa.ForeignKey("environments.id"), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.Column("ended", sa.String(16), nullable=False),
        sa.Column("n_trials", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "key_sets",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("packed", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "run_keys",
        sa.Column("run_id", sa.String(32), sa.ForeignKey("runs.id"), primary_key=True),
        sa.Column("part", sa.Integer, primary_key=True),
        sa.Column("set_id", sa.String(64), sa.ForeignKey("key_sets.id"), nullable=False),
        sqlite_with_rowid=False,
    )
