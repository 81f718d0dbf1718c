"""DAIMC and MultiNMF at n = 2,000: seconds, ACC and NMI on one input. Prints a Markdown table.

The input is a .npz with X0, X1, .. (n, d_v), a row of NaN or a False in `mask` (n, n_views) where a sample is
missing, and y (n,), such as UCI digits with 30 % of the rows missing. DAIMC gets unit rows, MultiNMF each feature
scaled to [0, 1] and mean-filled. The time is that of the representation; ACC and NMI are means of 20 k-means runs.

    python benchmarks/nmf_methods.py --data digits.npz
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from mvarena.algorithms import DAIMC, MultiNMF
from mvarena.contracts.metric import Contingency
from mvarena.data import MultiViewData
from mvarena.registry.catalog import Catalog, installed_catalog

PREPARE = {"daimc": ("unit-rows",), "multinmf": ("minmax", "fill-mean")}


def load(path: Path) -> MultiViewData:
    """The views, mask and labels of the file."""
    with np.load(path, allow_pickle=False) as stored:
        names = [f"X{v}" for v in range(sum(name[:1] == "X" and name[1:].isdigit() for name in stored.files))]
        mask = stored["mask"] if "mask" in stored.files else None
        return MultiViewData.from_arrays(
            [stored[name] for name in names], mask=mask, labels=stored["y"], name=path.stem, view_names=names
        )


def measure(model: Any, data: MultiViewData, catalog: Catalog) -> tuple[float, float, float, int]:
    """Seconds to represent (best of three), mean ACC and NMI over 20 k-means runs, and iterations."""
    prepared = data.without_labels()
    for transform in PREPARE[model.spec.name]:
        prepared = catalog.load(catalog.transform(transform))(prepared)
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        found = model.represent(prepared)
        seconds.append(time.perf_counter() - start)
    runs = found.assign(data.n_clusters, range(20))
    tables = [Contingency.from_labels(data.labels, run.labels) for run in runs]
    acc, nmi = (float(np.mean([catalog.load(catalog.metric(m))(table) for table in tables])) for m in ("acc", "nmi"))
    return min(seconds), acc, nmi, found.n_iter


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help=".npz with X0, X1, .., y and perhaps mask")
    data, catalog = load(parser.parse_args().data), installed_catalog()
    print("| method | prepared | seconds | ACC | NMI | iterations |\n|---|---|---|---|---|---|")
    for model in (DAIMC(), MultiNMF()):
        name = model.spec.name
        seconds, acc, nmi, rounds = measure(model, data, catalog)
        print(f"| {name} | {', '.join(PREPARE[name])} | {seconds:.2f} | {acc:.3f} | {nmi:.3f} | {rounds} |")


if __name__ == "__main__":
    main()
