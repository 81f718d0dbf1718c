"""Methods of other packages on the same input. Run under an interpreter that has them: no third-party part of
mvarena is imported but NumPy, SciPy and scikit-learn.
"""

from __future__ import annotations

import functools
import warnings
from typing import Any

import numpy as np

from benchmarks import inputs
from benchmarks.harness import case
from benchmarks.watch import MIB, Watch

_ALL = ("wall", "CPU", "MiB")


@case(
    "peer-coreg", group="methods", measures=_ALL, package="polyview", grid={"data": ["digits:0.3"]},
    beside={"case": "peer-own", "method": "coreg-pairwise"},
)  # fmt: skip
def peer_coreg(watch: Watch, data: str) -> dict[str, Any]:
    """polyview's co-regularised spectral clustering, its defaults with 20 k-means starts, on mean-filled z-scores."""
    from polyview.cluster import MultiViewCoRegSpectralClustering

    views, truth = inputs.views_and_classes(data)
    scaled = _filled_and_scaled(views)
    k = int(truth.max()) + 1
    model = MultiViewCoRegSpectralClustering(n_clusters=k, n_init=20, random_state=0)
    with watch("fit"):
        model.fit(scaled)
    squares = watch.steps["fit"]["MiB"] * MIB / (8 * len(truth) ** 2)
    # its own labels are those of lowest inertia; what single runs give is asked for beside them
    return {"iterations": int(model.n_iter_), "n x n": round(squares, 1)} | _single_runs(model.embedding_, truth, k)


@case("peer-mvlearn-coreg", group="methods", measures=_ALL, package="mvlearn", grid={"data": ["digits:0.3"]})
def peer_mvlearn_coreg(watch: Watch, data: str) -> dict[str, Any]:
    """mvlearn's co-regularised spectral clustering, its defaults with 20 k-means starts, on mean-filled z-scores."""
    from mvlearn.cluster import MultiviewCoRegSpectralClustering

    views, truth = inputs.views_and_classes(data)
    scaled = _filled_and_scaled(views)
    model = MultiviewCoRegSpectralClustering(n_clusters=int(truth.max()) + 1, n_init=20, random_state=0)
    with watch("fit"):
        labels = np.asarray(model.fit_predict(scaled))
    return inputs.scores(truth, [labels], [0.0])


@case("peer-own", group="methods", measures=_ALL, grid={"data": ["digits:0.3"], "method": ["coreg-pairwise"]})
def peer_own(watch: Watch, data: str, method: str) -> dict[str, Any]:
    """One of ours on the file that a peer is measured on, prepared as the peer's data are."""
    import mvarena
    from mvarena.registry.catalog import installed_catalog

    catalog = installed_catalog()
    given = inputs.load(data)
    estimator = catalog.load(catalog.algorithm(method))(n_clusters=given.n_clusters, random_state=0)
    steps = ("unit-rows",) if method == "daimc" else ("fill-mean", "zscore")
    prepared = mvarena.prepare(given.without_labels(), *steps)
    with watch("represent"):
        found = estimator.represent(prepared)
    with watch("k-means, 20 starts"):
        runs = found.assign(given.n_clusters, range(20))
    return inputs.scores(given.labels, [run.labels for run in runs], [run.inertia for run in runs])


@case(
    "peer-daimc", group="methods", measures=_ALL, package="imml", grid={"data": ["digits:0.3"], "seed": [42]},
    beside={"case": "peer-own", "method": "daimc"},
)  # fmt: skip
def peer_daimc(watch: Watch, data: str, seed: int) -> dict[str, Any]:
    """imml's DAIMC on unit rows from the start of that seed (it ships with 42); V clustered by 20 k-means runs."""
    from imml.cluster import DAIMC
    from sklearn.preprocessing import normalize

    warnings.simplefilter("ignore")  # those of the package
    views, truth = inputs.views_and_classes(data)
    for X in views:
        observed = ~np.isnan(X).any(axis=1)
        X[observed] = normalize(X[observed])
    k = int(truth.max()) + 1
    # as shipped, the start has seed 42 whatever `random_state` says
    DAIMC._new_init = staticmethod(functools.partial(DAIMC._new_init, random_state=seed))
    model = DAIMC(n_clusters=k, alpha=1e-4, beta=1e4, random_state=0)
    with watch("represent"):
        V = np.asarray(model.fit(views).embedding_)
    return _single_runs(V, truth, k)


def _filled_and_scaled(views: list[Any]) -> list[Any]:
    filled = [np.where(np.isnan(X), np.nanmean(X, axis=0), X) for X in views]
    return [(X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0) for X in filled]


def _single_runs(embedding: Any, truth: Any, k: int) -> dict[str, Any]:
    """Scores of 20 k-means runs of one start each: their mean, range, and the run of lowest inertia."""
    from sklearn.cluster import KMeans

    runs = [KMeans(k, n_init=1, random_state=restart).fit(embedding) for restart in range(20)]
    return inputs.scores(truth, [run.labels_ for run in runs], [float(run.inertia_) for run in runs])
