"""Opens results to be read; imports the store only then."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mvarena.store.database import Database


def open_to_read(path_or_url: str) -> Database:
    """The results database, also one that may only be read; use it in a `with` (`mvarena.store.readonly`)."""
    from mvarena.store import readonly

    return readonly.open_to_read(path_or_url)
