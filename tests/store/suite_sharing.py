"""Several processes on one database: nothing is lost, nothing is stored twice, nothing is torn."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import func, select, text
from store_examples import example_outcome, example_trial

from mvarena.contracts.outcome import Status
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


class SharingSuite:
    """For `backend_suite.BackendSuite`."""

    def test_two_processes_share_the_work_and_lose_nothing(self, address: str) -> None:
        # neither finds a database: they also race to make it
        number = 60
        runs = [start("share", address, owner, first, number) for owner, first in (("one", 0), ("two", number // 2))]
        said = [[int(run.stdout.readline())] for run in runs]
        for run in runs:
            run.stdin.write("go on\n")
            run.stdin.flush()
        for run, repeats in zip(runs, said, strict=True):
            out, errors = run.communicate(timeout=120)
            assert (run.returncode, errors) == (0, "")
            repeats += [int(line) for line in out.split()]
        assert sorted(said[0] + said[1]) == list(range(number)), "each trial was recorded by one of them, once"
        with open_database(address) as db:
            assert counts(db) == {Status.DONE: number}
            for owner, repeats in zip(("one", "two"), said, strict=True):
                assert {outcome_of(db, example_trial(repeat).key).source_hash for repeat in repeats} == {owner}
            with db.read() as connection:
                assert connection.scalar(select(func.count()).select_from(labellings)) == number
                assert connection.scalar(select(func.count()).select_from(scores)) == 2 * number

    def test_eight_writers_of_the_same_trials_store_each_once(self, address: str) -> None:
        number, writers = 400, 8
        runs = [start("share", address, f"run {i}", i * number // writers, number) for i in range(writers)]
        said = [run.stdout.readline() for run in runs]
        for run in runs:
            run.stdin.write("go\n")
            run.stdin.flush()
        ends = [run.communicate(timeout=300) for run in runs]
        assert [(run.returncode, errors) for run, (_, errors) in zip(runs, ends, strict=True)] == [(0, "")] * writers
        repeats = [list(map(int, (first + out).split())) for first, (out, _) in zip(said, ends, strict=True)]
        assert sorted(repeat for one in repeats for repeat in one) == list(range(number)), "each once"
        with open_database(address) as db:
            assert counts(db) == {Status.DONE: number}

    def test_a_process_killed_while_it_records_loses_nothing_stored_before(self, address: str) -> None:
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

    def test_threads_share_one_database(self, db: Database) -> None:
        trials = [example_trial(repeat) for repeat in range(24)]
        with ThreadPoolExecutor(4) as pool:
            stored = list(pool.map(lambda trial: record(db, trial, example_outcome()), trials + trials))
        assert stored.count(True) == 24
        assert counts(db) == {Status.DONE: 24}

    def test_a_connection_that_was_closed_is_replaced(self, address: str) -> None:
        with open_database(address) as db, open_database(address) as second:
            if db.engine.dialect.name == "sqlite":
                pytest.skip("files have no server")
            record(db, example_trial(0), example_outcome())
            with db.read() as connection:
                number = connection.scalar(text("SELECT pg_backend_pid()"))
            with second.write() as connection:
                assert connection.scalar(text("SELECT pg_terminate_backend(:number, 10000)"), {"number": number})
            assert record(db, example_trial(1), example_outcome())
