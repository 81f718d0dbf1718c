"""Time and memory of eeimvc against the number of samples, each size in a process of its own, with the slopes.

    python benchmarks/eeimvc_scale.py --sizes 1000 10000 100000 1000000

Made data: Gaussian clusters in 3 views of 50 features, 30 % of the rows missing, k = 10. Representation and the
assignment (one k-means restart) are timed apart; memory is the peak of the whole process.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time

import numpy as np


def made(n: int, n_views: int, n_features: int, k: int):
    from mvarena.data import MultiViewData

    rng = np.random.default_rng(0)
    labels = rng.integers(0, k, n)
    views = []
    for _ in range(n_views):
        view = rng.standard_normal((n, n_features))
        view += 0.7 * rng.standard_normal((k, n_features))[labels]
        views.append(view)
    mask = rng.random((n, n_views)) >= 0.3
    mask[np.arange(n), rng.integers(0, n_views, n)] = True
    return MultiViewData.from_arrays(views, mask=mask, n_clusters=k), labels


def measure(options: argparse.Namespace) -> dict[str, float]:
    from sklearn.metrics import adjusted_rand_score

    from mvarena.algorithms import EEIMVC

    data, labels = made(options.one, options.views, options.features, options.clusters)
    estimator = EEIMVC(kernel=options.kernel, n_components=options.components, random_state=0)
    start, cpu = time.perf_counter(), time.process_time()
    found = estimator.represent(data)
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    start = time.perf_counter()
    assigned = found.assign(options.clusters, [0])[0].labels
    return {
        "wall": wall, "cpu": cpu, "assign": time.perf_counter() - start, "iterations": found.n_iter,
        "gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, "ari": adjusted_rand_score(labels, assigned),
    }  # fmt: skip


def slope(sizes: list[int], values: list[float]) -> float:
    """The exponent of a power law, by least squares on the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--views", type=int, default=3)
    parser.add_argument("--features", type=int, default=50)
    parser.add_argument("--clusters", type=int, default=10)
    parser.add_argument("--kernel", default="linear", choices=["linear", "cosine", "gaussian"])
    parser.add_argument("--components", type=int, default=300, help="landmarks of the gaussian kernel's Nystrom form")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options)))
        return
    print("| n | represent s | CPU s | iterations | k-means s | peak GiB | ARI |")
    print("|---|---|---|---|---|---|---|")
    rows = []
    for size in options.sizes:
        command = [sys.executable, __file__, *sys.argv[1:], "--one", str(size)]
        row = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        rows.append(row)
        print(
            f"| {size} | {row['wall']:.2f} | {row['cpu']:.2f} | {row['iterations']} | "
            f"{row['assign']:.2f} | {row['gib']:.2f} | {row['ari']:.3f} |",
            flush=True,
        )
    if len(rows) > 1:
        for name in ("wall", "cpu"):
            print(f"\nslope of {name} time in n: {slope(options.sizes, [row[name] for row in rows]):.2f}")


if __name__ == "__main__":
    main()
