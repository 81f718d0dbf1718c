"""Data of a trial's embedding and affinity: samples in two dimensions, and similarities by class and by cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linear_sum_assignment

from mvarena.engine.replay import Space
from mvarena.numerics.scaling import unit_rows
from mvarena.report.context import Context
from mvarena.report.trial_data import DrawnTrial

MOST_SAMPLES = 2000  # of an embedding that are drawn, evenly spread
MOST_BINS = 120  # rows of an affinity; of more samples, neighbours in the order are averaged
EMBEDDING_COLUMNS = (
    "trial", "sample", "x", "y", "share_x", "share_y", "class", "cluster", "matched", "n_samples", "what", "title",
)  # fmt: skip
AFFINITY_COLUMNS = ("trial", "order", "bin", "n", "class", "matched", "what", "title")  # then v0, v1, ...


def embedding_points(trials: Iterable[DrawnTrial], context: Context) -> pd.DataFrame:
    """One row per trial and sample, columns EMBEDDING_COLUMNS.

    x, y : the first two principal components of the rows that k-means clustered, to five digits; share_x, share_y :
    their shares of the variance.
    class : -1 where unlabelled. matched : the class that stands for the sample's cluster where clusters and classes are
    matched one to one (Hungarian), below -1 for a cluster without one. Of many samples 2,000 are kept.
    """
    parts = [_embedding(trial, context) for trial in trials]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(EMBEDDING_COLUMNS))


def affinity_points(trials: Iterable[DrawnTrial], context: Context) -> pd.DataFrame:
    """Of each trial two matrices, by class and by cluster: one row per bin of samples, columns AFFINITY_COLUMNS.

    v0, v1, ... : the mean similarity to each bin, to three digits. class, matched : of most of the bin's samples.
    what : the method's affinity, or the cosines of its embedding's rows. Cost O(n^2) for a dense affinity.
    """
    parts = [part for trial in trials for part in _matrices(trial, context)]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(AFFINITY_COLUMNS))


def _embedding(trial: DrawnTrial, context: Context) -> pd.DataFrame:
    space = trial.space
    places, shares = principal_plane(space.points)
    n = len(places)
    kept = np.unique(np.linspace(0, n - 1, min(n, MOST_SAMPLES)).round().astype(int))
    frame = pd.DataFrame(
        {
            "sample": kept,
            "x": [_digits(item, 5) for item in places[kept, 0]],
            "y": [_digits(item, 5) for item in places[kept, 1]],
            "class": _classes(space)[kept],
            "cluster": space.clusters[kept],
            "matched": matched(space)[kept],
        }
    )
    what = "embedding" if space.affinity is None else "spectral embedding of the affinity"
    text = {"trial": trial.key, "n_samples": n, "what": what, "title": _title(trial, context)}
    return frame.assign(share_x=_digits(shares[0], 4), share_y=_digits(shares[1], 4), **text)[list(EMBEDDING_COLUMNS)]


def _matrices(trial: DrawnTrial, context: Context) -> Iterator[pd.DataFrame]:
    space = trial.space
    classes, clusters = _classes(space), matched(space)
    orders = {"class": np.lexsort((clusters, classes)), "cluster": np.lexsort((classes, clusters))}
    if space.classes is None:
        del orders["class"]
    for name, order in orders.items():
        n_bins = min(len(order), MOST_BINS)
        edges = np.linspace(0, len(order), n_bins + 1).round().astype(int)
        bins = np.empty(len(order), dtype=int)
        bins[order] = np.repeat(np.arange(n_bins), np.diff(edges))
        values = _binned(space, bins, np.diff(edges))
        frame = pd.DataFrame(
            {"bin": range(n_bins), "n": np.diff(edges), "class": _most(classes, bins), "matched": _most(clusters, bins)}
        )
        what = "affinity" if space.affinity is not None else "cosines of the embedding's rows"
        frame = frame.assign(trial=trial.key, order=name, what=what, title=_title(trial, context))
        digits = pd.DataFrame(values).map(lambda one: _digits(one, 3)).add_prefix("v")
        yield pd.concat([frame[list(AFFINITY_COLUMNS)], digits], axis=1)


def principal_plane(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """(n, 2) the first two principal components, each with its largest entry positive, and their shares of variance."""
    centred = points - points.mean(axis=0)
    if centred.shape[1] < 2:
        centred = np.column_stack([centred, np.zeros((len(centred), 2 - centred.shape[1]))])
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    places = left[:, :2] * values[:2]
    if places.shape[1] < 2:
        places = np.column_stack([places, np.zeros(len(places))])
    largest = places[np.abs(places).argmax(axis=0), [0, 1]]
    total = float((values**2).sum()) or 1.0
    shares = [float(value**2) / total for value in (*values[:2], 0.0)]
    return places * np.where(largest < 0, -1.0, 1.0), (shares[0], shares[1])


def matched(space: Space) -> NDArray[np.int64]:
    """(n,) the class that each sample's cluster is matched to, one to one; -2, -3, ... for clusters beyond."""
    names, clusters = np.unique(space.clusters, return_inverse=True)
    if space.classes is None:
        return clusters.astype(np.int64)
    kinds = np.unique(space.classes[space.classes >= 0])
    counts = np.array(
        [[(space.classes[clusters == item] == kind).sum() for kind in kinds] for item in range(len(names))]
    )
    stands_for = -2 - np.arange(len(names))
    rows, columns = linear_sum_assignment(-counts)
    stands_for[rows] = kinds[columns]
    return np.asarray(stands_for[clusters], dtype=np.int64)


def _classes(space: Space) -> NDArray[np.int64]:
    return np.full(len(space.clusters), -1) if space.classes is None else space.classes


def _binned(space: Space, bins: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """(B, B) the mean similarity of the samples of each bin to those of each other, each with itself included."""
    members = sparse.csr_array((np.ones(len(bins)), (bins, np.arange(len(bins)))))
    if space.affinity is None:
        sums: Any = np.asarray(members @ unit_rows(space.points))
        products = sums @ sums.T
    else:
        half = members @ space.affinity
        products = half @ members.T
        products = products.toarray() if sparse.issparse(products) else np.asarray(products)
    return products / counts[:, None] / counts


def _most(labels: NDArray[np.int64], bins: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of each bin the most frequent label."""
    counts = pd.crosstab(bins, labels)
    return counts.idxmax(axis=1).to_numpy(dtype=np.int64)


def _digits(value: float, count: int) -> float:
    """The number to so many significant digits, which is what can be seen."""
    return float(f"{value:.{count}g}")


def _title(trial: DrawnTrial, context: Context) -> str:
    on = f"{context.contestant(trial.algorithm)} on {context.dataset(trial.dataset)}"
    return ", ".join(filter(None, (on, context.condition(trial.corruption, trial.rate))))
