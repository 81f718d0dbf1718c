"""Every contestant as the arena runs it, on one input in growing sizes: what `python -m benchmarks.speed` measures."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import inputs
from benchmarks.harness import case
from benchmarks.watch import Watch

RATE = 0.3
SLOW = ["dsnmf", "ecmsc", "mvgl", "rnnmf", "emvc", "rmsc", "img"]


@case(
    "contestant", group="speed", measures=("wall", "CPU", "MiB"), over="n",
    grid={"method": SLOW, "n": [500, 1000, 2000]}, quick={"method": SLOW, "n": [300]},
)  # fmt: skip
def contestant(watch: Watch, method: str, n: int, data: str = "digits") -> dict[str, Any]:
    """One contestant with its defaults on n samples, 30 % of the rows missing, prepared as the arena does."""
    import mvarena
    from mvarena.registry.catalog import installed_catalog

    catalog = installed_catalog()
    spec = catalog.algorithm(method)
    given = incomplete(data, n, spec.capabilities.max_views)
    method_class = catalog.load(spec)
    # one that the literature picks by labels is run for each candidate, and the best of them is told
    candidates = [{spec.picks_by_labels: name} for name in given.view_names] if spec.picks_by_labels else [{}]
    estimators = [method_class(n_clusters=given.n_clusters, random_state=0, **params) for params in candidates]
    with watch("prepare"):
        prepared = mvarena.prepare(given.without_labels(), "auto", for_=method)
    with watch("represent"):
        all_found = [estimator.represent(prepared) for estimator in estimators]
    with watch("k-means, 20 starts"):
        all_runs = [found.assign(given.n_clusters, range(20)) for found in all_found]
    scored = [
        inputs.scores(given.labels, [run.labels for run in runs], [run.inertia for run in runs]) for runs in all_runs
    ]
    best = max(range(len(scored)), key=lambda one: scored[one]["NMI at lowest inertia"])
    told, found = scored[best], all_found[best]
    return {
        "iterations": found.n_iter,
        "ended": found.stopped_because,
        "ACC": told["ACC at lowest inertia"],
        "NMI": told["NMI at lowest inertia"],
    }


def incomplete(data: str, n: int, max_views: int | None) -> Any:
    """n samples of a stored set, its first views where a method takes no more, with rows missing."""
    import mvarena

    whole = mvarena.load_dataset(data)
    if max_views is not None and whole.n_views > max_views:
        whole = whole.select_views(whole.view_names[:max_views])
    if n < whole.n_samples:
        whole = whole.take(np.sort(np.random.default_rng(0).permutation(whole.n_samples)[:n]))
    return mvarena.corrupt(whole, "missing-even", RATE, seed=0)
