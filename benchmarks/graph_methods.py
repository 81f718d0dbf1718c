"""Time and memory of the graph methods on one input: a Markdown table, one fresh process per method.

The input is an .npz with views X0, X1, ... (samples x features, a missing sample is a row of NaN) and labels y;
missing rows get the view's mean and columns are z-scored first, outside of the clock. Set the number of threads
through OMP_NUM_THREADS.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import normalized_mutual_info_score

from mvarena.algorithms.graph.specs_spectral import SPECS
from mvarena.data import MultiViewData

DEFAULT = ("coreg-pairwise", "coreg-centroid", "rmsc", "emvc")


def load(path: Path) -> MultiViewData:
    """The file's views, mean-filled and z-scored."""
    with np.load(path, allow_pickle=False) as stored:
        names = sorted((name for name in stored if name[0] == "X" and name[1:].isdigit()), key=lambda x: int(x[1:]))
        arrays = []
        for name in names:
            X = np.array(stored[name], dtype=np.float64)
            X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
            spread = X.std(axis=0)
            arrays.append((X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0))
        return MultiViewData.from_arrays(arrays, labels=stored["y"], name=path.stem)


def accuracy(truth: Any, labels: Any) -> float:
    """Share of samples under the best one-to-one matching of clusters with classes."""
    size = int(max(truth.max(), labels.max())) + 1
    counts = np.zeros((size, size))
    np.add.at(counts, (truth, labels), 1)
    return float(counts[linear_sum_assignment(-counts)].sum() / len(truth))


def measure(path: Path, name: str) -> dict[str, Any]:
    """Fit one method in this process."""
    data = load(path)
    spec = next(spec for spec in SPECS if spec.name == name)
    module, _, attribute = spec.target.partition(":")
    model = getattr(import_module(module), attribute)(random_state=0)
    before = resource.getrusage(resource.RUSAGE_SELF)
    start = time.perf_counter()
    found = model.represent(data.without_labels())
    represented = time.perf_counter()
    labels = min(found.assign(data.n_clusters or 1, range(20)), key=lambda a: a.inertia).labels
    end = time.perf_counter()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "represent": represented - start,
        "assign": end - represented,
        "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "squares": (after.ru_maxrss - before.ru_maxrss) * 1024 / (8 * data.n_samples**2),
        "n_iter": found.n_iter,
        "ended": found.stopped_because,
        "acc": accuracy(data.labels, labels),
        "nmi": normalized_mutual_info_score(data.labels, labels),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the .npz file")
    parser.add_argument("--methods", nargs="+", default=list(DEFAULT), choices=[spec.name for spec in SPECS])
    parser.add_argument("--one", action="store_true", help="measure the single method given, here, and print JSON")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.data, options.methods[0])))
        return
    print("| method | represent s | assign s | CPU s | peak n x n doubles | iterations | ACC | NMI | ended |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in options.methods:
        command = [sys.executable, __file__, "--data", str(options.data), "--one", "--methods", name]
        row = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(
            f"| {name} | {row['represent']:.2f} | {row['assign']:.2f} | {row['cpu']:.2f} | {row['squares']:.1f} | "
            f"{row['n_iter']} | {row['acc']:.3f} | {row['nmi']:.3f} | {row['ended']} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
