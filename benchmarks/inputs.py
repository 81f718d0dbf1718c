"""The data of the benchmarks: stored sets with rows taken out, .npz files, and groups drawn at any size.

NumPy and SciPy alone are imported, for the sake of the interpreters of other packages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from benchmarks.watch import Skipped

_ROWS_AT_A_TIME = 100_000


def load(text: str, n: int | None = None, seed: int = 0) -> Any:
    """The data set or file NAME, or NAME:RATE with that share of each view's rows removed; `n` of its samples.

    A file may be an .npz of X0, X1, ... (samples x features, a row of NaN where a sample is missing) and y.
    """
    import mvarena
    from mvarena.errors import DataUnavailable
    from mvarena.registry.catalog import installed_catalog

    name, colon, rate = text.rpartition(":")
    try:
        data = mvarena.load_dataset(name if colon else text)
    except DataUnavailable as error:
        raise Skipped(str(error)) from error
    if n is not None:
        data = data.take(np.random.default_rng(0).permutation(data.n_samples)[:n])
    if colon:
        catalog = installed_catalog()
        remove = catalog.load(catalog.corruption("missing-per-view"))()
        data = remove.apply(data, float(rate), np.random.default_rng(seed))
    return data


def normal_groups(n: int, n_views: int, n_features: int, *, spread: float, missing: float, k: int = 10) -> Any:
    """Overlapping Gaussian groups; that share of the samples is in one view only. Labels are the groups."""
    rng = np.random.default_rng(0)
    truth = rng.integers(k, size=n)
    centres = [spread * rng.standard_normal((k, n_features)) for _ in range(n_views)]
    return _with_missing(rng, [rng.standard_normal((n, n_features)) + C[truth] for C in centres], truth, missing)


def gamma_groups(n: int, n_views: int, n_features: int, *, missing: float, k: int = 10) -> Any:
    """The same with nonnegative features."""
    rng = np.random.default_rng(0)
    truth = rng.integers(k, size=n)
    views = [rng.gamma(2.0, rng.gamma(2.0, 0.5, (k, n_features))[truth]) for _ in range(n_views)]
    return _with_missing(rng, views, truth, missing)


def mapped_groups(folder: Path, n: int, n_views: int, n_features: int, *, spread: float, k: int = 10) -> Any:
    """As `normal_groups` with 30 % of the samples in one view only, in float32 files that are mapped, not read."""
    from mvarena.data import MultiViewData

    rng = np.random.default_rng(0)
    truth = rng.integers(k, size=n)
    mask = np.ones((n, n_views), dtype=bool)
    partial = np.flatnonzero(rng.random(n) < 0.3)
    mask[partial] = False
    mask[partial, np.arange(partial.size) % n_views] = True
    views = []
    for v in range(n_views):
        centres = spread * rng.standard_normal((k, n_features), dtype=np.float32)
        file = np.lib.format.open_memmap(folder / f"{v}.npy", "w+", np.float32, (n, n_features))
        for first in range(0, n, _ROWS_AT_A_TIME):
            rows = slice(first, first + _ROWS_AT_A_TIME)
            block = rng.standard_normal((len(truth[rows]), n_features), dtype=np.float32) + centres[truth[rows]]
            file[rows] = block * mask[rows, v, None]
        file.flush()
        views.append(np.load(folder / f"{v}.npy", mmap_mode="r"))
    return MultiViewData.from_arrays(views, mask=mask, labels=truth, name=f"groups-{n}", keep_single=True)


def _with_missing(rng: np.random.Generator, views: list[Any], truth: Any, missing: float) -> Any:
    from mvarena.data import MultiViewData

    n = len(truth)
    mask = np.ones((n, len(views)), dtype=bool)
    partial = rng.permutation(n)[: int(missing * n)]
    mask[partial] = False
    mask[partial, np.arange(partial.size) % len(views)] = True
    return MultiViewData.from_arrays(views, mask=mask, labels=truth, name=f"groups-{n}")


def views_and_classes(path: str) -> tuple[list[Any], Any]:
    """The views X0, X1, ... of an .npz (samples x features, NaN rows where missing) and its labels y, from 0."""
    if not path.endswith(".npz"):
        raise Skipped("other packages read an .npz file only: --set data=FILE.npz")
    with np.load(path, allow_pickle=False) as stored:
        names = sorted((name for name in stored if name[0] == "X" and name[1:].isdigit()), key=lambda x: int(x[1:]))
        views = [np.array(stored[name], dtype=np.float64) for name in names]
        return views, np.unique(stored["y"], return_inverse=True)[1]


def accuracy(truth: Any, labels: Any) -> float:
    """Share of samples under the best one-to-one matching of clusters with classes."""
    size = int(max(truth.max(), labels.max())) + 1
    counts = np.zeros((size, size))
    np.add.at(counts, (truth, labels), 1)
    return float(counts[linear_sum_assignment(-counts)].sum() / len(truth))


def scores(truth: Any, labellings: list[Any], inertia: list[float]) -> dict[str, Any]:
    """ACC and NMI of k-means runs: their mean, their range, and the run of lowest inertia."""
    from sklearn.metrics import normalized_mutual_info_score

    found: dict[str, Any] = {}
    for name, metric in (("ACC", accuracy), ("NMI", normalized_mutual_info_score)):
        values = [float(metric(truth, labels)) for labels in labellings]
        found[name] = float(np.mean(values))
        found[f"{name} range"] = f"{min(values):.3f} to {max(values):.3f}"
        found[f"{name} at lowest inertia"] = values[int(np.argmin(inertia))]
    return found
