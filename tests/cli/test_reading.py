"""Commands that read results change nothing; a run upgrades what an older mvarena wrote, and keeps a copy of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from mvarena.store.database import open_database
from mvarena.store.frames import scores_frame
from mvarena.store.readonly import open_to_read

OLDEST = Path(__file__).parents[1] / "store" / "fixtures" / "v9.sql"


def of_an_older_mvarena(folder: Path) -> Path:
    with closing(sqlite3.connect(folder / "results.db")) as connection:
        connection.executescript(OLDEST.read_text())
    return folder / "results.db"


def test_an_older_one_is_read_and_stays_as_it_is(tmp_path: Path) -> None:
    path = of_an_older_mvarena(tmp_path)
    before = path.read_bytes()
    with open_to_read(str(path)) as db:
        assert db.readonly
        assert db.where == str(path)
        assert not scores_frame(db).empty
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["results.db"]


def test_an_upgrade_keeps_a_copy_and_says_where(tmp_path: Path) -> None:
    path = of_an_older_mvarena(tmp_path)
    with open_to_read(str(path)) as db:
        before = scores_frame(db)
    with open_database(path) as db:
        assert db.upgraded.endswith("The file as it was is kept as results.db.schema-0009.")
        assert scores_frame(db).equals(before)
    with open_to_read(str(tmp_path / "results.db.schema-0009")) as kept:
        assert scores_frame(kept).equals(before)
    with open_database(path) as db:
        assert db.upgraded == ""
