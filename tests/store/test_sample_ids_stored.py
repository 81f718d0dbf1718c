"""Sample ids in the database: once for each content, kept while a trial on it is, and no part of a trial's key."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import func, select
from store_examples import example_outcome, example_trial

from mvarena.store.contents import describe_contents, ids_of_trial
from mvarena.store.database import Database, open_database
from mvarena.store.maintenance import removal, remove
from mvarena.store.merge import merge
from mvarena.store.schema import datasets
from mvarena.store.write_outcomes import record
from mvarena.study.contents import ContentFacts

IDS = ("P1", "é", "P3", "p4", "5", "")
TRIAL = example_trial(content="feed")


def facts(ids: tuple[str, ...] | None) -> dict[str, ContentFacts]:
    return {"feed": ContentFacts(corpus="", n_samples=6, n_clusters=3, labels=None, views="[]", ids=ids)}


def count(db: Database) -> int:
    with db.read() as connection:
        return connection.scalar(select(func.count(datasets.c.ids)))


def test_ids_are_found_by_a_trial_on_the_data(db: Database) -> None:
    other = example_trial(content="feed", seed=8)
    for trial in (TRIAL, other):
        record(db, trial, example_outcome())
    assert ids_of_trial(db, TRIAL.key, 6) is None
    describe_contents(db, facts(IDS))
    assert ids_of_trial(db, TRIAL.key, 6) == ids_of_trial(db, other.key, 6) == IDS
    assert count(db) == 1
    assert ids_of_trial(db, TRIAL.key, 5) is None  # a corruption left a sample out


def test_the_same_data_without_ids_take_none_away_and_other_ids_replace_them(db: Database) -> None:
    record(db, TRIAL, example_outcome())
    describe_contents(db, facts(IDS))
    describe_contents(db, facts(None))
    assert ids_of_trial(db, TRIAL.key, 6) == IDS
    describe_contents(db, facts(tuple("abcdef")))
    assert ids_of_trial(db, TRIAL.key, 6) == tuple("abcdef")


def test_a_merge_brings_them_and_they_go_with_the_last_trial(tmp_path: Path) -> None:
    with open_database(tmp_path / "a.db") as ours, open_database(tmp_path / "b.db") as theirs:
        record(theirs, TRIAL, example_outcome())
        describe_contents(theirs, facts(IDS))
        merge(ours, theirs)
        assert ids_of_trial(ours, TRIAL.key, 6) == IDS
        remove(ours, removal(ours, ()))
        assert count(ours) == 0
