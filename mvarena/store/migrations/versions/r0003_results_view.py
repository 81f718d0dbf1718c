"""The view `results`. What it shows stands in `mvarena.store.results_view`; `env.py` makes it after whatever is upgraded."""

from __future__ import annotations

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The tables stay as they are."""
