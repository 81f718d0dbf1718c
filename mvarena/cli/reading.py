"""Opens results to be read: nothing is written but the upgrade of a database that an older mvarena wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mvarena.store.database import Database


def open_to_read(path_or_url: str) -> Database:
    """The results database, also one that may only be read; use it in a `with`.

    Raises StoreError if it cannot be opened, or is of an older mvarena and may not be upgraded.
    """
    from mvarena.errors import StoreError
    from mvarena.store.database import open_database

    try:
        return open_database(path_or_url, create=False, readonly=True)
    except StoreError as refusal:
        try:
            open_database(path_or_url, create=False).close()  # which upgrades it
        except StoreError:
            raise refusal from None
    return open_database(path_or_url, create=False, readonly=True)
