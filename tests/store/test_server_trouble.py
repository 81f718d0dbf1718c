"""A server that ends a connection, is started anew or stays away, in the middle of a run."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from servers import empty_schema

from mvarena.contracts.outcome import Status
from mvarena.engine.conductor import Advance
from mvarena.errors import StoreError
from mvarena.running import RunResult, run_blocks
from mvarena.store import write_outcomes
from mvarena.store.database import open_database
from mvarena.store.trials import counts
from mvarena.store.troubles import ServerTrouble
from mvarena.study.building import Block, RunOptions
from mvarena.study.model import Study

psycopg = pytest.importorskip("psycopg", reason="the PostgreSQL driver is not installed")
TOYS = Path(__file__).parents[1] / "toys"
STUDY = Study(algorithms=("toy-quick",), datasets=("toy-blobs",), repeats=4, restarts=2)


class Server:
    """A server that can be taken away: its connections end, and others are refused."""

    def __init__(self, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.address = f"{address}&application_name=mvarena-away"
        self._connect, self._back_at = psycopg.connect, 0.0
        monkeypatch.setattr(psycopg, "connect", self._connected)

    def _connected(self, *arguments: Any, **more: Any) -> psycopg.Connection[Any]:
        if time.monotonic() < self._back_at:
            raise psycopg.OperationalError("connection failed: Connection refused")
        return self._connect(*arguments, **more)

    def away(self, seconds: float) -> None:
        """End all connections and refuse others for so long."""
        with self._connect(self.address.replace("-away", "-other")) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mvarena-away'"
            )
        self._back_at = time.monotonic() + seconds


@pytest.fixture(autouse=True)
def _workers_find_the_toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(TOYS), os.environ.get("PYTHONPATH", "")]))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setattr("mvarena.store.database._PAUSE_S", 0.05)
    return Server(empty_schema(), monkeypatch)


def run(address: str, on_progress: object = None) -> RunResult:
    how = RunOptions(db=address, jobs=1)
    return run_blocks([Block(STUDY)], how, on_progress=on_progress)  # type: ignore[arg-type]


def after_the_first(server: Server, seconds: float) -> object:
    """Take the server away as soon as a trial is stored."""
    pending = [seconds]

    def advanced(advance: Advance) -> None:
        if advance.outcome is not None and pending:
            server.away(pending.pop())

    return advanced


def test_a_server_that_is_restarted_is_waited_for(server: Server) -> None:
    with pytest.warns(UserWarning, match="It is waited for 300 s"):
        result = run(server.address, after_the_first(server, 1.0))
    assert result.tally.already + sum(result.tally.ran.values()) == 4
    with open_database(server.address, create=False) as db:
        assert counts(db) == {Status.DONE: 4}


def test_a_server_that_stays_away_ends_the_run_with_a_sentence(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mvarena.running.SERVER_MAY_BE_AWAY_S", 0.5)
    words = r"cannot be used: .*; see that the server runs .* run this again"
    with pytest.warns(UserWarning, match=r"waited for 0.5 s"), pytest.raises(StoreError, match=words) as error:
        run(server.address, after_the_first(server, 60.0))
    assert "password" not in str(error.value).replace("user and password", "")
    monkeypatch.undo()
    with open_database(server.address, create=False) as db:
        assert counts(db) == {Status.DONE: 1}


def test_a_transaction_that_the_server_ends_is_no_failure_of_the_trial(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"{server.address}".replace("search_path", "idle_in_transaction_session_timeout%3D1500%20-csearch_path")
    kept, pauses = write_outcomes.add_values, [2.5]  # a busy machine is not idle for as long

    def late(*arguments: object) -> None:
        if pauses:
            time.sleep(pauses.pop())
        kept(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(write_outcomes, "add_values", late)
    with pytest.warns(UserWarning, match="waited for"):
        assert run(address).tally.ran == {Status.DONE: 4}
    with open_database(address, create=False) as db:
        assert counts(db) == {Status.DONE: 4}


def test_only_trouble_of_the_server_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def plan_runs(*_: object, **__: object) -> None:
        tried.append(1)
        raise StoreError("the disk is full") if len(tried) > 1 else ServerTrouble("no answer")

    monkeypatch.setattr("mvarena.running.run_plan", plan_runs)
    with pytest.warns(UserWarning, match="no answer It is waited for"), pytest.raises(StoreError, match="disk is full"):
        run(str(tmp_path / "r.db"))
    assert len(tried) == 2
