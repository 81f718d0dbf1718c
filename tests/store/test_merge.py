"""Merging two databases: what is added, what is completed, and which attempt counts."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from store_examples import STARTED, example_outcome, example_trial

from mvarena.contracts.outcome import Outcome, Score, Status
from mvarena.contracts.source import Source
from mvarena.numerics.kmeans import Labelling
from mvarena.store.checks import problems
from mvarena.store.database import Database, open_database
from mvarena.store.frames import scores_frame
from mvarena.store.merge import Merged, merge
from mvarena.store.read_outcomes import outcome_of
from mvarena.store.trials import counts
from mvarena.store.write_outcomes import record


@pytest.fixture
def other(tmp_path: Path) -> Database:
    with open_database(tmp_path / "other.db") as database:
        yield database


def summed(done: Merged) -> tuple[int, int, int, int, int]:
    return done.added, done.taken_over, done.completed, done.unchanged, len(done.conflicts)


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
