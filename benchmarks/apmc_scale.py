"""APMC at growing n: wall seconds and peak memory, each size in a process of its own. Prints a Markdown table.

Two views of 32 features, ten Gaussian groups, 30 % of the samples in one view only, 1,000 random anchors, one
k-means start. Representation and assignment are timed apart; the peak includes the data and the interpreter.

    python benchmarks/apmc_scale.py --sizes 2000,20000
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time

GROUPS, FEATURES, MISSING = 10, 32, 0.3


def measure(n: int, n_anchors: int) -> dict[str, float]:
    """Seconds of both steps, agreement with the drawn groups (ARI) and peak resident memory in MiB."""
    import numpy as np
    from sklearn.metrics import adjusted_rand_score

    from mvarena.algorithms.graph.apmc import APMC

    data, truth = draw(n)
    start = time.perf_counter()
    found = APMC(n_clusters=GROUPS, n_anchors=n_anchors, random_state=0).represent(data)
    represented = time.perf_counter()
    (run,) = found.assign(GROUPS, [0])
    assigned = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
    assert np.isfinite(found.embedding).all()
    return {
        "represent_s": represented - start,
        "assign_s": assigned - represented,
        "peak_mib": peak,
        "ari": float(adjusted_rand_score(truth, run.labels)),
    }


def draw(n: int):  # type: ignore[no-untyped-def]
    """Overlapping Gaussian groups in two views, and each sample's group."""
    import numpy as np

    from mvarena.data import MultiViewData

    rng = np.random.default_rng(0)
    truth = rng.integers(GROUPS, size=n)
    views = []
    for _ in range(2):
        view = rng.standard_normal((n, FEATURES))
        view += rng.standard_normal((GROUPS, FEATURES))[truth]
        views.append(view)
    mask = np.ones((n, 2), dtype=bool)
    partial = rng.permutation(n)[: int(MISSING * n)]
    mask[partial, np.arange(partial.size) % 2] = False
    return MultiViewData.from_arrays(views, mask=mask, name=f"groups-{n}"), truth


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="2000,20000,200000,1000000", help="numbers of samples, with commas")
    parser.add_argument("--anchors", type=int, default=1000, help="n_anchors (default 1000)")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one, options.anchors)))
        return
    threads = os.environ.get("OMP_NUM_THREADS", "unset")
    print(f"{os.cpu_count()} CPUs, OMP_NUM_THREADS {threads}; {FEATURES} features a view, {options.anchors} anchors\n")
    print("| n | represent (s) | k-means, 1 start (s) | peak memory (MiB) | ARI |\n|--:|--:|--:|--:|--:|", flush=True)
    for n in [int(size) for size in options.sizes.split(",")]:
        command = [sys.executable, __file__, "--one", str(n), "--anchors", str(options.anchors)]
        row = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        cells = [f"{n:,}", f"{row['represent_s']:.2f}", f"{row['assign_s']:.2f}", f"{row['peak_mib']:,.0f}"]
        print(f"| {' | '.join(cells)} | {row['ari']:.3f} |", flush=True)


if __name__ == "__main__":
    main()
