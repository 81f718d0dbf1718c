"""Claims: who may run a trial, and for how long."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text, update
from store_examples import claim, example_outcome, example_trial

from mvarena.contracts.outcome import Status
from mvarena.store import Database, claim_some, claim_sql, open_database, record, register, release, renew
from mvarena.store import claims as claims_module
from mvarena.store.claims import others
from mvarena.store.overview import activity, claimants
from mvarena.store.schema import claims


def hold(db: Database, key: str, **changes: object) -> None:
    """A claim as another process left it."""
    assert claim(db, key, "another")
    with db.write() as connection:
        connection.execute(update(claims).where(claims.c.key == key).values(**changes))


def held_by_a_process(address: str, key: str, lease_s: float, environment: dict[str, str] | None = None) -> Any:
    """A process on another machine, as it seems, that has claimed `key` and waits."""
    program = Path(__file__).with_name("claiming_process.py")
    command = [sys.executable, str(program), address, key, str(lease_s)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=os.environ | (environment or {}))
    assert process.stdout is not None
    process.said = process.stdout.readline().strip()
    return process


def free_within(seconds: float, take: Callable[[], bool]) -> bool:
    """Whether `take` succeeds before so many seconds have passed."""
    end = time.monotonic() + seconds
    while not (taken := take()) and time.monotonic() < end:
        time.sleep(0.05)
    return taken


def registered(db: Database, count: int) -> list[str]:
    """The keys of so many trials that may be claimed."""
    trials = [example_trial(repeat) for repeat in range(count)]
    register(db, trials)
    return [trial.key for trial in trials]


def another_wall_clock(shift: str) -> dict[str, str]:
    """The environment of a process whose wall clock was set to another time; the time since boot cannot be set."""
    libraries = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
    if not libraries:
        pytest.skip("libfaketime is not installed (Debian: apt-get install faketime)")
    return {"LD_PRELOAD": str(libraries[0]), "FAKETIME": shift, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


def a_dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


class ClaimsSuite:
    """For `backend_suite.BackendSuite`."""

    def test_a_claim_keeps_others_out(self, db: Database) -> None:
        first, second = registered(db, 2)
        assert claim(db, first, "me")
        assert not claim(db, first, "another")
        assert claim(db, second, "another")
        assert claim(db, first, "me"), "one's own claim is taken again"

    def test_what_runs_and_what_was_left_is_told_by_the_databases_clock(self, db: Database) -> None:
        keys = registered(db, 4)
        assert claim_some(db, keys[:2], "me", 2).taken == keys[:2]
        hold(db, keys[2], expires_at=0.0)
        found = activity(db)
        (owner,) = found.owners
        assert owner.endswith(f", process {os.getpid()}")
        assert (found.owners[owner], found.running, found.waiting) == (2, 2, 2)
        with db.read() as connection:
            assert claimants(connection) == (found.owners, 1)

    def test_an_expired_claim_is_taken_over(self, db: Database) -> None:
        (key,) = registered(db, 1)
        hold(db, key, expires_at=0.0)
        assert claim(db, key, "me")
        assert not claim(db, key, "another")

    def test_a_claim_lasts_as_long_as_its_lease(self, db: Database) -> None:
        (key,) = registered(db, 1)
        assert claim(db, key, "another", lease_s=0.2)
        assert not claim(db, key, "me")
        time.sleep(0.25)
        assert claim(db, key, "me")

    def test_the_claim_of_a_process_that_died_here_is_taken_over(self, db: Database) -> None:
        (key,) = registered(db, 1)
        hold(db, key, pid=a_dead_process())
        assert claim(db, key, "me")

    def test_a_process_on_another_machine_is_not_judged_by_its_number(self, db: Database) -> None:
        (key,) = registered(db, 1)
        hold(db, key, pid=a_dead_process(), host="elsewhere")
        assert not claim(db, key, "me")

    def test_renewing_keeps_a_claim_alive(self, db: Database) -> None:
        keys = registered(db, 2)
        assert claim_some(db, keys, "me", 2, lease_s=0.2).taken == keys
        assert renew(db, "me", lease_s=60) == 2
        time.sleep(0.25)
        assert not claim(db, keys[0], "another")

    def test_renewing_counts_only_what_is_still_held(self, db: Database) -> None:
        keys = registered(db, 2)
        assert claim_some(db, keys, "me", 2).taken == keys
        with db.write() as connection:
            connection.execute(update(claims).where(claims.c.key == keys[0]).values(expires_at=0.0))
        assert claim(db, keys[0], "another")
        assert renew(db, "me") == 1

    def test_releasing_gives_up_ones_own_only(self, db: Database) -> None:
        *mine, other = registered(db, 3)
        assert claim_some(db, mine, "me", 2).taken == mine
        assert claim(db, other, "another")
        assert release(db, "me") == 2
        with db.read() as connection:
            left = connection.execute(select(claims.c.key, claims.c.owner)).all()
        assert [tuple(row) for row in left] == [(other, "another")]

    def test_some_are_claimed_in_order_and_what_others_have_is_passed_over(self, db: Database) -> None:
        keys = registered(db, 8)
        assert claim_some(db, keys, "another", 2).taken == keys[:2]
        assert claim_some(db, keys, "me", 3).taken == keys[2:5]
        assert claim_some(db, keys[::-1], "me", 2).taken == [keys[7], keys[6]]
        assert claim_some(db, keys, "a third", 9).taken == [keys[5]]
        assert claim_some(db, keys, "a third", 9).taken == [keys[5]], "one's own are taken again"
        assert claim_some(db, keys, "a fourth", 9).taken == []
        assert claim_some(db, [], "me", 9).taken == []

    def test_what_needs_no_run_is_told_and_not_claimed(self, db: Database) -> None:
        keys = registered(db, 5)
        for repeat, status in ((0, Status.DONE), (2, Status.FAILED), (3, Status.INTERRUPTED)):
            record(db, example_trial(repeat), example_outcome(status))
        assert claim_some(db, keys, "me", 2).taken == [keys[1], keys[3]]
        found = claim_some(db, keys, "me", 4)
        assert (found.taken, found.finished) == ([keys[1], keys[3], keys[4]], {keys[0], keys[2]})
        found = claim_some(db, keys, "me", 5, replacing={keys[0]: 1})
        assert (found.taken, found.finished) == ([keys[0], keys[1], keys[3], keys[4]], {keys[2]})
        assert claim_some(db, keys, "me", 5, replacing={keys[0]: 1, keys[2]: 1}).taken == keys
        with db.read() as connection:
            held = set(connection.scalars(select(claims.c.key)))
        assert held == set(keys), "what is taken is held, and nothing else"

    @pytest.mark.parametrize("status", list(Status))
    def test_what_needs_no_run_is_not_among_some(self, db: Database, status: Status) -> None:
        (key,) = registered(db, 1)
        record(db, example_trial(), example_outcome(status))
        free = status is Status.INTERRUPTED
        found = claim_some(db, [key], "me", 1)
        assert (found.taken, found.finished) == (([key], set()) if free else ([], {key}))
        release(db, "me")
        assert claim_some(db, [key], "me", 1, replacing={key: 1}).taken == [key]

    def test_of_several_outcomes_the_latest_counts(self, db: Database) -> None:
        (key,) = registered(db, 1)
        for status in (Status.FAILED, Status.INTERRUPTED):
            record(db, example_trial(), example_outcome(status))
        assert claim_some(db, [key], "me", 1).taken == [key]
        release(db, "me")
        record(db, example_trial(), example_outcome(Status.FAILED))
        assert claim_some(db, [key], "me", 1, replacing={key: 2}).finished == {key}
        assert claim_some(db, [key], "me", 1, replacing={key: 3}).taken == [key]

    def test_some_are_taken_over_from_the_dead_and_the_expired(self, db: Database) -> None:
        keys = registered(db, 4)
        hold(db, keys[0], pid=a_dead_process())
        hold(db, keys[1], expires_at=0.0)
        hold(db, keys[2], clock="of before the machine was started again")
        hold(db, keys[3], pid=a_dead_process(), host="elsewhere")
        taken = claim_some(db, keys, "me", 4).taken
        assert taken == keys[:3]

    def test_what_another_is_just_taking_is_neither_waited_for_nor_taken(self, address: str) -> None:
        with open_database(address) as db, open_database(address) as second:
            keys = registered(db, 4)
            if db.engine.dialect.name == "sqlite":
                pytest.skip("one transaction at a time")
            with second.write() as connection:
                claim_sql.take(connection, keys, 2, claims_module._row(connection, "another", 60.0), {})
                assert claim_some(db, keys, "me", 4).taken == keys[2:]
                connection.rollback()
            assert claim_some(db, keys, "me", 4).taken == keys

    def test_only_a_claim_does_not_wait_for_the_disk(self, db: Database) -> None:
        keys = registered(db, 4)
        if db.engine.dialect.name == "sqlite":
            pytest.skip("a setting of PostgreSQL")
        asked = text("SHOW synchronous_commit")
        with db.write() as connection:
            before = connection.scalar(asked)
            claim_sql.take(connection, keys, 2, claims_module._row(connection, "me", 60.0), {})
            assert (before, connection.scalar(asked)) == ("on", "off")
        assert claim_some(db, keys, "me", 4).taken == keys
        with db.write() as connection:
            assert connection.scalar(asked) == "on"

    def test_other_runs_are_counted(self, db: Database) -> None:
        *keys, old, dead = registered(db, 6)
        assert others(db, "me") == 0
        for key, owner in zip(keys, ("me", "a", "a", "b"), strict=True):
            assert claim(db, key, owner)
        hold(db, old, owner="gone", expires_at=0.0)
        hold(db, dead, owner="dead", pid=a_dead_process())
        assert others(db, "me") == 2

    def test_the_claim_of_a_killed_process_lasts_as_long_as_its_lease_and_no_longer(self, address: str) -> None:
        with open_database(address) as db:
            (key,) = registered(db, 1)
            process = held_by_a_process(address, key, 2.0)
            began = time.monotonic()
            process.kill()
            process.communicate()
            assert process.returncode == -signal.SIGKILL
            assert claim_some(db, [key], "me", 1).taken == []
            assert free_within(60.0, lambda: claim_some(db, [key], "me", 1).taken == [key])
            assert time.monotonic() - began > 1.5

    @pytest.mark.parametrize("shift", ["+400d", "-400d"])
    def test_a_clock_that_was_set_changes_nothing(self, address: str, shift: str) -> None:
        environment = another_wall_clock(shift)
        with open_database(address) as db:
            mine, gone = registered(db, 2)
            assert claim(db, mine, "me", lease_s=60.0)
            assert claim(db, gone, "gone", lease_s=0.1)
            time.sleep(0.2)
            process = held_by_a_process(address, mine, 60.0, environment)
            assert process.said == "nothing", "a lease lasts, although that clock says that it is over"
            process.communicate()
            process = held_by_a_process(address, gone, 1.0, environment)
            assert process.said == "claimed", "a lease is over, although that clock says that it lasts"
            assert not claim(db, gone, "me")
            process.communicate()
            assert free_within(60.0, lambda: claim(db, gone, "me"))
