"""Ordeals of runs: workers and conductors that are killed or many, a full disk, a clock that jumps."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

from benchmarks.ordeals import Line, attempts_in, ordeal, same_scores, same_stored, workers_left, yes_or_no

_SCRIPT = """
import sys, mvarena
mvarena.run(["toy-slow", "toy-quick"], "toy-blobs", repeats={repeats}, restarts=2, rates=(0.2,), jobs={jobs},
            params={{"toy-slow": {{"scale": 0.05}}}}, db=sys.argv[1])
"""


# the wall clock of a run's own processes: a day or ten years off whenever it is read
_JUMPING = """
import datetime, importlib.machinery, random, sys, time
plain, read, rng = datetime.datetime, time.time, random.Random(2)

def shift():
    with open("{count}", "ab") as file:
        file.write(b".")
    return rng.choice([-86400, 86400, 3.0e8])

class Jumping(plain):
    @classmethod
    def now(cls, tz=None):
        return plain.now(tz) + datetime.timedelta(seconds=shift())

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name not in ("mvarena.engine.local_engine", "mvarena.engine.execute", "mvarena.store.overview"):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        run = spec.loader.exec_module
        spec.loader.exec_module = lambda module: (run(module), setattr(module, "datetime", Jumping))
        return spec

time.time = lambda: read() + shift()
sys.meta_path.insert(0, Finder())
"""


@ordeal
def kills_of_workers(folder: Path, short: bool) -> Line:
    from benchmarks.framework import run_study
    from mvarena.study.model import Study
    from mvarena.system.processes import descendants

    wanted, killed, over = 5 if short else 40, 0, threading.Event()
    study = Study(
        algorithms=("toy-slow",), datasets=("toy-blobs",), rates=(0.2,), repeats=20 if short else 60, restarts=2,
        params={"toy-slow": {"scale": (0.3,)}},
    )  # fmt: skip

    def kill() -> None:
        nonlocal killed
        rng = random.Random(0)
        while not over.wait(rng.uniform(0.1, 1.0)) and killed < wanted:
            if family := descendants(os.getpid()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(rng.choice(family), rng.choice([signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM]))
                    killed += 1

    threading.Thread(target=kill, daemon=True).start()
    for runs in range(1, 31):
        result = run_study(study, db=folder / "killed.db", jobs=2, rerun=("crashed",))
        done = set(result.scores["status"]) == {"DONE"}
        if done and killed >= wanted:
            break
        if done:  # there is nothing left to kill
            (folder / "killed.db").rename(folder / f"done-{runs}.db")
    over.set()
    peace = run_study(study, db=folder / "peace.db", jobs=2)
    same = same_scores(result.scores, peace.scores)
    told = f"{runs} runs until all were done; the table equals the one in peace: {yes_or_no(same)}"
    return Line("kills of workers and forks", killed, told, same and killed >= wanted)


@ordeal
def kills_of_the_conductor(folder: Path, short: bool) -> Line:
    wanted, killed, rng = 4 if short else 50, 0, random.Random(1)
    script = _SCRIPT.format(repeats=40 if short else 300, jobs=2)
    while killed < wanted:
        run = subprocess.Popen([sys.executable, "-c", script, str(folder / "r.db")], start_new_session=True)
        try:
            code = run.wait(rng.uniform(0.5, 6.0))
            assert code == 0, "the run ends well, or is killed"
            (folder / "r.db").rename(folder / f"done-{killed}.db")
        except subprocess.TimeoutExpired:
            run.kill()
            run.wait()
            killed += 1
    subprocess.run([sys.executable, "-c", script, str(folder / "r.db")], check=True)
    subprocess.run([sys.executable, "-c", script, str(folder / "peace.db")], check=True)
    left = workers_left(seconds=60.0)
    same = same_stored(folder / "r.db", folder / "peace.db")
    told = f"resumed each time; the table equals the one in peace: {yes_or_no(same)}; {left} processes left"
    return Line("kills of the conductor", killed, told, same and not left)


@ordeal
def conductors_on_one_file(folder: Path, short: bool) -> Line:
    return _conductors(str(folder / "r.db"), "SQLite file", folder, short)


@ordeal
def conductors_on_one_server(folder: Path, short: bool) -> Line:
    if not os.environ.get("MVARENA_TEST_POSTGRES"):
        found = "MVARENA_TEST_POSTGRES names no server; .ci/with_postgres runs a command beside one"
        return Line("conductors at once on one PostgreSQL database", 0, found, None)
    from servers import empty_schema

    return _conductors(empty_schema(), "PostgreSQL database", folder, short)


def _conductors(address: str, kind: str, folder: Path, short: bool) -> Line:
    many, script = 3 if short else 8, _SCRIPT.format(repeats=20 if short else 100, jobs=1)
    runs = [subprocess.Popen([sys.executable, "-c", script, address]) for _ in range(many)]
    codes = [run.wait() for run in runs]
    subprocess.run([sys.executable, "-c", script, str(folder / "peace.db")], check=True)
    same = same_stored(address, folder / "peace.db")
    once = attempts_in(address) == attempts_in(folder / "peace.db")
    told = f"each trial ran once: {yes_or_no(once)}; the table equals that of one: {yes_or_no(same)}"
    return Line(f"conductors at once on one {kind}", many, told, same and once and not any(codes))


@ordeal
def disk_full(folder: Path, short: bool) -> Line:
    del short
    script, path = _SCRIPT.format(repeats=60, jobs=1), folder / "r.db"
    said = []
    for kilobytes in (150, 250, 400, 600):

        def limited(most: int = kilobytes * 1024) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        done = subprocess.run(
            [sys.executable, "-c", script, str(path)], preexec_fn=limited, capture_output=True, text=True, check=False
        )
        if done.returncode:
            said.append(done.stderr.strip().splitlines()[-1])
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)
    subprocess.run([sys.executable, "-c", script, str(folder / "peace.db")], check=True)
    same = same_stored(path, folder / "peace.db")
    told_so = bool(said) and all("StoreError" in one and ("full" in one or "disk failed" in one) for one in said)
    told = f"a sentence each time: {yes_or_no(told_so)}; resumed, the table equals the one in peace: {yes_or_no(same)}"
    return Line("files that may not grow any more", len(said), told, same and told_so)


@ordeal
def clock_that_jumps(folder: Path, short: bool) -> Line:
    script = _SCRIPT.format(repeats=20 if short else 80, jobs=1)
    (folder / "jumping").mkdir()
    (folder / "jumping" / "sitecustomize.py").write_text(_JUMPING.format(count=folder / "count"))
    path = os.pathsep.join([str(folder / "jumping"), os.environ["PYTHONPATH"]])
    runs = [
        subprocess.Popen([sys.executable, "-c", script, str(folder / "r.db")], env=os.environ | {"PYTHONPATH": one})
        for one in (path, os.environ["PYTHONPATH"])
    ]
    codes = [run.wait() for run in runs]
    subprocess.run([sys.executable, "-c", script, str(folder / "peace.db")], check=True)
    same = same_stored(folder / "r.db", folder / "peace.db")
    once = attempts_in(folder / "r.db") == attempts_in(folder / "peace.db")
    told = f"of one of two runs; each trial ran once: {yes_or_no(once)}; "
    told += f"the table equals the one in peace: {yes_or_no(same)}"
    jumps = (folder / "count").stat().st_size
    return Line("jumps of the wall clock by days", jumps, told, same and once and not any(codes))
