from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url, text
from store_examples import example_outcome, example_trial

from mvarena.contracts.outcome import Status
from mvarena.errors import StoreError
from mvarena.store.connections import parse_address
from mvarena.store.database import open_database
from mvarena.store.readonly import open_to_read
from mvarena.store.schema import REVISIONS, VERSION_TABLE
from mvarena.store.trials import counts
from mvarena.store.write_outcomes import record

NOBODY = 65534


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A database of one trial."""
    path = tmp_path / "results.db"
    with open_database(path) as db:
        record(db, example_trial(), example_outcome())
    return path


@pytest.fixture
def nobodys_folder() -> Iterator[Path]:
    """A folder of a user without privileges, as whom the test runs: to root, nothing is forbidden."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "folder"
        folder.mkdir()
        if os.geteuid() != 0:
            yield folder
            folder.chmod(0o700)
            return
        Path(name).chmod(0o755)
        os.chown(folder, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, 0)
        try:
            yield folder
        finally:
            os.setresuid(0, 0, 0)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def made_by(statement: str, *, ours: bool = False) -> Callable[[Path], None]:
    """Makes a file in which a statement was executed; ours : in a database of mvarena's."""

    def make(path: Path) -> None:
        if ours:
            open_database(path).close()
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)

    return make


def of_revision(number: str) -> Callable[[Path], None]:
    return made_by(f"UPDATE {VERSION_TABLE} SET version_num = '{number}'", ours=True)


def garbled(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\x00" + bytes(range(256)) * 64)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("results.db", "results.db"),
        ("~/results.db", "results.db"),
        ("sqlite:///{folder}/results.db", "results.db"),
        ("{folder}/odd ?#%20&mode=ro;ü.db", "odd ?#%20&mode=ro;ü.db"),
        ("no-suffix", "no-suffix"),
    ],
)
def test_a_path_may_be_relative_start_at_home_be_a_url_and_have_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, name: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    open_database(address.format(folder=tmp_path)).close()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_connections_are_set_up_for_sharing(stored: Path) -> None:
    with open_database(stored) as db, db.read() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "busy_timeout", "synchronous", "trusted_schema")
        }
    usual = {"journal_mode": "wal", "foreign_keys": 1, "busy_timeout": 60_000, "synchronous": 1}
    assert found == usual | {"trusted_schema": 0}
    assert [path.name for path in stored.parent.iterdir()] == ["results.db"], "a closed database is one file"


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    path.touch()
    with pytest.raises(StoreError, match="holds no results yet"):
        open_database(path, create=False)
    open_database(path).close()
    assert path.stat().st_size > 0


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (Path.mkdir, r"results\.db is a folder; give the path of a file in it"),
        (lambda path: path.write_text("acc,nmi\n"), r"results\.db is not an SQLite database; name another database"),
        (made_by("CREATE TABLE recipes (name TEXT)"), r"another program's database \(it holds the table 'recipes'\)"),
        (of_revision("9999"), r"written by a newer mvarena \(schema 9999.*pip install --upgrade mvarena"),
        (of_revision("0008"), r"before 0\.1 \(schema 0008; .* 0009 and later\); export its scores with the version"),
        (garbled, r"results\.db is (not an SQLite database|damaged)"),
        (made_by("CREATE TRIGGER t AFTER INSERT ON trials BEGIN SELECT 1; END", ours=True), "holds the trigger 't'"),
        (made_by("CREATE VIEW v AS SELECT 1", ours=True), "holds the view 'v'"),
        (made_by("CREATE VIRTUAL TABLE found USING fts5(x)", ours=True), "holds the table 'found"),
    ],
)
def test_what_is_no_database_of_ours_is_said_and_left_as_it_is(
    tmp_path: Path, make: Callable[[Path], object], says: str
) -> None:
    path = tmp_path / "results.db"
    make(path)
    before = None if path.is_dir() else bytes_of(tmp_path)
    for opened in (open_database, open_to_read):
        with pytest.raises(StoreError, match=says):
            opened(path)
    assert path.is_dir() or bytes_of(tmp_path) == before


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("no/such/folder/results.db", r"the folder .*no/such/folder does not exist; create it"),
        ("mysql://host/name", "SQLite and PostgreSQL, not in mysql"),
        ("sqlite://", "kept in a file"),
        ("sqlite:///:memory:", "kept in a file"),
        ("://", "is not a database URL"),
        ("postgresql+nonsense://host/name", r"driver of postgresql\+nonsense is not installed; .*mvarena\[postgres\]"),
        ("x" * 300 + ".db", "cannot be opened"),
        ("~no-such-user/results.db", "home folder of an unknown user"),
        ("", "is a folder"),
    ],
)
def test_an_impossible_address_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match=says):
        open_database(address)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_driver_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'mvarena\[postgres\]'"):
        open_database("postgresql://host/name")


def test_a_server_that_is_not_there_is_said_without_the_password() -> None:
    pytest.importorskip("psycopg", reason="the PostgreSQL driver is not installed")
    with pytest.raises(StoreError, match=r"cannot be used: .*; see that the server runs") as caught:
        open_database("postgresql://me:secret@127.0.0.1:1/name")
    assert "secret" not in str(caught.value)


def test_postgres_addresses_name_our_driver() -> None:
    for address in ("postgres://me:secret@host/name", "postgresql://me:secret@host/name"):
        assert parse_address(address) == make_url("postgresql+psycopg://me:secret@host/name")


@pytest.mark.parametrize("readonly", [True, False])
def test_only_a_run_makes_a_database(tmp_path: Path, readonly: bool) -> None:
    with pytest.raises(StoreError, match=r"there is no results database at .*run a study first"):
        open_database(tmp_path / "results.db", create=readonly, readonly=readonly)
    assert list(tmp_path.iterdir()) == []


def test_reading_only_reads(stored: Path) -> None:
    with open_database(stored, readonly=True) as db:
        assert counts(db) == {Status.DONE: 1}
        with pytest.raises(StoreError, match="opened for reading only; open it for writing"):
            record(db, example_trial(1), example_outcome())
        with pytest.raises(StoreError, match="cannot be written to"), db.read() as connection:
            connection.execute(text(f"DELETE FROM {VERSION_TABLE}"))


def test_an_old_schema_is_not_upgraded_by_reading(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mvarena.store.database.REVISIONS", (*REVISIONS, "9999"))
    with pytest.raises(StoreError, match=r"older mvarena .* open it for writing once"):
        open_database(stored, readonly=True)


@pytest.mark.parametrize(
    ("of_folder", "of_file", "readonly", "says"),
    [
        (0o500, None, False, r"folder .* cannot be written to; name another database"),
        (0o000, None, False, r"results\.db cannot be opened \(Permission denied\)"),
        (0o700, 0o400, False, r"results\.db cannot be written to; give it write permission"),
        (0o700, 0o000, True, r"results\.db cannot be opened \(Permission denied\)"),
        (0o500, 0o600, False, r"results\.db cannot be (opened|written to); .*folder"),
        (0o500, 0o400, True, ""),
    ],
)
def test_what_may_not_be_read_or_written_is_said(
    nobodys_folder: Path, of_folder: int, of_file: int | None, readonly: bool, says: str
) -> None:
    path = nobodys_folder / "results.db"
    if of_file is not None:
        with open_database(path) as db:
            record(db, example_trial(), example_outcome())
        path.chmod(of_file)
    nobodys_folder.chmod(of_folder)
    if says:
        with pytest.raises(StoreError, match=says):
            open_database(path, readonly=readonly)
    else:
        with open_database(path, readonly=readonly) as db:
            assert counts(db) == {Status.DONE: 1}
