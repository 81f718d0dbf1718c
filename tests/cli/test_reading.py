"""Commands that read results change nothing, but for the upgrade of what an older mvarena wrote."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mvarena.errors import StoreError
from mvarena.store.database import open_database
from mvarena.store.frames import scores_frame
from mvarena.store.readonly import open_to_read

OLDEST = Path(__file__).parents[1] / "store" / "fixtures" / "v1.sql"


def of_an_older_mvarena(folder: Path) -> Path:
    with closing(sqlite3.connect(folder / "results.db")) as connection:
        connection.executescript(OLDEST.read_text())
    return folder / "results.db"


def test_a_database_of_today_is_only_read(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    open_database(path).close()
    before = path.read_bytes()
    with open_to_read(str(path)) as db, pytest.raises(StoreError, match="reading only"), db.write():
        pass
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["results.db"]


def test_an_older_one_is_upgraded_and_then_only_read(tmp_path: Path) -> None:
    with open_to_read(str(of_an_older_mvarena(tmp_path))) as db:
        assert db.readonly
        assert not scores_frame(db).empty


def test_one_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no results database"):
        open_to_read(str(tmp_path / "results.db"))
    assert list(tmp_path.iterdir()) == []
