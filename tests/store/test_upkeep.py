"""Removing, merging, checking: what goes, what stays, and what is said of damage."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from store_examples import STARTED, example_outcome, example_trial

from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.contracts.source import Source
from mvarena.errors import StoreError
from mvarena.numerics.kmeans import Labelling
from mvarena.store.checks import problems
from mvarena.store.database import Database, open_database
from mvarena.store.filters import Filter, chosen
from mvarena.store.frames import scores_frame
from mvarena.store.maintenance import removal, remove, remove_orphans, vacuum
from mvarena.store.merge import Merged, merge
from mvarena.store.overview import key_of
from mvarena.store.read_outcomes import outcome_of
from mvarena.store.readonly import open_to_read
from mvarena.store.trials import counts
from mvarena.store.write_outcomes import record


@pytest.fixture
def other(tmp_path: Path) -> Database:
    with open_database(tmp_path / "other.db") as database:
        yield database


def summed(done: Merged) -> tuple[int, int, int, int, int]:
    return done.added, done.taken_over, done.completed, done.unchanged, len(done.conflicts)


def plan(db: Database, keep: bool = False, **words: object):
    return removal(db, chosen(db, Filter.of(**words)), keep=keep)


@pytest.mark.parametrize("keep", [False, True])
def test_what_is_meant_goes_with_all_that_belongs_to_it_or_alone_stays(db: Database, keep: bool) -> None:
    for repeat in range(3):
        record(db, example_trial(repeat), example_outcome())
    record(db, example_trial(algorithm="mic"), example_outcome(environment={"python": "2"}, truth=np.arange(6)))
    remove(db, plan(db, keep, algorithms="apmc"))
    left = {"mic"} if not keep else {"apmc"}
    assert set(scores_frame(db)["algorithm"]) == left
    with db.write() as connection:
        assert remove_orphans(connection) == 0
    assert list(problems(db)) == []


def test_a_trial_of_two_names_goes_with_either(db: Database) -> None:
    trial = example_trial()
    record(db, trial, example_outcome())
    record(db, replace(trial, source=Source(dataset="digits")), example_outcome())
    keys = plan(db, datasets="digits")
    assert keys == [trial.key]
    remove(db, keys)
    assert scores_frame(db).empty


def test_a_merge_adds_all_once_and_changes_nothing_again(db: Database, other: Database) -> None:
    for repeat, status in enumerate([Status.DONE, Status.TIMEOUT, Status.SKIPPED]):
        record(other, example_trial(repeat), example_outcome(status))
    record(db, example_trial(9), example_outcome())
    assert summed(merge(db, other)) == (3, 0, 0, 0, 0)
    once = scores_frame(db)
    assert summed(merge(db, other)) == (0, 0, 0, 3, 0)
    assert scores_frame(db).equals(once)
    assert counts(db) == {Status.DONE: 2, Status.TIMEOUT: 1, Status.SKIPPED: 1}
    assert outcome_of(db, example_trial(0).key).truth.tolist() == example_outcome().truth.tolist()
    assert list(problems(db)) == []
    with open_database(Path(other.address).parent / "third.db") as third:
        assert summed(merge(third, db)) == (4, 0, 0, 0, 0)
        assert scores_frame(third).equals(once)


def test_a_merge_into_an_empty_database_gives_the_rows_of_the_view(db: Database, other: Database) -> None:
    trial = example_trial()
    record(other, trial, at(Status.FAILED, traceback="it broke", signal=11))
    record(other, trial, at(Status.DONE, 1), replaces=1)
    record(other, replace(trial, source=Source(dataset="digits")), example_outcome())
    record(other, example_trial(1, algorithm="mic"), example_outcome(Status.SKIPPED))
    merge(db, other)
    views = []
    for one in (db, other):
        with one.read() as connection:
            rows = connection.exec_driver_sql("SELECT * FROM results").fetchall()
        views.append(sorted(tuple(map(_told_alike, row)) for row in rows))
    assert views[0] == views[1]
    assert len(views[0]) == 5  # two metrics under two names, and what was skipped


def _told_alike(value: object) -> str:
    """A value as text; servers and files tell truth values and microseconds in forms of their own."""
    return str(int(value)) if isinstance(value, bool) else str(value).removesuffix("000")


def at(status: Status, days: int = 0, **changes: object) -> Outcome:
    return example_outcome(status, started_at=STARTED + timedelta(days=days), **changes)


def test_of_two_attempts_the_one_that_says_more_counts(db: Database, other: Database) -> None:
    record(db, example_trial(0), at(Status.TIMEOUT))
    record(other, example_trial(0), at(Status.DONE, 1))
    record(db, example_trial(1), at(Status.DONE))
    record(other, example_trial(1), at(Status.FAILED, 1))
    assert summed(merge(db, other)) == (0, 1, 0, 1, 0)
    assert counts(db) == {Status.DONE: 2}
    assert summed(merge(db, other)) == (0, 0, 0, 2, 0)
    assert summed(merge(other, db)) == (0, 1, 0, 1, 0)
    assert counts(other) == {Status.DONE: 2}


def test_what_was_run_again_on_purpose_takes_the_place_of_the_old(db: Database, other: Database) -> None:
    trial = example_trial()
    for one in (db, other):
        record(one, trial, at(Status.DONE))
    record(other, trial, at(Status.DONE, 1, source_hash="new"), replaces=1)
    assert summed(merge(db, other)) == (0, 1, 0, 0, 0)
    assert outcome_of(db, trial.key).source_hash == "new"
    assert summed(merge(db, other)) == (0, 0, 0, 1, 0)


def test_other_labels_are_a_conflict_and_ours_stay(db: Database, other: Database) -> None:
    labels = (Labelling(np.array([0, 1, 2, 0, 1, 1]), 1.0),)  # one sample is elsewhere
    record(db, example_trial(), at(Status.DONE))
    record(other, example_trial(), at(Status.DONE, 1, labellings=labels, source_hash="else"))
    done = merge(db, other)
    assert summed(done) == (0, 0, 0, 1, 1)
    assert done.conflicts[0].algorithm == "apmc"
    assert outcome_of(db, example_trial().key).source_hash == "5eed"


def test_scores_and_names_that_are_there_alone_are_added(db: Database, other: Database) -> None:
    trial = example_trial()
    record(db, trial, example_outcome())
    more = (*example_outcome().scores, Score("ari", "1", 0.25))
    record(other, replace(trial, source=Source(dataset="digits")), example_outcome(scores=more))
    assert summed(merge(db, other)) == (0, 0, 1, 0, 0)
    frame = scores_frame(db)
    assert set(frame["dataset"]) == {"digits", "digits[fou,fac]"}
    assert frame.loc[frame["metric"] == "ari", "value"].tolist() == [0.25, 0.25]
    assert summed(merge(db, other)) == (0, 0, 0, 1, 0)


DAMAGE = {
    "key is not that of its description": "UPDATE conditions SET corruptions = replace(corruptions, '0.3', '0.4')",
    "a row of attempts refers to a row of trials": "DELETE FROM trials",
    "a row of names refers to a row of trials": "UPDATE names SET trial = 7",
}


@pytest.mark.parametrize(("says", "damage"), DAMAGE.items(), ids=list(DAMAGE))
def test_damage_is_said_and_nothing_of_it_is_merged(tmp_path: Path, db: Database, says: str, damage: str) -> None:
    record(db, example_trial(7), example_outcome())
    with open_database(tmp_path / "damaged.db") as damaged:
        record(damaged, example_trial(), example_outcome())
        assert list(problems(damaged)) == []
    with closing(sqlite3.connect(tmp_path / "damaged.db")) as connection:
        connection.execute(damage)
        connection.commit()
    with open_to_read(tmp_path / "damaged.db") as damaged:
        assert any(says in sentence for sentence in problems(damaged)), list(problems(damaged))
        with pytest.raises(StoreError, match=r"nothing was merged: .*damaged\.db is not whole: "):
            merge(db, damaged)
    assert counts(db) == {Status.DONE: 1}
    assert list(problems(db)) == []


def test_damaged_pages_are_said(tmp_path: Path) -> None:
    path = tmp_path / "damaged.db"
    with open_database(path) as db:
        for repeat in range(50):
            record(db, example_trial(repeat), example_outcome())
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xff" * (size // 4))
    try:
        with open_to_read(path) as db:
            said = list(problems(db))
    except StoreError as error:
        said = [str(error)]
    assert "is damaged" in said[0]


def test_vacuum_makes_the_file_smaller(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    rng = np.random.default_rng(0)
    with open_database(path) as db:
        for repeat in range(4):
            labels = Labelling(rng.integers(0, 100, 100_000), 1.0)
            record(db, example_trial(repeat), example_outcome(labellings=(labels,), scores=(), truth=None))
        remove(db, plan(db, algorithms="apmc"))
        vacuum(db)
    assert path.stat().st_size < 200_000  # the labels take 340,000


def test_a_key_is_found_by_its_start(db: Database) -> None:
    trial = example_trial()
    record(db, trial, example_outcome())
    assert key_of(db, trial.key[:8].upper()) == trial.key
    for prefix, says in {
        "zzzz": "not the beginning of a trial's key",
        "abc": "not the beginning",
        "0000000000": "no trial whose key",
    }.items():
        with pytest.raises(Exception, match=says):
            key_of(db, prefix)


def as_nobody(monkeypatch: pytest.MonkeyPatch, writable: Callable[[str], bool]) -> None:
    """As if files could not be written; the tests may run as one who may write anywhere."""
    monkeypatch.setattr("mvarena.store.connections.os.access", lambda path, mode: mode != 2 or writable(str(path)))
    monkeypatch.setattr("mvarena.store.readonly.os.access", lambda path, mode: mode != 2 or writable(str(path)))


def test_an_older_database_that_may_not_be_written_is_read_from_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((Path(__file__).parent / "fixtures" / "v9.sql").read_text())
    before = path.read_bytes()
    as_nobody(monkeypatch, lambda name: not name.startswith(str(tmp_path)))
    with open_to_read(path) as db:
        assert not scores_frame(db).empty
        assert db.where == str(path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["old.db"]
