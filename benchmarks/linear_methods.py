"""The methods that are linear in the samples: time and memory against n, each point in a process of its own.

    python benchmarks/linear_methods.py --sizes 1000 10000 100000

Made data: ten groups of nonnegative features in two views of 50, 30 % of the samples in one view only. Each method
has its own preparation, whose time and memory do not count, and its defaults, but for apmc 1,000 anchors (with all
common samples for anchors it is quadratic). Representation and one k-means start are timed apart; memory is the peak
of the resident memory during both, above what data and libraries take. The exponent b of c n^b is fitted by least
squares on the logarithms of CPU times, once over all sizes and once over the largest two, where fixed costs weigh
least; as the number of iterations is no concern of the cost of one, it is fitted to the time per iteration too.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from typing import Any

import numpy as np

GROUPS, VIEWS, FEATURES, MISSING = 10, 2, 50, 0.3
SETTINGS: dict[str, dict[str, Any]] = {
    "concat": {},
    "apmc": {"n_anchors": 1000, "random_state": 0},
    "multinmf": {},
    "mic": {},
    "daimc": {},
    "pvc": {},
    "eeimvc": {"random_state": 0},
}


def draw(n: int):
    """Overlapping nonnegative groups, and each sample's group."""
    from mvarena.data import MultiViewData

    rng = np.random.default_rng(0)
    truth = rng.integers(GROUPS, size=n)
    views = [rng.gamma(2.0, rng.gamma(2.0, 0.5, (GROUPS, FEATURES))[truth]) for _ in range(VIEWS)]
    mask = np.ones((n, VIEWS), dtype=bool)
    partial = rng.permutation(n)[: int(MISSING * n)]
    mask[partial, np.arange(partial.size) % VIEWS] = False
    return MultiViewData.from_arrays(views, mask=mask, n_clusters=GROUPS, name=f"groups-{n}"), truth


def measure(method: str, n: int) -> dict[str, float]:
    """CPU seconds of both steps, wall seconds of the first, iterations, MiB above the data, ARI with the groups."""
    from sklearn.metrics import adjusted_rand_score

    from mvarena import prepare
    from mvarena.engine.environment import PeakMemory
    from mvarena.registry.catalog import installed_catalog

    catalog = installed_catalog()
    spec = catalog.algorithm(method)
    data, truth = draw(n)
    data = prepare(data, *spec.prepare)
    estimator = catalog.load(spec)(**SETTINGS[method])
    memory = PeakMemory()
    memory.reset()
    before = memory.read()
    start, cpu = time.perf_counter(), time.process_time()
    found = estimator.represent(data)
    wall, represented = time.perf_counter() - start, time.process_time()
    (run,) = found.assign(GROUPS, [0])
    return {
        "wall": wall,
        "represent": represented - cpu,
        "assign": time.process_time() - represented,
        "iterations": found.n_iter,
        "mib": memory.read() - before,
        "ari": float(adjusted_rand_score(truth, run.labels)),
    }


def exponent(sizes: list[int], values: list[float]) -> float:
    """b of c n^b by least squares on the logarithms; NaN where a value is not above 0."""
    if len(sizes) < 2 or min(values) <= 0:
        return float("nan")
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def exponents(sizes: list[int], rows: list[dict[str, float]]) -> list[str]:
    """The cells of a method's exponents: time, time per iteration, memory."""
    total = [row["represent"] + row["assign"] for row in rows]
    each = [row["represent"] / max(row["iterations"], 1) for row in rows]
    mib = [row["mib"] for row in rows]
    fits = [(total, 0), (total, -2), (each, -2), (mib, -2)]
    return [f"{exponent(sizes[first:], values[first:]):.2f}" for values, first in fits]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000], help="numbers of samples")
    parser.add_argument("--methods", nargs="+", default=list(SETTINGS), choices=list(SETTINGS))
    parser.add_argument("--one", nargs=2, metavar=("METHOD", "N"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one[0], int(options.one[1]))))
        return
    threads = os.environ.get("OMP_NUM_THREADS", "unset")
    print(f"{os.cpu_count()} CPUs, OMP_NUM_THREADS {threads}\n")
    print(
        "| method | n | represent, wall s | CPU s | iterations | k-means, 1 start, CPU s | MiB above the data | ARI |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    fitted = []
    for method in options.methods:
        rows = []
        for n in options.sizes:
            command = [sys.executable, __file__, "--one", method, str(n)]
            row = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
            rows.append(row)
            seconds = f"{row['wall']:.2f} | {row['represent']:.2f} | {row['iterations']} | {row['assign']:.2f}"
            print(f"| {method} | {n:,} | {seconds} | {row['mib']:.0f} | {row['ari']:.3f} |", flush=True)
        fitted.append([method, *exponents(options.sizes, rows)])
    print("\n| method | time | time, largest two sizes | represent per iteration | memory |\n|---|--:|--:|--:|--:|")
    for cells in fitted:
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
