"""Starts of factorisations: ours beside random ones and, of DAIMC, one made as the authors' code makes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np

from benchmarks import inputs
from benchmarks.harness import case
from benchmarks.watch import Skipped, Watch


@case(
    "daimc-starts", group="methods", version="2",
    grid={"data": ["digits:0.3"], "seed": [0, 1, 2]}, quick={"data": ["digits:0.3"], "seed": [0], "n": [500]},
)  # fmt: skip
def daimc_starts(watch: Watch, data: str, seed: int, n: int | None = None) -> dict[str, Any]:
    """DAIMC on unit rows from clusters of a low-rank fit of all views, and from unmatched clusters of each.

    alpha = 1e-4, beta = 1e4. ACC and NMI are means of 20 k-means runs on V; the objective is the one at the end.
    """
    import mvarena
    from mvarena.algorithms.nmf.daimc import clustered_starts, daimc, starts_from
    from mvarena.numerics.assignment import assign_embedding
    from mvarena.numerics.iteration import Stopping

    given = mvarena.prepare(inputs.load(data, n, seed), "unit-rows")
    views, k = [view.matrix for view in given.views], given.n_clusters
    filled = mvarena.prepare(given, "fill-mean")
    # the indicators of each view's own clusters, numbered as they come
    V = np.full((given.n_samples, k), 0.1)
    for view in filled.views:
        V[np.arange(len(V)), assign_embedding(view.matrix, k, [seed])[0].labels] += 1.0 / filled.n_views
    starts = {"ours": clustered_starts(views, given.mask, k), "unmatched": starts_from(V, views, given.mask)}
    found: dict[str, Any] = {}
    for name, (U, V, B) in starts.items():
        with watch(name):
            result = daimc(views, given.mask, U, V, B, alpha=1e-4, beta=1e4, stopping=Stopping(30, 1e-4))
        runs = assign_embedding(result.V, k, range(20))
        scores = inputs.scores(given.labels, [run.labels for run in runs], [run.inertia for run in runs])
        found[f"objective {name}"] = round(float(result.history.objective[-1]), 2)
        found |= {f"{metric} {name}": round(100 * scores[metric], 1) for metric in ("ACC", "NMI")}
    return found


_PAIRS = ["3sources[bbc,guardian]", "3sources[bbc,reuters]", "3sources[guardian,reuters]"]


@case(
    "random-starts", group="methods",
    grid={"method": ["pvc", "daimc", "mic"], "prepare": ["unit-rows", "minmax,unit-rows", "none"],
          "data": [*_PAIRS, "3sources"]},
    quick={"method": ["pvc"], "prepare": ["unit-rows"], "data": _PAIRS[:1]},
)  # fmt: skip
def random_starts(watch: Watch, method: str, prepare: str, data: str, n_starts: int = 5) -> dict[str, Any]:
    """A method of the tables of APMC and MIC from our start and from random ones, each counting as a repeat.

    ACC and NMI of the k-means run of lowest inertia among 20, and the mean of all 20; of random starts the mean and
    the deviation over them. DAIMC's start of unmatched clusters is that of its authors.
    """
    from sklearn.metrics import normalized_mutual_info_score

    import mvarena
    from mvarena.registry.catalog import installed_catalog

    given = inputs.load(data)
    if method == "pvc" and given.n_views != 2:
        raise Skipped("pvc takes two views")
    k, prepared = given.n_clusters, mvarena.prepare(given.without_labels(), prepare, for_=method)
    catalog = installed_catalog()
    model = catalog.load(catalog.algorithm(method))(n_clusters=k, random_state=0)
    truth = np.unique(given.labels, return_inverse=True)[1]

    def scored() -> list[float]:
        runs = model.represent(prepared).assign(k, range(20))
        best = int(np.argmin([run.inertia for run in runs]))
        values = [
            [100 * metric(truth, run.labels) for run in runs]
            for metric in (inputs.accuracy, normalized_mutual_info_score)
        ]
        return [number for each in values for number in (each[best], float(np.mean(each)))]

    names = [f"{metric} {of}" for metric in ("ACC", "NMI") for of in ("lowest", "all")]
    with watch("ours"):
        found: dict[str, Any] = {f"{name} ours": f"{x:.1f}" for name, x in zip(names, scored(), strict=True)}
    with watch("random"):
        values = []
        for seed in range(n_starts):
            with _started(method, seed):
                values.append(scored())
    for name, mean, std in zip(names, np.mean(values, axis=0), np.std(values, axis=0, ddof=1), strict=True):
        found[f"{name} random"] = f"{mean:.1f} ± {std:.1f}"
    if method == "daimc":
        with watch("authors"), _started(method, None):
            found |= {f"{name} authors": f"{x:.1f}" for name, x in zip(names, scored(), strict=True)}
    return found


@contextmanager
def _started(method: str, seed: int | None) -> Iterator[None]:
    """Let the method start from uniform random factors; DAIMC without a seed from its authors' start."""
    from mvarena.algorithms.nmf import daimc, mic, pvc

    rng = np.random.default_rng(seed)

    def of_pvc(X: Any, k: int, **_: Any) -> tuple[Any, None]:
        return rng.random((X.shape[0], k)), None

    def of_mic(views: Any, k: int) -> tuple[list[Any], list[Any]]:
        shapes = [view.matrix.shape for view in views]
        return [rng.random((n, k)) for n, _ in shapes], [rng.random((d, k)) for _, d in shapes]

    def of_daimc(views: Any, mask: Any, k: int) -> Any:
        V = rng.random((len(mask), k)) if seed is not None else _unmatched(views, mask, k)
        return daimc.starts_from(V, views, mask)

    module, name, start = {
        "pvc": (pvc, "nndsvd", of_pvc),
        "mic": (mic, "joint_starts", of_mic),
        "daimc": (daimc, "clustered_starts", of_daimc),
    }[method]
    with mock.patch.object(module, name, start):
        yield


def _unmatched(views: Any, mask: Any, k: int) -> Any:
    """(n, k) indicators of each view's own clusters among what it observes, numbered as they come, and averaged."""
    from mvarena.numerics.assignment import assign_embedding

    V = np.full((len(mask), k), 0.1)
    for X, seen in zip(views, mask.T, strict=True):
        rows = np.flatnonzero(seen)
        observed = X[rows].toarray() if hasattr(X, "toarray") else X[rows]
        V[rows, assign_embedding(observed, k, [0])[0].labels] += 1.0 / len(views)
    return V
