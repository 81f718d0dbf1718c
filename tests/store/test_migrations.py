from __future__ import annotations

import math
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from mvarena.contracts.outcome import Status
from mvarena.store.checks import problems
from mvarena.store.contents import ids_of_trial
from mvarena.store.database import open_database
from mvarena.store.frames import scores_frame
from mvarena.store.overview import extent
from mvarena.store.read_outcomes import labellings, outcome_of, truth
from mvarena.store.readonly import open_to_read
from mvarena.store.runs import runs_of_trial
from mvarena.store.schema import REVISIONS, VERSION_TABLE, metadata
from mvarena.store.trials import counts
from mvarena.store.upgrade import MIGRATIONS, alembic_config

FIXTURES = Path(__file__).parent / "fixtures"

ADD_A_COLUMN = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "9999", "{last}", None, None


def upgrade():
    with op.batch_alter_table("attempts", recreate="always") as table:
        table.add_column(sa.Column("note", sa.Text, nullable=False, server_default="none"))
    {then}
"""


def stored_by(version: str, folder: Path) -> Path:
    """A database as an earlier mvarena left it."""
    path = folder / "results.db"
    connection = sqlite3.connect(path)
    connection.executescript((FIXTURES / f"{version}.sql").read_text())
    connection.close()
    return path


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def definitions(path: Path) -> set[str]:
    connection = sqlite3.connect(path)
    rows = connection.execute(f"SELECT sql FROM sqlite_master WHERE name NOT LIKE '%{VERSION_TABLE}%'").fetchall()
    connection.close()
    return {" ".join(sql.split()) for (sql,) in rows if sql}


@pytest.fixture
def next_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The migration to a schema that this mvarena then takes for the current one; to be written by the test."""
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder)
    monkeypatch.setattr("mvarena.store.upgrade.MIGRATIONS", folder)
    monkeypatch.setattr("mvarena.store.database.REVISIONS", (*REVISIONS, "9999"))
    return folder / "versions" / "r9999_next.py"


def test_the_known_revisions_are_those_of_the_migrations() -> None:
    scripts = ScriptDirectory.from_config(alembic_config())
    assert [script.revision for script in scripts.walk_revisions()][::-1] == list(REVISIONS)
    assert scripts.get_current_head() == REVISIONS[-1]


def test_an_upgraded_database_has_the_schema_of_a_new_one(tmp_path: Path) -> None:
    open_database(tmp_path / "made.db").close()
    upgraded = stored_by("v9", tmp_path)
    open_database(upgraded).close()
    assert definitions(upgraded) == definitions(tmp_path / "made.db")
    engine = create_engine(f"sqlite:///{upgraded}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_an_older_database_is_read_as_if_it_were_upgraded(tmp_path: Path) -> None:
    path = stored_by("v9", tmp_path)
    before = path.read_bytes()
    with open_to_read(path) as db:
        assert (db.readonly, db.where) == (True, str(path))
        assert counts(db) == {Status.DONE: 2, Status.TIMEOUT: 1, Status.SKIPPED: 1}
        frame = scores_frame(db)
        assert (set(frame["dataset"]), set(frame["corpus"])) == ({"digits[fou,fac]", "digits[fac,fou]"}, {"digits"})
        assert (set(frame["scaling"]), set(frame["filling"])) == ({"unit-rows"}, {"mean"})
        done = frame[(frame["dataset"] == "digits[fou,fac]") & (frame["status"] == "DONE")]
        acc = done[done["metric"] == "acc"]
        assert acc["value"].tolist() == [0.505, math.inf]  # of .5 and .51, and of NaN and infinity
        assert done["n_labels"].eq(3).all()
        key = done["key"].iloc[0]
        assert [one.labels.tolist() for one in labellings(db, key)] == [[0, 1, 2, 0, 1, 2]]
        assert truth(db, key).tolist() == [2, 1, 0, 2, 1, 0]
        assert ids_of_trial(db, key, 6) == ("s1", "s2", "s3", "s4", "s5", "s6")
        outcome = outcome_of(db, key)
        assert (outcome.objective, outcome.achieved) == ((3.0, 2.0, 1.5), {"fou": 0.7, "fac": 0.65})
        timeout = frame[frame["status"] == "TIMEOUT"].iloc[0]
        assert (timeout["attempt"], timeout["reason"]) == (2, "it ended as TIMEOUT")
        assert [(one.command, one.seconds, one.n_trials) for one in runs_of_trial(db, key)] == [
            ("mvarena run --algo apmc", 60.5, 4)
        ]
        assert extent(db).schema == REVISIONS[-1]
        assert list(problems(db)) == []
    assert (path.read_bytes(), [one.name for one in tmp_path.iterdir()]) == (before, ["results.db"])


def test_an_upgrade_keeps_a_copy_and_says_where(tmp_path: Path) -> None:
    path = stored_by("v9", tmp_path)
    with open_to_read(path) as db:
        before = scores_frame(db)
    with open_database(path) as db:
        assert db.upgraded.endswith("The file as it was is kept as results.db.schema-0009.")
        assert scores_frame(db).equals(before)
    with open_to_read(tmp_path / "results.db.schema-0009") as kept:
        assert scores_frame(kept).equals(before)
    with open_database(path) as db:
        assert db.upgraded == ""


def test_an_old_database_is_upgraded_with_all_its_rows(tmp_path: Path, next_revision: Path) -> None:
    next_revision.write_text(ADD_A_COLUMN.format(then="", last=REVISIONS[-1]))
    path = stored_by("v9", tmp_path)
    with open_database(path) as db:
        assert len(scores_frame(db)) == 8
        with db.read() as connection:
            assert connection.exec_driver_sql("SELECT DISTINCT note FROM attempts").scalars().all() == ["none"]
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
            assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    with open_database(path, readonly=True) as db:
        assert counts(db)[Status.DONE] == 2


@pytest.mark.parametrize(
    ("then", "error"),
    [
        ("raise RuntimeError('half way')", "half way"),
        ("op.execute(\"DELETE FROM attempts WHERE status = 'DONE'\")", "rows without a trial"),
    ],
)
def test_an_upgrade_that_fails_leaves_the_database_as_it_was(
    tmp_path: Path, next_revision: Path, then: str, error: str
) -> None:
    next_revision.write_text(ADD_A_COLUMN.format(then=then, last=REVISIONS[-1]))
    path = stored_by("v9", tmp_path)
    before = dump(path)
    with pytest.raises(Exception, match=error):
        open_database(path)
    assert dump(path) == before
