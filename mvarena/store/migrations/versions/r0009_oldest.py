"""The oldest schema that is upgraded. Earlier ones were those of development versions before 0.1."""

from __future__ import annotations

revision = "0009"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Databases of this schema exist; none is made."""
