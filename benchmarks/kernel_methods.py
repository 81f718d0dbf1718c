"""Time, memory and scores of the seven kernel methods on one incomplete data set, each in a process of its own.

    python benchmarks/kernel_methods.py --data digits.npz

The file holds X0, X1, ... (n, d_v) with rows of NaN where a sample is missing (or `mask`, (n, V)), and `y`. Views are
z-scored on their observed rows. Square methods run on Gaussian kernels of median bandwidth, centred and normalised on
the observed block; eeimvc on the features. Scores are means over 20 k-means restarts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np

_METHODS = ["eeimvc", "mkkm-zf", "mkkm-mf", "mkkm-knn", "mkkm-af", "mkkm-ik", "limkkm"]


def load(path: Path):
    from mvarena.data import MultiViewData
    from mvarena.numerics.scaling import standard_columns

    with np.load(path, allow_pickle=False) as file:
        names = sorted((name for name in file if name[0] == "X" and name[1:].isdigit()), key=lambda name: int(name[1:]))
        views = [np.asarray(file[name], dtype=np.float64) for name in names]
        mask = file.get("mask")
        data = MultiViewData.from_arrays(views, mask=mask, labels=file["y"], view_names=names)
    scaled = [standard_columns(view.matrix, seen) for view, seen in zip(data.views, data.mask.T, strict=True)]
    return MultiViewData.from_arrays(scaled, mask=data.mask, labels=data.labels, view_names=names)


def peak_above(estimator, data) -> float:
    """MiB that a run allocates at its peak, beyond the data; three iterations are enough to reach it."""
    tracemalloc.start()
    estimator.set_params(max_iter=3).represent(data)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return peak


def measure(path: Path, method: str) -> dict[str, float]:
    from scipy.optimize import linear_sum_assignment
    from sklearn.metrics import normalized_mutual_info_score

    from mvarena import algorithms
    from mvarena.transforms.gaussian_kernel import gaussian_kernel
    from mvarena.transforms.kernel_views import center_kernels

    data = load(path)
    truth, labelled = data.labels, data
    data = data.without_labels()
    start = time.perf_counter()
    if method != "eeimvc":
        data = center_kernels(gaussian_kernel(data))
    prepared = time.perf_counter() - start
    estimator = getattr(algorithms, method.replace("-", "").upper())()
    start, cpu = time.perf_counter(), time.process_time()
    found = estimator.represent(data)
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    peak = peak_above(estimator, data)
    k = labelled.n_clusters
    acc, nmi = [], []
    for assignment in found.assign(k, range(20)):
        table = np.zeros((k, k))
        np.add.at(table, (assignment.labels, truth), 1)
        acc.append(table[linear_sum_assignment(-table)].sum() / len(truth))
        nmi.append(normalized_mutual_info_score(truth, assignment.labels))
    return {
        "prepare": prepared, "wall": wall, "cpu": cpu, "mb": peak, "iterations": found.n_iter,
        "acc": float(np.mean(acc)), "nmi": float(np.mean(nmi)),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="an .npz file with X0, X1, ..., y and perhaps mask")
    parser.add_argument("--methods", nargs="+", default=_METHODS, choices=_METHODS, help="which methods to run")
    parser.add_argument("--one", choices=_METHODS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.data, options.one)))
        return
    print("| method | kernels s | wall s | CPU s | peak MB above | iterations | ACC | NMI |")
    print("|---|---|---|---|---|---|---|---|")
    for method in options.methods:
        command = [sys.executable, __file__, "--data", str(options.data), "--one", method]
        row = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(
            f"| {method} | {row['prepare']:.2f} | {row['wall']:.2f} | {row['cpu']:.2f} | {row['mb']:.0f} | "
            f"{row['iterations']} | {row['acc']:.3f} | {row['nmi']:.3f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
