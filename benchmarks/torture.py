"""Everything that may go wrong in a run, many times: python -m benchmarks.torture [--only NAME ...] [--short]

Hostile algorithms between healthy ones, workers and conductors that are killed, several conductors on one database, a
full disk, a clock that jumps, files that are not what they say. After each, what is stored must equal what a run in
peace stores. Prints one table; exit code 1 if any line of it is not as it must be. `make torture` runs all of it.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import savemat

from mvarena.system.forking import forked
from mvarena.system.processes import started_with

BEGINS, ENDS = "<!-- torture -->", "<!-- end of torture -->"
_TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(_TESTS / "toys"), str(_TESTS / "shared"), str(_TESTS / "store")]
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


@dataclass(frozen=True)
class Line:
    """One line of the table: how often something was done, what came of it, and whether that is as it must be."""

    what: str
    times: int
    found: str
    good: bool | None  # None: it could not be tried here


Ordeal = Callable[[Path, bool], Line]
ORDEALS: dict[str, Ordeal] = {}


def ordeal(function: Ordeal) -> Ordeal:
    ORDEALS[function.__name__.replace("_", "-")] = function
    return function


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.torture", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", choices=ORDEALS, default=list(ORDEALS))
    parser.add_argument("--out", type=Path, metavar="PAGE", help="write the table into it, between its markers, too")
    parser.add_argument("--short", action="store_true", help="a few of each")
    given = parser.parse_args()
    if given.out:
        parts_of(given.out)  # before minutes have gone by
    os.environ["PYTHONPATH"] = os.pathsep.join([str(_TESTS / "toys"), os.environ.get("PYTHONPATH", "")])
    lines = []
    for name in given.only:
        print(f"{name} ...", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(prefix="mvarena-torture-") as folder:
            os.environ["MVARENA_CACHE"] = str(Path(folder) / "cache")
            started = time.monotonic()
            line = ORDEALS[name](Path(folder), given.short)
            lines.append((line, time.monotonic() - started))
            print(f"  {line.times}: {line.found}", file=sys.stderr, flush=True)  # kept if a later one breaks
    written = table(lines)
    print(written)
    if given.out:
        write(given.out, written)
    sys.exit(any(line.good is False for line, _ in lines))


def table(lines: Sequence[tuple[Line, float]]) -> str:
    """One row for each line, with the seconds that it took."""
    marks = {True: "yes", False: "NO", None: "not tried"}
    rows = (f"| {one.what} | {one.times} | {one.found} | {marks[one.good]} | {took:.0f} |" for one, took in lines)
    return "\n".join(["| what | times | what came of it | as it must be | seconds |", "|---|--:|---|---|--:|", *rows])


def write(path: Path, written: str) -> None:
    """Put a table between the markers of a page, and leave the rest."""
    before, after = parts_of(path)
    path.write_text(f"{before}{BEGINS}\n{written}\n{ENDS}{after}", encoding="utf-8")


def parts_of(path: Path) -> tuple[str, str]:
    """What stands before and after the table of a page; exits with a sentence where there is no place for one."""
    if not path.is_file():
        sys.exit(f"{path} is no page to write the table into; name one that has {BEGINS} and {ENDS}")
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGINS)
    _, ends, after = rest.partition(ENDS)
    if not ends:
        sys.exit(f"{path} has no {BEGINS} and {ENDS} to write between")
    return before, after


# the ordeals ----------------------------------------------------------------------------------------------


@ordeal
def hostile_algorithms(folder: Path, short: bool) -> Line:
    from hostile_run import run_deeds, same_result, survivors
    from mvarena_toys.hostile import DEEDS

    notes = folder / "notes"
    os.environ["MVARENA_TOYS_NOTES"] = str(notes)
    deeds = [one for one in DEEDS.values() if not (short and one.long)]
    found = run_deeds(deeds, folder)
    wrong = [one.name for one in deeds if not _ends_so(one, found[one.name].deed)]
    harmed = [one.name for one in deeds if not same_result(found[one.name].witness, found[one.name].in_peace)]
    left, ran = survivors(notes), Path(f"{notes}.pwned").exists()
    told = f"{len(deeds) - len(wrong)} end as they must, {len(harmed)} harm the next, {len(left)} processes left"
    named = f" ({', '.join([*wrong, *harmed])})" if wrong or harmed else ""
    return Line(
        "hostile algorithms between healthy ones", len(deeds), told + named, not (wrong or harmed or left or ran)
    )


@ordeal
def hostile_plugins(folder: Path, short: bool) -> Line:
    from plugin_deeds import PLUGIN_DEEDS, PluginDeed, faults, run_plugin

    stored = folder / "stored.db"
    asked = ["--algo", "toy-quick", "concat", "--data", "toy-blobs", "--repeats", "1", "--restarts", "2"]
    subprocess.run(
        [sys.executable, "-m", "mvarena", "run", *asked, "--no-controls", "--db", str(stored)],
        check=True, capture_output=True,
    )  # fmt: skip
    for module in ("mvarena.cli.run", "mvarena.running", "rich.console", "sklearn.cluster"):  # once for all forks
        importlib.import_module(module)
    deeds = list(PLUGIN_DEEDS.values())[:: 10 if short else 1]

    def wrong_with(number: int, deed: PluginDeed) -> list[str]:
        place = folder / str(number)
        place.mkdir()
        shutil.copy(stored, place)
        return list(faults(deed, run_plugin(deed, place)))

    with ThreadPoolExecutor(2) as pool:
        wrong = dict(zip((one.name for one in deeds), pool.map(wrong_with, range(len(deeds)), deeds), strict=True))
    left = len(started_with(f"MVARENA_CACHE={os.environ['MVARENA_CACHE']}"))
    return _line_of("plugins that are hostile wherever their code runs", wrong, left)


@ordeal
def poisoned_databases(folder: Path, short: bool) -> Line:
    from poisons import POISONS, write_good, wrong_with

    good = write_good(folder / "good.db")
    wrong = {}
    for number, name in enumerate(list(POISONS)[:: 10 if short else 1]):
        (place := folder / str(number)).mkdir()

        def answer(name: str = name, place: Path = place) -> bytes:
            os.chdir(place)
            return json.dumps(list(wrong_with(name, good))).encode()

        ended = forked(answer, seconds=120.0)
        wrong[name] = [ended.fault] if ended.answer is None else json.loads(ended.answer)
    return _line_of("databases that somebody has spoilt, read by nine commands each", wrong)


def _line_of(what: str, wrong: Mapping[str, Sequence[str]], left: int = 0) -> Line:
    """The line of deeds. wrong : deed -> what is not as it must be. left : processes that are."""
    bad = {name: reasons for name, reasons in wrong.items() if reasons}
    for name, reasons in bad.items():
        print(f"  {name}: {'; '.join(reasons)}", file=sys.stderr, flush=True)
    named = f" ({', '.join(bad)})" if bad else ""
    told = f"{len(wrong) - len(bad)} end as they must, {left} processes left{named}"
    return Line(what, len(wrong), told, not bad and not left)


def _ends_so(deed: Any, outcome: Any) -> bool:
    return outcome.status == deed.status and deed.says in outcome.reason


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
    same = _same_scores(result.scores, peace.scores)
    told = f"{runs} runs until all were done; the table equals the one in peace: {_yes(same)}"
    return Line("kills of workers and keepers", killed, told, same and killed >= wanted)


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
    left = _keepers(seconds=60.0)
    same = _same_stored(folder / "r.db", folder / "peace.db")
    told = f"resumed each time; the table equals the one in peace: {_yes(same)}; {left} processes left"
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
    same = _same_stored(address, folder / "peace.db")
    once = _attempts(address) == _attempts(folder / "peace.db")
    told = f"each trial ran once: {_yes(once)}; the table equals that of one: {_yes(same)}"
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
    same = _same_stored(path, folder / "peace.db")
    told_so = bool(said) and all("StoreError" in one and ("full" in one or "disk failed" in one) for one in said)
    told = f"a sentence each time: {_yes(told_so)}; resumed, the table equals the one in peace: {_yes(same)}"
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
    same = _same_stored(folder / "r.db", folder / "peace.db")
    once = _attempts(folder / "r.db") == _attempts(folder / "peace.db")
    told = f"of one of two runs; each trial ran once: {_yes(once)}; the table equals the one in peace: {_yes(same)}"
    jumps = (folder / "count").stat().st_size
    return Line("jumps of the wall clock by days", jumps, told, same and once and not any(codes))


@ordeal
def files_that_lie(folder: Path, short: bool) -> Line:
    del short
    wrong = {}
    for name, (file, write_lie) in LIES.items():
        path = folder / file
        write_lie(path)
        command = [sys.executable, "-m", "mvarena", "data", "inspect", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        sentence = done.stderr.strip()
        good = done.returncode == 1 and sentence.startswith("Error:") and "Traceback" not in sentence
        wrong[name] = [] if good and not (folder / "ran").exists() else [sentence[-300:]]
        path.unlink()
    return _line_of("data files that are not what they say", wrong)


def _cut(path: Path) -> None:
    np.savez(path, view0=np.ones((5, 2)), labels=np.arange(5))
    path.write_bytes(path.read_bytes()[:-60])


def _pickled(path: Path) -> None:
    class Command:
        def __reduce__(self) -> Any:
            return os.system, (f"touch {path.parent}/ran",)

    np.savez(path, view0=np.array([Command()], dtype=object), allow_pickle=True)


def _header(shape: str) -> bytes:
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def _zeros(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(6):
            with archive.open(f"X{number}.npy", "w", force_zip64=True) as member:
                member.write(_header("(1000000, 64)"))
                for _ in range(64):
                    member.write(bytes(8_000_000))


def _member(name: str, content: bytes) -> Callable[[Path], None]:
    def write_archive(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(name, content)

    return write_archive


def _linked(path: Path) -> None:
    import h5py

    with h5py.File(path.with_name("other.h5"), "w") as other:
        other["X"] = np.ones((5, 2))
    with h5py.File(path, "w") as file:
        file["X"] = h5py.ExternalLink("other.h5", "X")


def _stored_elsewhere(path: Path) -> None:
    import h5py

    path.with_name("raw").write_bytes(np.ones(10).tobytes())
    with h5py.File(path, "w") as file:
        file.create_dataset("X", (5, 2), "<f8", external=[(str(path.with_name("raw")), 0, 80)])


def _write_nested_cells(path: Path) -> None:
    """Ten cells that each hold the next one sixteen times."""
    import h5py

    with h5py.File(path, "w") as file:
        file["#refs#/0"] = np.ones((2, 2))
        for level in range(1, 11):
            name = "X" if level == 10 else f"#refs#/{level}"
            cell = file.create_dataset(name, (16, 1), dtype=h5py.special_dtype(ref=h5py.Reference))
            cell.attrs["MATLAB_class"] = np.bytes_("cell")
            for i in range(16):
                cell[i, 0] = file[f"#refs#/{level - 1}"].ref


LIES: dict[str, tuple[str, Callable[[Path], None]]] = {
    "an empty .npz": ("a.npz", lambda path: path.write_bytes(b"") and None),
    "an empty .mat": ("a.mat", lambda path: path.write_bytes(b"") and None),
    "noise as .npz": ("b.npz", lambda path: path.write_bytes(os.urandom(5000)) and None),
    "noise as .mat": ("b.mat", lambda path: path.write_bytes(os.urandom(5000)) and None),
    "a .npz that is cut off": ("c.npz", _cut),
    "a pickled object": ("d.npz", _pickled),
    "a shape of 64 TiB": ("e.npz", _member("view0.npy", _header("(1099511627776, 8)"))),
    "a header that is nested without end": ("f.npz", _member("view0.npy", _header("(" * 9000 + ")" * 9000))),
    "a path out of the archive": ("g.npz", _member("../../ran.npy", _header("(1, 1)") + bytes(8))),
    "six arrays of 512 MB of zeros": ("h.npz", _zeros),
    "16^10 cells": ("i.mat", _write_nested_cells),
    "a text for numbers": ("j.mat", lambda path: savemat(path, {"X": "no numbers at all"})),
    "a link to another file": ("k.mat", _linked),
    "numbers that lie in another file": ("l.mat", _stored_elsewhere),
}


def declared() -> dict[str, list[str]]:
    """The names of all deeds, by what does them."""
    from mvarena_toys.hostile import DEEDS
    from plugin_deeds import PLUGIN_DEEDS
    from poisons import POISONS

    return {
        "algorithm": list(DEEDS), "plugin": list(PLUGIN_DEEDS), "database": list(POISONS), "file": list(LIES),
        "torture": list(ORDEALS),
    }  # fmt: skip


# comparisons ----------------------------------------------------------------------------------------------


def _same_scores(one: Any, other: Any) -> bool:
    columns = ["key", "restart", "metric", "value", "status"]
    first, second = (each[columns].sort_values(columns[:3]).reset_index(drop=True) for each in (one, other))
    return bool(first.equals(second))


def _same_stored(one: Path | str, other: Path | str) -> bool:
    from mvarena.store.database import open_database
    from mvarena.store.frames import scores_frame

    frames = []
    for path in (one, other):
        with open_database(path, create=False) as db:
            frames.append(scores_frame(db))
    return _same_scores(*frames)


def _attempts(path: Path | str) -> int:
    from sqlalchemy import func, select

    from mvarena.store.database import open_database
    from mvarena.store.schema import attempts

    with open_database(path, create=False) as db, db.read() as connection:
        return connection.scalar(select(func.count()).select_from(attempts)) or 0


def _keepers(seconds: float) -> int:
    """Keepers that this torture's conductors left, after some time to end."""
    deadline = time.monotonic() + seconds
    while (found := sum(map(_is_orphan, Path("/proc").glob("[0-9]*")))) and time.monotonic() < deadline:
        time.sleep(0.2)
    return found


def _is_orphan(process: Path) -> bool:
    try:
        ours = f"MVARENA_CACHE={os.environ['MVARENA_CACHE']}".encode() in (process / "environ").read_bytes()
        return ours and b"mvarena.engine.supervisor" in (process / "cmdline").read_bytes()
    except OSError:
        return False


def _yes(good: bool) -> str:
    return "yes" if good else "NO"


if __name__ == "__main__":
    main()
