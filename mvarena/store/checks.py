"""Check of a database: whether it is whole, when somebody asks or merges it."""

from __future__ import annotations

from collections.abc import Iterator

from mvarena.store.database import Database
from mvarena.store.descriptions import described_trials
from mvarena.text import visible

_MOST_SHOWN = 200  # letters of what a damaged file says


def problems(db: Database) -> Iterator[str]:
    """One sentence for each thing that is wrong; none where the database is whole.

    Of a file, its pages and the references between its rows; of any database, whether the key of each trial is that
    of its description. Cost: every row is read once, labels and scores by SQLite alone.
    """
    with db.read() as connection:
        if connection.dialect.name == "sqlite":
            damage = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
            yield from (f"the file is damaged: {visible(line)[:_MOST_SHOWN]}." for line in damage if line != "ok")
            if damage != ["ok"]:
                return  # what is read of a damaged file is not to be judged
            for table, _, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
                yield f"a row of {table} refers to a row of {parent} that does not exist."
        for key, trial in described_trials(connection):
            if trial.key != key:
                yield f"trial {key[:12]}: its key is not that of its description."
