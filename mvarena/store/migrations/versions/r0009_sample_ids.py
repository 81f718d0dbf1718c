"""Ids of samples. Of data that were stored before, none are known; they come with the next run on the same data."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sample_ids",
        sa.Column("content", sa.String(200), primary_key=True),
        sa.Column("ids", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
