"""What the framework costs: start-up, a trial that is next to nothing, the store."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.harness import case
from benchmarks.watch import Watch

_TOYS = str(Path(__file__).parents[1] / "tests" / "toys")
_COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import mvarena": ["-c", "import mvarena"],
    "mvarena --version": ["-m", "mvarena", "--version"],
    "mvarena --help": ["-m", "mvarena", "--help"],
    "mvarena list algorithms": ["-m", "mvarena", "list", "algorithms"],
    "mvarena run --help": ["-m", "mvarena", "run", "--help"],
}


@case("start-up", group="framework", quick={"times": [3]}, version="2")
def start_up(watch: Watch, times: int = 9) -> None:
    """A fresh process until the command line answers, beside the bare interpreter."""
    for name, arguments in _COMMANDS.items():
        command = [sys.executable, *arguments]
        watch.best(name, lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True), times)  # noqa: B023


@case("fixed-cost", group="framework", quick={"times": [1]}, measures=("wall", "CPU"), version="3")
def fixed_cost(watch: Watch, times: int = 3) -> dict[str, float]:
    """`mvarena run` of one trial of apmc on digits in a fresh process, and of what is stored already; the imports alone
    that no run can do without, beside them, all of it compiled before. CPU is that of all processes together."""
    run = [sys.executable, "-m", "mvarena", "run", "--algo", "apmc", "--data", "digits[fou,fac]", "--repeats", "1"]
    imports = [sys.executable, "-c", "import numpy, scipy.linalg, sklearn.cluster, pandas, sqlalchemy"]
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "results.db"
        places = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, "check": True}
        # what is installed has been compiled before, whatever the folder of the source may hold
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        places["env"] = kept | {"PYTHONPYCACHEPREFIX": f"{folder}/compiled"}

        def first() -> None:
            database.unlink(missing_ok=True)
            subprocess.run(run, **places)  # type: ignore[call-overload]

        watch.best("one trial, run", first, times)
        watch.best("the same, stored already", lambda: subprocess.run(run, **places), times)  # type: ignore[call-overload]
        watch.best("its libraries, imported", lambda: subprocess.run(imports, **places), times)  # type: ignore[call-overload]
    names = ("one trial, run", "the same, stored already", "its libraries, imported")
    first_s, stored, libraries = (watch.steps[name]["CPU"] for name in names)
    return {"one trial / libraries": first_s / libraries, "stored / libraries": stored / libraries}


@case(
    "trial-overhead", group="framework", measures=("wall",), version="3",
    grid={"trials": [300], "takes_ms": [0, 30]}, quick={"trials": [100], "takes_ms": [0, 30]},
)  # fmt: skip
def trial_overhead(watch: Watch, trials: int, takes_ms: float) -> dict[str, float]:
    """Per trial of a toy: through worker, fork and store, and executed in this process."""
    study, planned = toy_study(trials, seconds=takes_ms / 1000)
    from mvarena.engine.execute import execute

    execute(planned[0])
    with watch("executed in this process", per=trials):
        for trial in planned:
            execute(trial)
    ended: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        run_study(
            study,
            db=Path(folder) / "results.db",
            on_progress=lambda progress: progress.trial and ended.append(time.perf_counter()),
        )
    # from the first end on: the worker's start is apart
    whole = (ended[-1] - ended[0]) / (len(ended) - 1)
    bare = watch.steps["executed in this process"]["wall"]
    watch.steps["through worker and store"] = {"wall": whole}
    typical = median(after - before for before, after in pairwise(ended))  # of which a busy machine takes less
    return {"framework, ms": 1000 * (whole - bare), "typical, ms": 1000 * (typical - bare)}


@case("store", group="framework", grid={"trials": [300]}, quick={"trials": [50]})
def store(watch: Watch, trials: int, db: str | None = None) -> dict[str, float]:
    """Store, look up and read trials: 20 random labellings of 2,000 samples with 6 metrics, and small ones of 100."""
    from mvarena.store.database import open_database
    from mvarena.store.frames import scores_frame
    from mvarena.store.trials import finished, register
    from mvarena.store.write_outcomes import record

    trial_of = iter(toy_study(10_000 + 2 * (trials + 1))[1])
    waiting = [next(trial_of) for _ in range(2 * (trials + 1))]

    def add(outcome: Any) -> None:
        one = waiting.pop()
        assert not finished(database, [one.key])
        assert record(database, one, outcome)

    with tempfile.TemporaryDirectory() as folder:
        address = db or str(Path(folder) / "results.db")
        with open_database(address) as database:
            register(database, waiting)
            for name, outcome in (("a trial", _outcome(20, 2000)), ("a small trial", _outcome(1, 100))):
                watch.best(f"look for and record {name}", lambda outcome=outcome: add(outcome), trials)  # type: ignore[misc]
        size = Path(address).stat().st_size / 1024 if Path(address).is_file() else float("nan")
        with open_database(address) as database:
            planned = list(trial_of)
            watch.best("register 10,000 trials", lambda: register(database, planned), 3)
            keys = [one.key for one in planned]
            watch.best("which of 10,000 are finished", lambda: finished(database, keys), 5)
        watch.best("open and close an existing database", lambda: open_database(address).close(), 20)
        with open_database(address, readonly=True) as database:
            found = watch.best("read all scores as a frame", lambda: scores_frame(database), 3)
    return {"rows": len(found), "KiB for a trial and a small one": size / (trials + 1)}


def toy_study(repeats: int, *, listed: bool = True, seconds: float | None = None) -> tuple[Any, Any]:
    """The tests' toy on 30 points with one restart, and its trials: as a list, or as the plan holds them.

    seconds : that it sleeps for; None: a toy that does not.
    """
    sys.path.insert(0, _TOYS)
    os.environ["PYTHONPATH"] = os.pathsep.join([_TOYS, os.environ.get("PYTHONPATH", "")])
    from mvarena.system.sklearn_import import import_sklearn

    import_sklearn()  # as `mvarena run` does, whose workers begin without pandas
    from mvarena.registry.catalog import installed_catalog
    from mvarena.study.model import Study
    from mvarena.study.plan import plan_study

    toy, params = ("toy-quick", {}) if seconds is None else ("toy-slow", {"toy-slow": {"scale": (seconds,)}})
    study = Study(algorithms=(toy,), datasets=("toy-blobs",), repeats=repeats, restarts=1, params=params)
    trials = plan_study(study, installed_catalog()).trials
    return study, list(trials) if listed else trials


def run_study(study: Any, db: Path, jobs: int = 1, **options: Any) -> Any:
    """Run `study` into the database `db`; the rest are options of `run_blocks`."""
    from mvarena.running import run_blocks
    from mvarena.study.building import Block, RunOptions

    return run_blocks([Block(study)], RunOptions(db=str(db), jobs=jobs), **options)


def _outcome(restarts: int, samples: int) -> Any:
    import numpy as np

    from mvarena.contracts.outcome import Outcome, Score, Status
    from mvarena.numerics.kmeans import Labelling

    rng, metrics = np.random.default_rng(0), ("acc", "ari", "nmi", "nmi-max", "nmi-sqrt", "purity")
    return Outcome(
        status=Status.DONE,
        started_at=datetime.now(UTC),
        wall_s=1.0,
        labellings=tuple(Labelling(rng.integers(0, 10, samples), rng.random()) for _ in range(restarts)),
        scores=tuple(Score(metric, "1", rng.random()) for metric in metrics),
        truth=rng.integers(0, 10, samples),
        objective=tuple(rng.random(50)),
    )
