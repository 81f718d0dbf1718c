"""Tail of a trial's standard output, beside that of its standard error."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("attempts", recreate="never") as table:
        table.add_column(sa.Column("stdout_tail", sa.Text, nullable=False, server_default=""))
