"""When workers end: with their conductor, before they have started, and with whatever they started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hostile_run import survivors

from mvarena.contracts.outcome import Outcome, Status
from mvarena.contracts.trial import Trial
from mvarena.engine.conductor import Conductor
from mvarena.engine.limits import Limits
from mvarena.engine.local_engine import LocalEngine
from mvarena.engine.pending import pending
from mvarena.errors import StoreError
from mvarena.registry.catalog import installed_catalog
from mvarena.store.database import open_database
from mvarena.study.model import Study
from mvarena.study.plan import plan_study
from mvarena.system.processes import descendants

SCRIPT = """
import mvarena
mvarena.run("toy-hostile", "toy-blobs", repeats=1, restarts=1, params={"toy-hostile": {"deed": "DEED"}}, db="DB")
"""


def trials(algorithm: str = "toy-quick", repeats: int = 1, **params: object) -> tuple[Trial, ...]:
    chosen = {algorithm: {name: (value,) for name, value in params.items()}} if params else {}
    study = Study(algorithms=(algorithm,), datasets=("toy-blobs",), repeats=repeats, restarts=1, params=chosen)
    return tuple(plan_study(study, installed_catalog()).trials)


def ended(engine: LocalEngine) -> tuple[Trial, Outcome]:
    while not (found := engine.finished(10.0)):
        pass
    return found[0]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a worker must get to run to see that it is an orphan")
@pytest.mark.parametrize("deed", ["holds-the-interpreter", "leaves-a-daemon-and-waits"])
def test_nothing_outlives_a_conductor_that_is_killed(tmp_path, monkeypatch, deed):
    monkeypatch.setenv("MVARENA_TOYS_NOTES", str(tmp_path / "notes"))
    script = SCRIPT.replace("DEED", deed).replace("DB", str(tmp_path / "r.db"))
    conductor = subprocess.Popen([sys.executable, "-c", script])
    for _ in range(1200):
        if (tmp_path / "notes").exists():
            break
        time.sleep(0.1)
    family = descendants(conductor.pid)
    assert len(family) >= 2, "a keeper and a worker"
    conductor.kill()
    conductor.wait()
    for _ in range(600):
        if not survivors(tmp_path / "notes") and not any(Path(f"/proc/{one}").exists() for one in family):
            return
        time.sleep(0.1)
    pytest.fail("something outlived its conductor")


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("who", ["the keeper", "the worker"])
def test_a_worker_that_never_starts_is_given_up(tmp_path, monkeypatch, who):
    stop = "import os, signal\n"
    if who == "the keeper":
        stop += "os.kill(os.getpid(), signal.SIGSTOP)\n"
    else:
        stop += "os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), signal.SIGSTOP))\n"
    (tmp_path / "sitecustomize.py").write_text(stop)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    (trial,) = trials()
    with LocalEngine(limits=Limits(start_s=1.0)) as engine:
        engine.submit(trial)
        _, outcome = ended(engine)
    assert outcome.status is Status.CRASHED
    assert outcome.reason.startswith("The worker process did not start within 1 s")
    assert not family()


def family() -> set[int]:
    """The keepers of this process and their workers: not what multiprocessing starts for other tests, once for all."""
    return {one for one in descendants(os.getpid()) if b"mvarena.engine.supervisor" in command_line(one)}


def command_line(process: int) -> bytes:
    """Of a process; empty where it has gone."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def runs(process: int) -> bool:
    """Whether it is more than an entry that nobody has asked for yet."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def worker_of(engine: LocalEngine) -> int:
    """The process of its one worker, once that has begun its trial."""
    while len(found := family()) < 2:
        engine.finished(0.05)
    keeper = next(one for one in found if f"PPid:\t{os.getpid()}\n" in Path(f"/proc/{one}/status").read_text())
    (worker,) = found - {keeper}
    return worker


def test_a_worker_that_stops_itself_is_ended_though_no_time_is_limited():
    (trial,) = trials("toy-hostile", deed="stops-itself")
    with LocalEngine(limits=Limits(frozen_s=1.0)) as engine:
        engine.submit(trial)
        _, outcome = ended(engine)
    assert outcome.status is Status.CRASHED
    assert outcome.reason == "The worker process was paused and did not continue within 1 s; it was stopped."
    assert not family()


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_worker_that_is_stopped_now_and_then_goes_on():
    (trial,) = trials("toy-slow", scale=1.0)
    with LocalEngine(limits=Limits(frozen_s=30.0)) as engine:
        engine.submit(trial)
        worker = worker_of(engine)
        for _ in range(3):
            os.kill(worker, signal.SIGSTOP)
            assert not engine.finished(0.2)
            os.kill(worker, signal.SIGCONT)
        _, outcome = ended(engine)
    assert outcome.status is Status.DONE


def test_a_worker_that_is_killed_while_it_waits_costs_no_trial():
    first, second = trials(repeats=2)
    with LocalEngine() as engine:
        engine.submit(first)
        assert ended(engine)[1].status is Status.DONE
        started = family()
        for one in started:
            os.kill(one, signal.SIGKILL)
        while any(map(runs, started)):  # a signal takes its time
            time.sleep(0.01)
        engine.submit(second)
        trial, outcome = ended(engine)
    assert (trial, outcome.status) == (second, Status.DONE)


def test_a_run_whose_database_is_deleted_does_not_say_that_all_is_well(tmp_path):
    path = tmp_path / "r.db"
    seen: list[str] = []

    def delete(advance: object) -> None:
        if not seen and getattr(advance, "trial", None):
            seen.append("one")
            for one in tmp_path.glob("r.db*"):
                one.unlink()

    with open_database(path) as db, LocalEngine() as engine:
        with pytest.raises(StoreError, match="deleted or moved away by another program while this run wrote to it"):
            Conductor(db, engine, on_progress=delete).run(pending(db, trials(repeats=3)))
        assert not path.exists()


def test_an_outcome_that_the_database_refuses_is_a_failure(tmp_path, monkeypatch):
    from mvarena.engine import conductor

    kept = conductor.record

    def refuse(db: object, trial: Trial, outcome: Outcome, replaces: int) -> bool:
        if outcome.status is Status.DONE:
            raise OverflowError("Python int too large to convert to SQLite INTEGER")
        return kept(db, trial, outcome, replaces)

    monkeypatch.setattr(conductor, "record", refuse)
    with open_database(tmp_path / "r.db") as db, LocalEngine() as engine:
        assert Conductor(db, engine).run(pending(db, trials(repeats=2))).ran == {Status.FAILED: 2}
        monkeypatch.undo()
        assert Conductor(db, engine).run(pending(db, trials(repeats=2))).already == 2


def test_threads_are_those_that_were_asked_for_however_many_workers():
    first, second = trials(repeats=2)
    for jobs, threads in ((1, 2), (2, 1)):
        with LocalEngine(jobs, limits=Limits(threads=threads)) as engine:
            engine.submit(first)
            _, outcome = ended(engine)
        assert outcome.environment["trial_threads"] == threads
        assert set(outcome.environment["threads"].values()) == {threads}
    assert second.key != first.key
