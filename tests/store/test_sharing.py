"""Several processes on one database: nothing is lost, nothing is stored twice, nothing is torn."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text
from store_examples import example_outcome, example_trial, rows

from mvarena.contracts.outcome import Status
from mvarena.errors import StoreError
from mvarena.store.database import Database, open_database
from mvarena.store.read_outcomes import outcome_of
from mvarena.store.schema import labellings, scores
from mvarena.store.trials import counts, finished
from mvarena.store.write_outcomes import record

PROGRAM = Path(__file__).with_name("recording_process.py")


def start(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, str(PROGRAM), *map(str, arguments)]
    pipe = subprocess.PIPE
    beside = os.environ | {"PYTHONSAFEPATH": ""}  # the program imports what lies beside it
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=beside)


def test_several_processes_share_the_work_and_lose_nothing(address: str) -> None:
    # none of them finds a database: they also race to make it
    number, owners = 60, ("one", "two", "three")
    runs = [start("share", address, owner, index * 20, number) for index, owner in enumerate(owners)]
    said = [[int(run.stdout.readline())] for run in runs]
    for run in runs:
        run.stdin.write("go on\n")
        run.stdin.flush()
    for run, repeats in zip(runs, said, strict=True):
        out, errors = run.communicate(timeout=120)
        assert (run.returncode, errors) == (0, "")
        repeats += [int(line) for line in out.split()]
    assert sorted(repeat for repeats in said for repeat in repeats) == list(range(number)), (
        "each trial was recorded by one of them, once"
    )
    with open_database(address) as db:
        assert counts(db) == {Status.DONE: number}
        for owner, repeats in zip(owners, said, strict=True):
            assert {outcome_of(db, example_trial(repeat).key).source_hash for repeat in repeats} == {owner}
        assert (rows(db, labellings), rows(db, scores)) == (number, 2 * number)


def test_a_process_killed_while_it_records_loses_nothing_stored_before(address: str) -> None:
    run = start("die", address, 3)
    _, errors = run.communicate(timeout=60)
    assert (run.returncode, errors) == (-signal.SIGKILL, "")
    keys = [example_trial(repeat).key for repeat in range(4)]
    with open_database(address) as db:
        assert finished(db, keys) == set(keys[:3])
        assert outcome_of(db, keys[3]) is None
        assert len(outcome_of(db, keys[2]).labellings) == 1
        assert record(db, example_trial(3), example_outcome())
        if db.engine.dialect.name == "sqlite":
            with db.read() as connection:
                assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"


def test_threads_share_one_database(db: Database) -> None:
    trials = [example_trial(repeat) for repeat in range(12)]
    with ThreadPoolExecutor(4) as pool:
        stored = list(pool.map(lambda trial: record(db, trial, example_outcome()), trials + trials))
    assert stored.count(True) == 12
    assert counts(db) == {Status.DONE: 12}


def test_a_connection_that_the_server_closed_is_replaced(address: str) -> None:
    with open_database(address) as db, open_database(address) as second:
        if db.engine.dialect.name == "sqlite":
            pytest.skip("files have no server")
        record(db, example_trial(0), example_outcome())
        with db.read() as connection:
            number = connection.scalar(text("SELECT pg_backend_pid()"))
        with second.write() as connection:
            assert connection.scalar(text("SELECT pg_terminate_backend(:number, 10000)"), {"number": number})
        assert record(db, example_trial(1), example_outcome())


def test_a_lock_that_lasts_is_said_and_a_short_one_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mvarena.store.connections.PATIENCE_S", 0.1)
    path = tmp_path / "results.db"
    with open_database(path) as db, ThreadPoolExecutor(1) as pool:
        record(db, example_trial(0), example_outcome())
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"results\.db is locked: another program .*; wait"):
            record(db, example_trial(1), example_outcome())
        assert counts(db) == {Status.DONE: 1}, "reading needs no lock"
        monkeypatch.undo()
        with open_database(path) as second:
            assert counts(second) == {Status.DONE: 1}, "nor does opening"
            waiting = pool.submit(record, second, example_trial(1), example_outcome())
            with pytest.raises(TimeoutError):
                waiting.result(0.2)
            other.execute("ROLLBACK")
            other.close()
            assert waiting.result(30)
