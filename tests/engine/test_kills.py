"""Runs whose processes are killed or stopped at random moments, and the same runs in peace: what is stored is the same.

The moments are drawn with a seed; MVARENA_TEST_KILLS is their number for each test.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pytest
from own_processes import workers_of
from servers import empty_schema
from sqlalchemy import select
from toy_trials import planned

from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine import worker_process
from mvarena.engine.conductor import Conductor
from mvarena.engine.local_engine import LocalEngine
from mvarena.engine.pending import pending
from mvarena.store.database import open_database
from mvarena.store.frames import scores_frame
from mvarena.store.schema import attempts, trials

KILLS = int(os.environ.get("MVARENA_TEST_KILLS", "5"))
SIGNALS = (signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM)
COLUMNS = ["key", "metric", "value", "status"]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


def stored(address: Path | str) -> pd.DataFrame:
    with open_database(address, readonly=True) as db:
        return scores_frame(db)[COLUMNS].sort_values(COLUMNS[:2]).reset_index(drop=True)


def done(address: Path | str) -> set[str]:
    """The keys of the trials that are stored as done."""
    with open_database(address, readonly=True) as db, db.read() as connection:
        return set(connection.scalars(select(trials.c.key).join(attempts).where(attempts.c.status == Status.DONE)))


class KilledEngine(LocalEngine):
    """Kills a worker or a fork of it, drawn at random, before it looks which trials have ended."""

    def __init__(self) -> None:
        super().__init__(2, queues=True)
        self.kills, self._rng = KILLS, random.Random(2)

    def finished(self, patience_s: float) -> list[tuple[Trial, Outcome]]:
        if self.kills and (found := sorted(workers_of(os.getpid()))):
            time.sleep(self._rng.uniform(0.0, 0.05))
            with suppress(ProcessLookupError):  # it has ended by itself
                os.kill(self._rng.choice(found), self._rng.choice(SIGNALS))
                self.kills -= 1
        return super().finished(patience_s)


def test_a_worker_or_a_fork_that_is_killed_costs_no_more_than_its_trial(tmp_path, monkeypatch):
    monkeypatch.setattr(worker_process, "can_be_forked", lambda _: True)  # a fresh interpreter takes a second
    trials = planned("toy-slow", params={"scale": 0.05}, repeats=2 * KILLS)
    with open_database(tmp_path / "killed.db") as db:
        with KilledEngine() as engine:
            ran = Conductor(db, engine).run(pending(db, trials)).ran
            assert engine.kills == 0
        assert set(ran) == {Status.DONE, Status.CRASHED}
        assert ran[Status.CRASHED] <= KILLS
        with LocalEngine(2) as engine:
            again = Conductor(db, engine).run(pending(db, trials, ("crashed",)))
        assert (again.ran, again.already) == ({Status.DONE: ran[Status.CRASHED]}, ran[Status.DONE])
    with open_database(tmp_path / "peace.db") as db, LocalEngine(2) as engine:
        Conductor(db, engine).run(pending(db, trials))
    assert stored(tmp_path / "killed.db").equals(stored(tmp_path / "peace.db"))
    assert not workers_of(os.getpid())


def started(address: Path | str) -> subprocess.Popen[bytes]:
    study = ["--algo", "toy-slow", "toy-quick", "--no-controls", "--data", "toy-blobs", "--rates", "0.2"]
    study += ["--repeats", str(6 * KILLS), "--restarts", "2", "--param", "toy-slow.scale=0.1"]
    command = [sys.executable, "-m", "mvarena", "run", *study, "--rerun", "crashed", "--jobs", "2"]
    return subprocess.Popen([*command, "--db", str(address), "--quiet"], stdout=subprocess.DEVNULL)


def hit(process: int, rng: random.Random) -> None:
    """Kill it, or stop it for a moment."""
    number = rng.choice([*SIGNALS, signal.SIGSTOP])
    with suppress(ProcessLookupError):
        os.kill(process, number)
        if number == signal.SIGSTOP:
            time.sleep(0.5)
            os.kill(process, signal.SIGCONT)


def holds(true: Callable[[], bool]) -> bool:
    """Whether it is true within a second: a process that was killed takes its time on a busy machine."""
    deadline = time.monotonic() + 1.0
    while not (seen := true()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return seen


def left_of(commands: Sequence[int]) -> set[int]:
    """The workers and forks of commands that have ended, after some time to end."""
    deadline = time.monotonic() + 60.0
    while (found := set().union(*map(workers_of, commands))) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("place", ["file", "server"])
def test_any_process_of_two_runs_may_be_killed_or_stopped(tmp_path, place):
    address = empty_schema() if place == "server" else tmp_path / "r.db"
    open_database(address).close()
    rng, before, numbers = random.Random(22), set(), []
    commands = [started(address) for _ in range(2)]
    for _ in range(KILLS):
        numbers += [one.pid for one in commands if one.pid not in numbers]
        time.sleep(rng.uniform(0.1, 2.0))
        command = rng.choice(commands)
        assert holds(lambda command=command: len(workers_of(command.pid)) <= 4), "a worker and its fork each"
        hit(rng.choice([command.pid, *sorted(workers_of(command.pid))]), rng)
        now = done(address)
        assert before <= now, "what was stored stays"
        before = now
        commands = [one if one.poll() is None else started(address) for one in commands]
    for one in commands:
        one.kill()
        one.wait()
    assert not left_of([*numbers, *(one.pid for one in commands)])
    goes_on, in_peace = started(address), started(tmp_path / "peace.db")
    assert (goes_on.wait(), in_peace.wait()) == (0, 0), "all is done in the end"
    assert stored(address).equals(stored(tmp_path / "peace.db"))
