"""Methods that are linear in the samples, on drawn groups of growing size."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import inputs
from benchmarks.harness import case
from benchmarks.watch import Watch

_ALL = ("wall", "CPU", "MiB")
# with all common samples for anchors apmc is quadratic
_SETTINGS: dict[str, dict[str, Any]] = {"apmc": {"n_anchors": 1000, "random_state": 0}}
for _drawing in ("eeimvc", "lf-imvc", "oplf-mvc", "os-lf-imvc", "fastmice"):
    _SETTINGS[_drawing] = {"random_state": 0}
LINEAR = [
    "concat", "apmc", "psimvc-pg", "fimvc-via", "simvc-sa", "smvsc", "lmvsc", "fastmice", "eeimvc", "lf-imvc",
    "os-lf-imvc", "oplf-mvc", "opmc", "opimc", "pimvc", "multinmf", "mic", "daimc", "pvc",
]  # fmt: skip


def clustered(
    watch: Watch, name: str, data: Any, prepare: tuple[str, ...] | None = None, **params: Any
) -> dict[str, Any]:
    """Prepare, represent and one k-means start, apart; iterations and agreement with the drawn groups (ARI).

    prepare : transforms; None: those of the method's paper.
    """
    from sklearn.metrics import adjusted_rand_score

    import mvarena
    from mvarena.registry.catalog import installed_catalog

    catalog = installed_catalog()
    spec = catalog.algorithm(name)
    labels, n_clusters = data.labels, data.n_clusters
    with watch("prepare"):
        prepared = mvarena.prepare(data.without_labels(), *(spec.prepare if prepare is None else prepare))
    del data  # where the caller keeps none either, the prepared data are the only ones
    estimator = catalog.load(spec)(n_clusters=n_clusters, **params)
    with watch("represent"):
        found = estimator.represent(prepared)
    with watch("k-means, 1 start"):
        (run,) = found.assign(n_clusters, [0])
    peak = max(step["peak"] for step in watch.steps.values()) / 1024
    agreement = float(adjusted_rand_score(labels, run.labels))
    return {"iterations": found.n_iter, "ARI": agreement, "GiB with the data": peak}


@case(
    "linear-scale", group="scale", measures=_ALL, over="n",
    grid={"method": LINEAR, "n": [10_000, 100_000, 1_000_000]}, quick={"method": LINEAR, "n": [1_000, 4_000]},
)  # fmt: skip
def linear_scale(watch: Watch, method: str, n: int) -> dict[str, Any]:
    """Every method that is linear in the samples, with its own preparation: three views of 50 features.

    30 % of the samples are in one view only where the method takes that; its own defaults otherwise.
    """
    from mvarena.registry.catalog import installed_catalog

    takes = installed_catalog().algorithm(method).capabilities
    views, missing = 2 if takes.max_views == 2 else 3, 0.3 if takes.missing else 0.0
    settings = _SETTINGS.get(method, {})
    if takes.negative:
        found = clustered(watch, method, inputs.normal_groups(n, views, 50, spread=0.7, missing=missing), **settings)
    else:
        found = clustered(watch, method, inputs.gamma_groups(n, views, 50, missing=missing), **settings)
    return found | {"views": views}


@case(
    "mapped-scale", group="scale", measures=_ALL, over="n",
    grid={"method": ["eeimvc", "apmc"], "n": [100_000, 1_000_000, 10_000_000]},
    quick={"method": ["eeimvc", "apmc"], "n": [1_000, 4_000]},
)  # fmt: skip
def mapped_scale(watch: Watch, method: str, n: int) -> dict[str, Any]:
    """Float32 features mapped from disk: EE-IMVC on three views of 50, APMC with 1,000 anchors on two of 32.

    The files lie in the folder for temporary files (TMPDIR): 6 GB for 10,000,000 samples.
    """
    n_views, d, spread = (3, 50, 0.7) if method == "eeimvc" else (2, 32, 1.0)
    with TemporaryDirectory() as folder:
        data = inputs.mapped_groups(Path(folder), n, n_views, d, spread=spread)
        return clustered(watch, method, data, prepare=(), **_SETTINGS[method]) | {"views": n_views}
