"""The view `results`, defined in `mvarena.store.results_view`; `env.py` makes it after every upgrade."""

from __future__ import annotations

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The tables stay as they are."""
