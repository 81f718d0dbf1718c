"""What the store costs, opening it, storing trials, reading all back: `python benchmarks/store_overhead.py`.

A trial is 20 labellings of 2000 samples in 10 clusters (drawn at random: the worst case for compression) with 6
metrics each; a small one is 1 labelling of 100. CPU time stands beside wall time, which others on a busy machine share.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from mvarena.store import claim, finished, open_database, record, register
from mvarena.study.outcome import Labelling, Outcome, Score, Status
from mvarena.study.protocol import PROTOCOLS
from mvarena.study.trial import Step, Trial

RESTARTS, SAMPLES, CLUSTERS, METRICS = 20, 2000, 10, ("acc", "ari", "nmi", "nmi-max", "nmi-sqrt", "purity")


def trial(repeat: int) -> Trial:
    return Trial(
        algorithm="none",
        algorithm_version="1",
        params={"anchors": 10, "alpha": 0.5},
        dataset="random",
        content="random-1",
        corruptions=(Step("missing-even", "1", 0.3),),
        prepare=(Step("unit-rows", "1"),),
        protocol=PROTOCOLS["fair"],
        seed=0,
        repeat=repeat,
    )


def outcome(restarts: int, samples: int) -> Outcome:
    rng = np.random.default_rng(0)
    return Outcome(
        status=Status.DONE,
        started_at=datetime.now(UTC),
        wall_s=1.0,
        labellings=tuple(Labelling(r, rng.integers(0, CLUSTERS, samples), rng.random()) for r in range(restarts)),
        scores=tuple(Score(r, metric, "1", rng.random()) for r in range(restarts) for metric in METRICS),
        truth=rng.integers(0, CLUSTERS, samples),
        objective=tuple(rng.random(50)),
    )


def measure(what: str, action: Callable[[int], object], times: int) -> None:
    """Print the best and the median of the CPU and wall time of `action`, in ms."""
    action(0)  # the first builds and caches the statements
    taken = []
    for i in range(1, times + 1):
        start = time.process_time(), time.perf_counter()
        action(i)
        taken.append((time.process_time() - start[0], time.perf_counter() - start[1]))
    columns = [value for column in zip(*taken, strict=True) for value in (min(column), statistics.median(column))]
    print(f"| {what} | " + " | ".join(f"{1000 * value:.2f}" for value in columns) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=300, help="trials to store, and as many small ones (default 300)")
    parser.add_argument("--db", help="an empty database (default: a temporary SQLite file)")
    asked = parser.parse_args()
    print("| | best CPU ms | median CPU ms | best wall ms | median wall ms |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        address = asked.db or str(Path(folder) / "results.db")
        write(address, asked.trials)
        read(address)
        if (file := Path(address)).is_file():
            print(f"\n{file.stat().st_size / asked.trials / 1024:.1f} KiB for a trial and a small one.")


def write(address: str, trials: int) -> None:
    whole, small = outcome(RESTARTS, SAMPLES), outcome(1, 100)
    with open_database(address) as db:

        def store(i: int, given: Outcome) -> None:
            one = trial(i)
            assert claim(db, one.key, "benchmark")
            assert record(db, one, given)

        measure("claim and record a trial", lambda i: store(i, whole), trials)
        measure("claim and record a small trial", lambda i: store(10**6 + i, small), trials)
        planned = [trial(2 * 10**6 + i) for i in range(10_000)]
        measure("register 10,000 trials", lambda _: register(db, planned), 3)
        keys = [one.key for one in planned]
        measure("which of 10,000 are finished", lambda _: finished(db, keys), 5)


def read(address: str) -> None:
    from mvarena.store.frames import scores_frame

    measure("open and close an existing database", lambda _: open_database(address).close(), 50)
    with open_database(address, readonly=True) as db:
        measure(f"read {len(scores_frame(db)):,} rows as a frame", lambda _: scores_frame(db), 3)


if __name__ == "__main__":
    main()
