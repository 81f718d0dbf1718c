"""Removing, thinning and checking: what goes, what stays, and what is said of damage."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from store_examples import example_outcome, example_trial

from mvarena.contracts.outcome import Status
from mvarena.contracts.source import Source
from mvarena.errors import StoreError
from mvarena.numerics.kmeans import Labelling
from mvarena.store.checks import problems
from mvarena.store.database import Database, open_database
from mvarena.store.filters import Filter, chosen
from mvarena.store.frames import scores_frame
from mvarena.store.maintenance import removal, remove, remove_orphans, thin, vacuum
from mvarena.store.merge import merge
from mvarena.store.overview import key_of
from mvarena.store.read_outcomes import labellings, outcome_of
from mvarena.store.readonly import open_to_read
from mvarena.store.trials import counts, finished
from mvarena.store.write_outcomes import record
from mvarena.study.protocols import PROTOCOLS


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


def test_a_database_made_small_says_the_same_and_runs_nothing_again(db: Database) -> None:
    mean, lowest, failed = example_trial(0), example_trial(1, protocol=PROTOCOLS["fair"]), example_trial(2)
    text = 'File "/some/where/mvarena/algorithms/graph/amgl.py", line 3, in f\n  File "own.py", line 1, in g\n'
    record(db, mean, example_outcome())
    record(db, lowest, example_outcome())
    record(db, failed, example_outcome(Status.TIMEOUT, traceback=text + r'File "C:\Users\me\a\b\c.py", line 1'))
    before, known = scores_frame(db, metrics=["acc"]), counts(db)
    thin(db)
    assert set(scores_frame(db)["metric"].dropna()) == {"acc", "nmi"}
    assert thin(db, ["acc"]) > 0
    assert thin(db, ["acc"]) == 0
    pd.testing.assert_frame_equal(scores_frame(db), before)
    assert labellings(db, lowest.key) == labellings(db, mean.key) == []
    assert counts(db) == known
    assert finished(db, [one.key for one in (mean, lowest, failed)]) == {mean.key, lowest.key, failed.key}
    assert outcome_of(db, failed.key).traceback.splitlines() == [
        'File "algorithms/graph/amgl.py", line 3, in f',
        '  File "own.py", line 1, in g',
        r'File "a\b\c.py", line 1',
    ]


@pytest.mark.parametrize("thinned", [False, True])
def test_the_room_of_labels_is_given_back_and_a_file_is_whole_by_itself(tmp_path: Path, thinned: bool) -> None:
    path = tmp_path / "r.db"
    many = Labelling(np.random.default_rng(0).integers(0, 100, 100_000), 1.0)
    with open_database(path) as db:
        for repeat in range(4):
            record(db, example_trial(repeat), example_outcome(labellings=(many,), truth=None))
    with open_database(path) as db:
        if thinned:
            thin(db)
        else:
            remove(db, plan(db, algorithms="apmc"))
            vacuum(db)
    assert path.stat().st_size < 200_000  # the labels take 340,000
    assert [one.name for one in tmp_path.iterdir()] == ["r.db"]
    with open_to_read(path) as db:
        assert len(scores_frame(db)) == (8 if thinned else 0)


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
