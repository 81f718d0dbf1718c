"""A server that ends a connection, is started anew or stays away, in the middle of a run."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from servers import empty_schema
from sqlalchemy import make_url

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

TOYS = Path(__file__).parents[1] / "toys"
STUDY = Study(algorithms=("toy-quick",), datasets=("toy-blobs",), repeats=4, restarts=2)


class Relay:
    """A port that leads to a server, and can be taken away with all connections through it."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def away(self, seconds: float | None = None) -> None:
        """End all connections and refuse others, for so long or for good."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open.clear()
        if seconds is not None:
            threading.Timer(seconds, self._back).start()

    def _back(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._accept(self._listener)

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._target)
            self._open += [client, server]
            for ends in ((client, server), (server, client)):
                threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    @staticmethod
    def _pass_on(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
        for one in (source, target):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


@pytest.fixture(autouse=True)
def _workers_find_the_toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(TOYS), os.environ.get("PYTHONPATH", "")]))


@pytest.fixture
def server() -> str:
    return empty_schema()


@pytest.fixture
def relay(server: str) -> Iterator[Relay]:
    url = make_url(server)
    relay = Relay(url.host or "127.0.0.1", url.port or 5432)
    yield relay
    relay.away()


def through(relay: Relay, server: str) -> str:
    return make_url(server).set(host="127.0.0.1", port=relay.port).render_as_string(hide_password=False)


def run(address: str, on_progress: object = None) -> RunResult:
    how = RunOptions(db=address, jobs=1)
    return run_blocks([Block(STUDY)], how, on_progress=on_progress)  # type: ignore[arg-type]


def after_the_first(relay: Relay, seconds: float | None) -> object:
    """Take the server away as soon as a trial is stored."""
    pending = [seconds]

    def advanced(advance: Advance) -> None:
        if advance.outcome is not None and pending:
            relay.away(pending.pop())

    return advanced


@pytest.mark.slow
def test_a_server_that_is_restarted_is_waited_for(relay: Relay, server: str) -> None:
    with pytest.warns(UserWarning, match="It is waited for 300 s"):
        result = run(through(relay, server), after_the_first(relay, 2.0))
    assert result.tally.already + sum(result.tally.ran.values()) == 4
    with open_database(server, create=False) as db:
        assert counts(db) == {Status.DONE: 4}


@pytest.mark.slow
def test_a_server_that_stays_away_ends_the_run_with_a_sentence(
    relay: Relay, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mvarena.running.SERVER_MAY_BE_AWAY_S", 1.0)
    words = r"cannot be used: .*; see that the server runs .* run this again"
    with pytest.warns(UserWarning, match="waited for 1 s"), pytest.raises(StoreError, match=words) as error:
        run(through(relay, server), after_the_first(relay, None))
    assert "password" not in str(error.value).replace("user and password", "")
    with open_database(server, create=False) as db:
        assert counts(db) == {Status.DONE: 1}
    assert run(server).tally.already == 1


def test_a_transaction_that_the_server_ends_is_no_failure_of_the_trial(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"{server}%20-cidle_in_transaction_session_timeout%3D1500"
    kept, pauses = write_outcomes.add_values, [2.5]  # a busy machine is not idle for as long

    def late(*arguments: object) -> None:
        if pauses:
            time.sleep(pauses.pop())
        kept(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(write_outcomes, "add_values", late)
    with pytest.warns(UserWarning, match="waited for"):
        assert run(address).tally.ran == {Status.DONE: 4}
    with open_database(server, create=False) as db:
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
