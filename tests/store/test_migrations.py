from __future__ import annotations

import math
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from mvarena.contracts.outcome import Status
from mvarena.contracts.reader import ReadOptions
from mvarena.contracts.source import Source
from mvarena.store.checks import problems, remarks
from mvarena.store.database import open_database
from mvarena.store.frames import scores_frame
from mvarena.store.overview import extent
from mvarena.store.read_outcomes import details, labellings, outcome_of, truth
from mvarena.store.readonly import open_to_read
from mvarena.store.runs import asked_run, keys_of_runs, runs_of
from mvarena.store.schema import REVISIONS, VERSION_TABLE, metadata
from mvarena.store.trials import counts, done_trials
from mvarena.store.upgrade import MIGRATIONS, alembic_config
from mvarena.study.request import Asked

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


def test_the_migrations_lead_to_the_schema(tmp_path: Path) -> None:
    open_database(tmp_path / "made.db").close()
    engine = create_engine(f"sqlite:///{tmp_path / 'migrated.db'}")
    with engine.begin() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()
    assert definitions(tmp_path / "migrated.db") == definitions(tmp_path / "made.db")


@pytest.mark.parametrize("version", ["v1", "v2", "v3"])
def test_a_database_of_each_earlier_version_opens(tmp_path: Path, version: str) -> None:
    with open_database(stored_by(version, tmp_path)) as db:
        assert counts(db) == {Status.DONE: 2, Status.TIMEOUT: 1, Status.SKIPPED: 1}
        frame = scores_frame(db)
        done = frame[(frame["dataset"] == "digits[fou,fac]") & (frame["status"] == "DONE")]
        acc = done[done["metric"] == "acc"]
        assert acc["value"].tolist() == [0.505, math.inf]  # of .5 and .51, and of NaN and infinity
        assert set(frame["dataset"]) == {"digits[fou,fac]", "digits[fac,fou]"}
        key = done["key"].iloc[0]
        assert [one.labels.tolist() for one in labellings(db, key)] == [[0, 1, 2, 0, 1, 2]]
        assert truth(db, key).tolist() == [2, 1, 0, 2, 1, 0]
        outcome = outcome_of(db, key)
        assert (outcome.objective, outcome.achieved) == ((3.0, 2.0, 1.5), {"fou": 0.7, "fac": 0.65})
        timeout = frame[frame["status"] == "TIMEOUT"].iloc[0]
        assert (timeout["attempt"], timeout["reason"]) == (2, "it ended as TIMEOUT")


def test_an_older_database_is_read_as_if_it_were_upgraded(tmp_path: Path) -> None:
    path = stored_by("v3", tmp_path)
    with open_to_read(path) as db:
        assert counts(db) == {Status.DONE: 2, Status.TIMEOUT: 1, Status.SKIPPED: 1}
        assert (extent(db).schema, runs_of(db), list(keys_of_runs(db))) == (REVISIONS[-1], [], [])
        key = scores_frame(db)["key"].iloc[0]
        assert details(db, key)["runs"] == []
        assert (list(problems(db)), list(remarks(db))) == ([], [])
    with open_database(path) as db, asked_run(db, Asked("mvarena run"), {}) as run:
        run.wants([key])
    with open_to_read(path) as db:
        assert (extent(db).schema, [one.n_trials for one in runs_of(db)]) == (REVISIONS[-1], [1])


OLD_NAMES = {
    "digits": Source(dataset="digits"),
    "digits[fou,fac]": Source(dataset="digits", views=("fou", "fac")),
    "my/data.mat[a,b]": Source(paths=("data.mat",), views=("a", "b"), name="data[a,b]"),
    "x.mat?orientation=columns": Source(paths=("x.mat",), options=ReadOptions("columns"), name="x"),
    "my/digits.mat": Source(paths=("digits.mat",), name="digits.mat"),  # or it would read as the data set's
    "a.csv,c/b.csv[b]?orientation=rows&labels=some/y.csv": Source(
        paths=("a.csv", "b.csv"), views=("b",), options=ReadOptions("rows", "y.csv"), name="a+b[b]"
    ),
}


def test_old_names_become_sources_and_lose_the_folders(tmp_path: Path) -> None:
    path = stored_by("v1", tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        trial = connection.execute("SELECT * FROM trials JOIN attempts USING (key) WHERE status = 'DONE'").fetchone()
        key = trial[0]
        for name in (*OLD_NAMES, "no[such]name[at]all"):
            row = (key, name, "a protocol", None)
            connection.execute("INSERT INTO names VALUES (?, ?, ?, ?)", row)
        connection.commit()
    with open_database(path) as db:
        with db.read() as connection:
            rows = connection.exec_driver_sql("SELECT name, json FROM sources").all()
        found = {name: source and Source.from_json(source) for name, source in rows}
        for source in OLD_NAMES.values():
            assert found[source.name] == source
        assert set(found) - {source.name for source in OLD_NAMES.values()} == {"digits[fac,fou]", "no[such]name[at]all"}
        assert found["no[such]name[at]all"] == ""
        assert {one.dataset for one in done_trials(db, datasets=["digits"])} == {"digits"}
        (lost,) = done_trials(db, datasets=["no[such]name[at]all"])
        assert (lost.key, lost.source.name) == (key, "no[such]name[at]all")


def test_an_old_database_is_upgraded_with_all_its_rows(tmp_path: Path, next_revision: Path) -> None:
    next_revision.write_text(ADD_A_COLUMN.format(then="", last=REVISIONS[-1]))
    path = stored_by("v1", tmp_path)
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
    path = stored_by("v1", tmp_path)
    before = dump(path)
    with pytest.raises(Exception, match=error):
        open_database(path)
    assert dump(path) == before


def test_an_upgrade_tells_conditions_clusters_and_corpora_of_what_was_stored(tmp_path: Path) -> None:
    path = stored_by("v3", tmp_path)
    with open_to_read(path) as db:
        frame = scores_frame(db)
        assert set(frame["corpus"]) == {"digits"}
        assert frame.loc[frame["status"] == "DONE", "n_labels"].eq(3).all()
        with db.read() as connection:
            rows = connection.exec_driver_sql("SELECT DISTINCT scaling, filling, corpus FROM results").fetchall()
    assert [tuple(row) for row in rows] == [("unit-rows", "mean", "digits")]
