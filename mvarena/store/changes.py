"""Whether a database has changed since it was looked at."""

from __future__ import annotations

from sqlalchemy import func, select

from mvarena.store.database import Database
from mvarena.store.schema import attempts, names, scores


def state_of(db: Database) -> str:
    """A text that is another one after any outcome, name or score was added or taken away.

    Cost: one statement that counts rows by their keys.
    """
    counted = [
        select(func.max(attempts.c.id)).scalar_subquery(),
        *(select(func.count()).select_from(table).scalar_subquery() for table in (attempts, names, scores)),
    ]
    with db.read() as connection:
        row = connection.execute(select(*counted)).one()
    return "-".join(str(value or 0) for value in row)
