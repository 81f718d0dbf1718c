from __future__ import annotations

import subprocess
import sys
import time

import pytest
from sqlalchemy import insert, select, update
from store_examples import STARTED, example_outcome, example_trial

from mvarena.contracts.outcome import Status
from mvarena.errors import InvalidSetting
from mvarena.store import Database, claim, record, release, renew
from mvarena.store.schema import claims


def hold(db: Database, key: str, **changes: object) -> None:
    """A claim as another process left it."""
    assert claim(db, key, "another")
    with db.write() as connection:
        connection.execute(update(claims).where(claims.c.key == key).values(**changes))


def a_dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_claim_keeps_others_out(db: Database) -> None:
    assert claim(db, "a", "me")
    assert not claim(db, "a", "another")
    assert claim(db, "b", "another")
    assert claim(db, "a", "me"), "one's own claim is taken again"


def test_several_are_claimed_together_or_not_at_all(db: Database) -> None:
    assert claim(db, "b", "another")
    assert not claim(db, ["a", "b", "c"], "me")
    assert claim(db, ["a", "c"], "another"), "the refused claim left nothing behind"


def test_claiming_nothing_succeeds(db: Database) -> None:
    assert claim(db, [], "me")


def test_an_expired_claim_is_taken_over(db: Database) -> None:
    hold(db, "a", expires_at=STARTED)
    assert claim(db, "a", "me")
    assert not claim(db, "a", "another")


def test_a_claim_lasts_as_long_as_its_lease(db: Database) -> None:
    assert claim(db, "a", "another", lease_s=0.2)
    assert not claim(db, "a", "me")
    time.sleep(0.25)
    assert claim(db, "a", "me")


def test_the_claim_of_a_process_that_died_here_is_taken_over(db: Database) -> None:
    hold(db, "a", pid=a_dead_process())
    assert claim(db, "a", "me")


def test_a_process_on_another_machine_is_not_judged_by_its_number(db: Database) -> None:
    hold(db, "a", pid=a_dead_process(), host="elsewhere")
    assert not claim(db, "a", "me")


@pytest.mark.parametrize("status", list(Status))
def test_what_needs_no_run_is_not_claimed(db: Database, status: Status) -> None:
    trial = example_trial()
    record(db, trial, example_outcome(status))
    assert claim(db, trial.key, "me") is (status is Status.INTERRUPTED)
    assert claim(db, trial.key, "me", replacing={trial.key: 1})


def test_renewing_keeps_a_claim_alive(db: Database) -> None:
    assert claim(db, ["a", "b"], "me", lease_s=0.2)
    assert renew(db, "me", lease_s=60) == 2
    time.sleep(0.25)
    assert not claim(db, "a", "another")


def test_renewing_counts_only_what_is_still_held(db: Database) -> None:
    assert claim(db, ["a", "b"], "me")
    with db.write() as connection:
        connection.execute(update(claims).where(claims.c.key == "a").values(expires_at=STARTED))
    assert claim(db, "a", "another")
    assert renew(db, "me") == 1


def test_releasing_gives_up_ones_own_only(db: Database) -> None:
    assert claim(db, ["a", "b", "c"], "me")
    assert claim(db, "d", "another")
    assert release(db, "me", "a") == 1
    assert release(db, "me", ["b", "d"]) == 1
    assert claim(db, ["a", "b"], "another")
    assert release(db, "me") == 1
    with db.read() as connection:
        left = connection.execute(select(claims.c.key, claims.c.owner)).all()
    assert {tuple(row) for row in left} == {("a", "another"), ("b", "another"), ("d", "another")}


@pytest.mark.parametrize("lease_s", [0.0, -1.0, float("nan")])
def test_a_lease_has_a_length(db: Database, lease_s: float) -> None:
    with pytest.raises(InvalidSetting, match="longer than 0 s"):
        claim(db, "a", "me", lease_s=lease_s)


def test_more_keys_than_fit_into_one_statement(db: Database) -> None:
    row = {"owner": "me", "host": "elsewhere", "pid": 1, "expires_at": STARTED}
    with db.write() as connection:
        connection.execute(insert(claims), [{"key": str(i), **row} for i in range(12_000)])
    assert release(db, "me", [str(i) for i in range(11_000)]) == 11_000
