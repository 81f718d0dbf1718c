"""Several processes on one database: nothing is lost, nothing is stored twice, nothing is torn."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from store_examples import example_outcome, example_trial

from mvarena.contracts.outcome import Status
from mvarena.errors import StoreError
from mvarena.store.database import open_database
from mvarena.store.trials import counts
from mvarena.store.write_outcomes import record


def test_a_lock_that_lasts_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mvarena.store.connections.PATIENCE_S", 0.1)
    path = tmp_path / "results.db"
    with open_database(path) as db:
        record(db, example_trial(0), example_outcome())
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"results\.db is locked: another program .*; wait"):
            record(db, example_trial(1), example_outcome())
        assert counts(db) == {Status.DONE: 1}, "reading needs no lock"
        with open_database(path) as second:
            assert counts(second) == {Status.DONE: 1}, "nor does opening"
        other.execute("ROLLBACK")
        other.close()
        assert record(db, example_trial(1), example_outcome())


def test_a_write_waits_for_a_short_lock(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    with open_database(path) as db, ThreadPoolExecutor(1) as pool:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        waiting = pool.submit(record, db, example_trial(), example_outcome())
        with pytest.raises(TimeoutError):
            waiting.result(0.2)
        other.execute("COMMIT")
        other.close()
        assert waiting.result(30)
