"""Whole methods on one input: seconds, memory, iterations and scores, each family under conditions of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks import inputs
from benchmarks.harness import case
from benchmarks.watch import MIB, Watch

_ALL = ("wall", "CPU", "MiB")
_KERNEL = ["eeimvc", "mkkm-zf", "mkkm-mf", "mkkm-knn", "mkkm-af", "mkkm-ik", "limkkm"]
_GRAPH = ["coreg-pairwise", "coreg-centroid", "rmsc", "emvc", "amgl"]
_FEW = {"data": ["digits:0.3"], "n": [500]}


def fitted(
    watch: Watch, method: str, data: Any, prepare: Sequence[str], *, allocations: bool = False, **params: Any
) -> dict[str, Any]:
    """Prepare, represent, 20 k-means runs; with `allocations` once more, for what NumPy itself takes."""
    import mvarena
    from mvarena.registry.catalog import installed_catalog

    catalog = installed_catalog()
    estimator = catalog.load(catalog.algorithm(method))(**params)
    with watch("prepare"):
        prepared = mvarena.prepare(data.without_labels(), *prepare)
    with watch("represent"):
        found = estimator.represent(prepared)
    with watch("k-means, 20 starts"):
        runs = found.assign(data.n_clusters, range(20))
    if allocations:
        watch.allocated("NumPy's memory", lambda: estimator.represent(prepared))
    told = inputs.scores(data.labels, [run.labels for run in runs], [run.inertia for run in runs])
    return {"iterations": found.n_iter, **told, "ended": found.stopped_because}


def _square(watch: Watch, method: str, data: str, n: int | None) -> dict[str, Any]:
    """Of a method with n x n matrices, on mean-filled, z-scored views; memory in such matrices of float64, too."""
    views = inputs.load(data, n)
    found = fitted(watch, method, views, ("fill-mean", "zscore"), n_clusters=views.n_clusters, random_state=0)
    return found | {"n x n": round(watch.steps["represent"]["MiB"] * MIB / (8 * views.n_samples**2), 1)}


@case(
    "graph-methods", group="methods", measures=_ALL,
    grid={"data": ["digits:0.3"], "method": _GRAPH}, quick={**_FEW, "method": ["coreg-pairwise", "rmsc"]},
)  # fmt: skip
def graph_methods(watch: Watch, data: str, method: str, n: int | None = None) -> dict[str, Any]:
    """The graph family on one input, with defaults."""
    return _square(watch, method, data, n)


@case(
    "subspace-methods", group="methods", measures=_ALL,
    grid={"data": ["digits:0.3"], "method": ["lrssc-pairwise", "lrssc-centroid", "convexsub", "ecmsc"]},
    quick={**_FEW, "method": ["lrssc-pairwise"]},
)  # fmt: skip
def subspace_methods(watch: Watch, data: str, method: str, n: int | None = None) -> dict[str, Any]:
    """The subspace family on one input, with defaults."""
    return _square(watch, method, data, n)


@case(
    "kernel-methods", group="methods", measures=_ALL,
    grid={"data": ["digits:0.3"], "method": _KERNEL}, quick={**_FEW, "method": ["eeimvc", "mkkm-zf", "mkkm-ik"]},
)  # fmt: skip
def kernel_methods(watch: Watch, data: str, method: str, n: int | None = None) -> dict[str, Any]:
    """The kernel family: z-scored features for eeimvc; Gaussian kernels of them, centred, for the others."""
    kernels = () if method == "eeimvc" else ("gaussian-kernel", "center-kernels")
    views = inputs.load(data, n)
    return fitted(watch, method, views, ("zscore", *kernels), allocations=True, n_clusters=views.n_clusters)


@case(
    "nmf-methods", group="methods", measures=_ALL, version="2",
    grid={"data": ["digits:0.3"], "method": ["daimc", "multinmf"]}, quick={**_FEW, "method": ["daimc", "multinmf"]},
)  # fmt: skip
def nmf_methods(watch: Watch, data: str, method: str, n: int | None = None) -> dict[str, Any]:
    """DAIMC on unit rows, MultiNMF on mean-filled features in [0, 1]."""
    prepare = {"daimc": ("unit-rows",), "multinmf": ("minmax", "fill-mean")}[method]
    views = inputs.load(data, n)
    return fitted(watch, method, views, prepare, allocations=True, n_clusters=views.n_clusters)


@case(
    "nmf-sparse-memory", group="methods", measures=("MiB",),
    grid={"method": ["daimc", "mic", "multinmf", "rnnmf", "dsnmf"]},
    quick={"method": ["daimc", "mic", "multinmf"], "d": [5_000]},
)  # fmt: skip
def nmf_sparse_memory(watch: Watch, method: str, n: int = 2000, d: int = 20_000) -> dict[str, float]:
    """NumPy's memory in five iterations on three sparse views with 0.2 % non-zeros."""
    from scipy import sparse

    from mvarena.data import MultiViewData
    from mvarena.registry.catalog import installed_catalog

    rng, catalog = np.random.default_rng(0), installed_catalog()
    views = [sparse.csr_array(sparse.random(n, d, 0.002, rng=rng)) for _ in range(3)]
    data = MultiViewData.from_arrays(views, n_clusters=10)
    extra: dict[str, Any] = {"rnnmf": {"n_components": 20}, "dsnmf": {"layers": (20, 10)}}
    estimator = catalog.load(catalog.algorithm(method))(max_iter=5, **extra.get(method, {}))
    watch.allocated("represent", lambda: estimator.represent(data))
    stored = sum(view.data.nbytes + view.indices.nbytes + view.indptr.nbytes for view in views) / MIB
    return {"MiB as stored": round(stored), "MiB if dense": round(3 * 8 * n * d / MIB)}


@case("rnnmf-iteration", group="methods", grid={"n": [2000]}, quick={"n": [500]})
def rnnmf_iteration(watch: Watch, n: int, d: int = 216, p: int = 60, times: int = 3) -> dict[str, float]:
    """One iteration of rNNMF on a drawn view: 44 iterations less 4, by 40."""
    from mvarena.algorithms import RNNMF
    from mvarena.data import MultiViewData

    data = MultiViewData.from_arrays([np.random.default_rng(0).gamma(1.0, 1.0, (n, d))], n_clusters=10)
    for max_iter in (4, 44):
        model = RNNMF(n_components=p, max_iter=max_iter, tol=0.0, smoothing=0.01)
        watch.best(f"{max_iter} iterations", lambda model=model: model.represent(data), times)  # type: ignore[misc]
    few, many = watch.steps["4 iterations"], watch.steps["44 iterations"]
    return {f"{kind}, ms an iteration": round(1000 * (many[kind] - few[kind]) / 40, 2) for kind in ("wall", "CPU")}
