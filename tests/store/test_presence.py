"""A database that is deleted, replaced or cut off under a run is noticed, and VACUUM is none of these."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from store_examples import example_outcome, example_trial

from mvarena.errors import StoreError
from mvarena.store.database import open_database
from mvarena.store.presence import Presence
from mvarena.store.write_outcomes import record


def delete(path: Path) -> None:
    for one in path.parent.glob(f"{path.name}*"):
        one.unlink()


def move_away(path: Path) -> None:
    path.rename(path.with_suffix(".old"))


def replace_by_an_empty_one(path: Path) -> None:
    other = path.with_suffix(".other")
    open_database(other).close()
    os.replace(other, path)


def replace_by_an_older_copy(path: Path) -> None:
    shutil.copy(path.with_suffix(".copy"), path.with_suffix(".other"))
    os.replace(path.with_suffix(".other"), path)


def cut_off(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    os.truncate(path, 4096)


def empty(path: Path) -> None:
    os.truncate(path, 0)


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (delete, "deleted or moved away"),
        (move_away, "deleted or moved away"),
        (replace_by_an_empty_one, "replaced by another file"),
        (replace_by_an_older_copy, "replaced by another file"),
        (cut_off, "cut off"),
        (empty, "cut off"),
    ],
)
def test_what_happens_to_the_file_is_noticed(tmp_path, harm, says):
    path = tmp_path / "r.db"
    open_database(path).close()
    shutil.copy(path, path.with_suffix(".copy"))
    with open_database(path) as db:
        presence = Presence(db)
        for repeat in range(3):
            presence.check()
            assert record(db, example_trial(repeat), example_outcome(n=3000))
            presence.note(example_trial(repeat).key)
        presence.check_kept()
        harm(path)
        with pytest.raises(StoreError, match=says):
            presence.check()


def test_what_another_program_takes_out_is_noticed_at_the_end(tmp_path):
    with open_database(tmp_path / "r.db") as db:
        presence = Presence(db)
        record(db, example_trial(), example_outcome())
        presence.note(example_trial().key)
        with closing(sqlite3.connect(tmp_path / "r.db")) as connection:
            connection.execute("UPDATE attempts SET status = 'INTERRUPTED'")
            connection.commit()
        presence.check()
        with pytest.raises(StoreError, match="1 outcomes recorded last are not in it"):
            presence.check_kept()


def test_a_database_that_is_packed_is_still_there(tmp_path):
    path = tmp_path / "r.db"
    with open_database(path) as db:
        for repeat in range(30):
            record(db, example_trial(repeat), example_outcome(n=3000))
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        presence = Presence(db)
        presence.note(example_trial(29).key)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute("CREATE TABLE filler AS SELECT labels, randomblob(200000) AS more FROM labellings")
            connection.commit()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            presence.check()
            before = path.stat().st_size
            connection.execute("DROP TABLE filler")
            connection.commit()
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert path.stat().st_size < before
        presence.check()
        presence.check_kept()
