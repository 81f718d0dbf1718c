"""Claims of trials go: runs that share a database look what is stored before each trial.

Databases that were made with this revision and later ones may still hold an empty table of them, which nothing reads.
"""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_claims_owner", table_name="claims")
    op.drop_table("claims")
