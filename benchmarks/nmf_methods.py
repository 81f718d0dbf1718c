"""The factorisation family on one machine: seconds, ACC, NMI and memory. Prints Markdown tables.

1. DAIMC and MultiNMF on one input: a .npz with X0, X1, .. (n, d_v), a row of NaN or a False in `mask` (n, n_views)
   where a sample is missing, and y (n,), such as UCI digits with 30 % of the rows missing. DAIMC gets unit rows,
   MultiNMF each feature scaled to [0, 1] and mean-filled. The time is that of the representation; ACC and NMI are
   the mean of 20 k-means runs, their range, and the run of lowest inertia. With --imml, another package's DAIMC on
   unit rows in the same run, from its own start (seed 42) and from starts with the seeds given.
2. One iteration of rNNMF for a drawn view of n = 2,000, d = 216 and p = 60: that of 40 iterations divided by 40.
3. Memory of each method on three sparse views, 2,000 x 20,000 with 0.2 % non-zeros each, in five rounds.

CPU seconds are of all threads of the process: on a busy machine, set OMP_NUM_THREADS=1 and read those.

    python benchmarks/nmf_methods.py --data digits.npz --imml PYTHON-WITH-IMML --imml-seeds 42 0 1 2
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from mvarena.algorithms import DAIMC, DSNMF, MIC, RNNMF, MultiNMF
from mvarena.algorithms.nmf.rnnmf import rnnmf
from mvarena.contracts.metric import Contingency
from mvarena.data import MultiViewData
from mvarena.numerics.svd_starts import nndsvd
from mvarena.registry.catalog import Catalog, installed_catalog

PREPARE = {"daimc": ("unit-rows",), "multinmf": ("minmax", "fill-mean")}
MIB = 2**20


def load(path: Path) -> MultiViewData:
    """The views, mask and labels of the file."""
    with np.load(path, allow_pickle=False) as stored:
        names = [f"X{v}" for v in range(sum(name[:1] == "X" and name[1:].isdigit() for name in stored.files))]
        mask = stored["mask"] if "mask" in stored.files else None
        return MultiViewData.from_arrays(
            [stored[name] for name in names], mask=mask, labels=stored["y"], name=path.stem, view_names=names
        )


def timed(call: Callable[[], Any], repeats: int = 3) -> tuple[Any, float, float]:
    """What `call` returns, and the least wall and CPU seconds of `repeats` calls."""
    wall, cpu = [], []
    for _ in range(repeats):
        clock, process = time.perf_counter(), time.process_time()
        found = call()
        wall.append(time.perf_counter() - clock)
        cpu.append(time.process_time() - process)
    return found, min(wall), min(cpu)


def peak_mib(call: Callable[[], Any]) -> float:
    """MiB that numpy and Python allocate during `call` beyond what was there before it."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        call()
        return (tracemalloc.get_traced_memory()[1] - before) / MIB
    finally:
        tracemalloc.stop()


def measure_clusterings(data: MultiViewData, catalog: Catalog) -> None:
    """The first table."""
    print("| method | prepared | wall s | CPU s | peak MiB | ACC mean (range), at lowest inertia | NMI | iterations |")
    print("|---|---|---|---|---|---|---|---|")
    for model in (DAIMC(n_clusters=data.n_clusters), MultiNMF(n_clusters=data.n_clusters)):
        name = model.spec.name
        prepared = data.without_labels()
        for transform in PREPARE[name]:
            prepared = catalog.load(catalog.transform(transform))(prepared)
        found, wall, cpu = timed(lambda model=model, prepared=prepared: model.represent(prepared))
        peak = peak_mib(lambda model=model, prepared=prepared: model.represent(prepared))
        acc, nmi = scores(found, data, catalog)
        print(
            f"| {name} | {', '.join(PREPARE[name])} | {wall:.2f} | {cpu:.2f} | {peak:.1f} | {acc} | {nmi} "
            f"| {found.n_iter} |",
            flush=True,
        )


def measure_imml(python: str, path: Path, seeds: list[int]) -> None:
    """Further rows of the first table: imml's DAIMC, one for each seed of its start."""
    script = Path(__file__).with_name("peer_daimc.py")
    command = [python, str(script), str(path), *map(str, seeds)]
    for row in json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout):
        acc, nmi = (shown(row[metric], row["inertia"]) for metric in ("acc", "nmi"))
        print(
            f"| imml DAIMC, seed {row['seed']} | unit-rows | {row['wall']:.1f} | {row['cpu']:.1f} | | {acc} | {nmi} | |"
        )


def scores(found: Any, data: MultiViewData, catalog: Catalog) -> list[str]:
    """ACC and NMI of 20 k-means runs, each as 'mean (range), at lowest inertia'."""
    runs = found.assign(data.n_clusters, range(20))
    tables = [Contingency.from_labels(data.labels, run.labels) for run in runs]
    inertia = [run.inertia for run in runs]
    metrics = [catalog.load(catalog.metric(name)) for name in ("acc", "nmi")]
    return [shown([metric(table) for table in tables], inertia) for metric in metrics]


def shown(values: list[float], inertia: list[float]) -> str:
    chosen = values[int(np.argmin(inertia))]
    return f"{np.mean(values):.3f} ({min(values):.3f} to {max(values):.3f}), {chosen:.3f}"


def measure_rnnmf(n: int = 2000, d: int = 216, p: int = 60) -> None:
    """The second table."""
    X = np.random.default_rng(0).gamma(1.0, 1.0, (n, d))
    H, W = nndsvd(X, p)
    rounds = 40
    _, wall, cpu = timed(lambda: rnnmf(X, W, H, alpha=0.1, smoothing=0.01, rounds=rounds))
    print("\n| rnnmf, one iteration | wall ms | CPU ms |\n|---|---|---|")
    print(f"| n = {n}, d = {d}, p = {p} | {1e3 * wall / rounds:.1f} | {1e3 * cpu / rounds:.1f} |", flush=True)


def measure_sparse(n: int = 2000, d: int = 20_000, density: float = 0.002) -> None:
    """The third table."""
    rng = np.random.default_rng(0)
    views = [sparse.csr_array(sparse.random(n, d, density, rng=rng)) for _ in range(3)]
    data = MultiViewData.from_arrays(views)
    stored = sum(view.data.nbytes + view.indices.nbytes + view.indptr.nbytes for view in views) / MIB
    print(f"\nThree sparse views: {stored:.0f} MiB as stored, {3 * 8 * n * d / MIB:.0f} MiB if dense.\n")
    print("| method | peak MiB |\n|---|---|")
    few = {"n_clusters": 10, "rounds": 5}
    for model in (
        DAIMC(**few),
        MIC(**few),
        MultiNMF(**few),
        RNNMF(**few, n_components=20),
        DSNMF(**few, layers=(20, 10)),
    ):
        print(f"| {model.spec.name} | {peak_mib(lambda model=model: model.represent(data)):.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help=".npz with X0, X1, .., y and perhaps mask")
    parser.add_argument("--imml", metavar="PYTHON", help="an interpreter that has imml: its DAIMC in the same run")
    parser.add_argument("--imml-seeds", type=int, nargs="+", default=[42], help="of its start; it ships with 42")
    options = parser.parse_args()
    measure_clusterings(load(options.data), installed_catalog())
    if options.imml:
        measure_imml(options.imml, options.data, options.imml_seeds)
    measure_rnnmf()
    measure_sparse()


if __name__ == "__main__":
    main()
