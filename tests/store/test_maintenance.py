"""A database made small says the same of everything that its protocols count."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from store_examples import example_outcome, example_trial

from mvarena.contracts.outcome import Status
from mvarena.numerics.kmeans import Labelling
from mvarena.store.database import Database, open_database
from mvarena.store.frames import scores_frame
from mvarena.store.maintenance import _FOLDERS, thin
from mvarena.store.read_outcomes import labellings
from mvarena.store.trials import counts, finished
from mvarena.store.write_outcomes import record
from mvarena.study.protocols import PROTOCOLS

MEAN = example_trial(0)
LOWEST = example_trial(1, protocol=PROTOCOLS["fair"])
FAILED = example_trial(2)


@pytest.fixture
def filled(db: Database) -> Database:
    record(db, MEAN, example_outcome())
    record(db, LOWEST, example_outcome())
    record(db, FAILED, example_outcome(Status.TIMEOUT))
    return db


def counted(db: Database) -> pd.DataFrame:
    frame = scores_frame(db, metrics=["acc"])
    return frame[frame["metric"].notna()].sort_values("key", ignore_index=True)


def test_what_counts_stays(filled):
    before = counted(filled)
    assert thin(filled, ["acc"]) > 0
    pd.testing.assert_frame_equal(counted(filled), before)


def test_no_labels_stay_and_other_metrics_go(filled):
    thin(filled)
    assert set(scores_frame(filled)["metric"].dropna()) == {"acc", "nmi"}
    thin(filled, ["acc"])
    assert labellings(filled, LOWEST.key) == labellings(filled, MEAN.key) == []
    assert scores_frame(filled).loc[0, "n_labels"] == 3
    assert set(scores_frame(filled)["metric"].dropna()) == {"acc"}


def test_nothing_is_to_be_run_again(filled):
    before = counts(filled)
    thin(filled, ["acc"])
    assert counts(filled) == before
    assert finished(filled, [one.key for one in (MEAN, LOWEST, FAILED)]) == {MEAN.key, LOWEST.key, FAILED.key}


def test_thinning_again_drops_nothing(filled):
    thin(filled, ["acc"])
    assert thin(filled, ["acc"]) == 0


def test_a_file_is_whole_by_itself_and_smaller(tmp_path):
    path = tmp_path / "results.db"
    many = Labelling(np.random.default_rng(0).integers(0, 100, 20_000), 1.0)
    with open_database(path) as db:
        for repeat in range(30):
            record(db, example_trial(repeat, protocol=PROTOCOLS["fair"]), example_outcome(labellings=(many,)))
    before = path.stat().st_size
    with open_database(path) as db:
        thin(db, ["acc"])
    assert path.stat().st_size < before
    assert [one.name for one in tmp_path.iterdir()] == ["results.db"]
    with open_database(path, readonly=True, create=False) as db:
        assert len(scores_frame(db)) == 30


def test_tracebacks_keep_no_folder_of_a_machine():
    text = 'File "/some/where/mvarena/algorithms/graph/amgl.py", line 3, in f\n  File "own.py", line 1, in g'
    assert _FOLDERS.sub("", text) == 'File "algorithms/graph/amgl.py", line 3, in f\n  File "own.py", line 1, in g'
    assert _FOLDERS.sub("", r'File "C:\Users\me\a\b\c.py", line 1') == r'File "a\b\c.py", line 1'
