"""Claims end by the database's clock, whose name stands beside; until here they ended by each machine's own.

No claim is kept: those of a run that is still going on end with the next look at its trials.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_claims_owner", table_name="claims")
    op.drop_table("claims")
    op.create_table(
        "claims",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(200), nullable=False),
        sa.Column("host", sa.String(400), nullable=False),
        sa.Column("pid", sa.BigInteger, nullable=False),
        sa.Column("clock", sa.String(100), nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
    )
    op.create_index("ix_claims_owner", "claims", ["owner"])
